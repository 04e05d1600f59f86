//! Bumpers stop the robot, on the right side, and let it back away.

use latimer_core::model::signal::{MotionState, Switch};
use latimer_core::model::{Command, Kind, Signal};
use latimer_core::{Outcome, PartName};
use latimer_simulator_api::Stimulus;

use crate::lab::{Lab, lab, seconds};

fn contacts(lab: &Lab) -> Vec<(String, bool)> {
    let contact = |update: &latimer_core::Update| match &update.signal {
        Signal::Contact(contact) => Some((update.part.as_ref().unwrap().to_string(), contact.contacted)),
        _ => None,
    };
    lab.received.iter().filter_map(contact).collect()
}

#[test]
fn a_wall_ahead_presses_both_front_bumpers_and_the_robot_stands() {
    let mut lab = lab("", 5.0, 3.0, 0.0);
    lab.drive(0.3, 0.0);
    lab.run(6.0);
    let pressed: Vec<String> =
        contacts(&lab).into_iter().filter(|(_, on)| *on).map(|(part, _)| part).collect();
    assert!(pressed.contains(&"bump_front_left".to_owned()), "{pressed:?}");
    assert!(pressed.contains(&"bump_front_right".to_owned()), "{pressed:?}");
    assert!(!pressed.iter().any(|part| part.contains("rear")), "{pressed:?}");
    let pose = lab.pose();
    assert!((pose.x_m - (6.0 - 0.13)).abs() < 0.01, "{pose:?}");
    assert!(lab.number(Kind::Velocity, "measured", "linear_mps").abs() < 0.005);
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Halted]);
    let hazards = lab.hazards();
    assert!(hazards.contains(&"drive_zone:front_left".to_owned()), "{hazards:?}");
    assert!(hazards.contains(&"bumper:bump_front_right".to_owned()), "{hazards:?}");

    // Forward is refused with a way out, backward works and releases the bumpers.
    assert!(matches!(lab.drive(0.2, 0.0), Outcome::Refused(why) if why.reason.contains("back")));
    assert_eq!(lab.drive(-0.2, 0.0), Outcome::Accepted);
    lab.run(1.0);
    assert!(lab.pose().x_m < 5.8);
    assert!(lab.hazards().is_empty(), "{:?}", lab.hazards());
    assert_eq!(lab.drive(0.1, 0.0), Outcome::Accepted);
}

#[test]
fn an_obstacle_on_one_side_presses_that_bumper_only() {
    for (y, expected) in [(3.1, "bump_front_left"), (2.9, "bump_front_right")] {
        let post = format!("[[cylinders]]\ncenter_m = [4.0, {y}]\nradius_m = 0.03");
        let mut lab = lab(&post, 3.0, 3.0, 0.0);
        lab.drive(0.2, 0.0);
        lab.run(6.0);
        assert_eq!(contacts(&lab), [(expected.to_owned(), true)]);
    }
}

#[test]
fn backing_into_a_wall_presses_the_rear() {
    let mut lab = lab("", 1.0, 3.0, 0.0);
    lab.drive(-0.2, 0.0);
    lab.run(6.0);
    let mut parts: Vec<String> = contacts(&lab).into_iter().map(|(part, _)| part).collect();
    parts.sort();
    assert_eq!(parts, ["bump_rear_left", "bump_rear_right"]);
    assert!(matches!(lab.drive(-0.2, 0.0), Outcome::Refused(_)));
    assert_eq!(lab.drive(0.2, 0.0), Outcome::Accepted);
}

#[test]
fn a_switched_off_bumper_does_not_stop_but_stalling_does() {
    let mut lab = lab("", 5.5, 3.0, 0.0);
    let off = |part: &str| Switch { part: part.into(), enabled: false };
    let bumpers = vec![off("bump_front_left"), off("bump_front_right")];
    assert_eq!(lab.ask(Command::HazardSettings { revert: false, bumpers, ranges: vec![] }), Outcome::Done);
    lab.drive(0.2, 0.0);
    lab.run(2.5);
    assert_eq!(lab.motions(), [MotionState::Moving]);
    lab.run(2.0);
    let stall =
        |signal: &&Signal| format!("{signal:?}").contains("MotorStall, part: \"drive_left\", active: true");
    assert!(lab.all(Kind::Hazard, "").iter().any(stall), "{:?}", lab.hazards());
    assert_eq!(lab.motions().last(), Some(&MotionState::Halted));
    lab.ask(Command::HazardSettings { revert: true, bumpers: vec![], ranges: vec![] });
    lab.run(0.1);
    assert!(!format!("{:?}", lab.last(Kind::HazardSettings, "")).contains("enabled: false"));
}

#[test]
fn unknown_parts_are_refused_with_a_list() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let bumpers = vec![Switch { part: "bump_top".into(), enabled: true }];
    let answer = lab.ask(Command::HazardSettings { revert: true, bumpers, ranges: vec![] });
    assert!(matches!(answer, Outcome::Refused(why) if why.reason.contains("bump_front_right")));
    let answer = lab.poke(Stimulus::Bump { part: PartName::of("nose"), hold: seconds(1.0) });
    assert!(matches!(answer, Outcome::Refused(why) if why.reason.contains("bump_rear_left")));
}

#[test]
fn a_hand_presses_and_releases() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.run(0.1);
    lab.poke(Stimulus::Touch { part: PartName::of("touch_head_left"), hold: seconds(0.5) });
    lab.poke(Stimulus::Bump { part: PartName::of("bump_rear_left"), hold: seconds(0.2) });
    lab.run(1.0);
    let expected = [
        ("bump_rear_left", true),
        ("touch_head_left", true),
        ("bump_rear_left", false),
        ("touch_head_left", false),
    ];
    assert_eq!(contacts(&lab), expected.map(|(part, on)| (part.to_owned(), on)));
}

#[test]
fn a_robot_held_by_its_scruff_ignores_commands() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.poke(Stimulus::Touch { part: PartName::of("touch_scruff"), hold: seconds(1.0) });
    lab.run(0.1);
    assert!(matches!(lab.drive(0.1, 0.0), Outcome::Refused(why) if why.reason.contains("scruff")));
    lab.run(1.5);
    assert_eq!(lab.drive(0.1, 0.0), Outcome::Accepted);
}

#[test]
fn items_come_in_the_documented_order() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    lab.poke(Stimulus::Bump { part: PartName::of("bump_front_left"), hold: seconds(0.2) });
    lab.run(0.1);
    let Signal::Hazard(hazard) = lab.last(Kind::Hazard, "") else { panic!() };
    let parts: Vec<&str> = hazard.items.iter().map(|it| &*it.part).collect();
    assert_eq!(parts.len(), 39);
    assert_eq!(parts[..4], ["bump_front_right", "bump_front_left", "bump_rear_right", "bump_rear_left"]);
    assert_eq!(parts[4..6], ["track_right", "track_left"]);
    assert_eq!(
        parts[11..17],
        ["front_right", "front_center", "front_left", "back_right", "back_center", "back_left"]
    );
    assert_eq!(parts[17..19], ["drive_right", "drive_left"]);
    assert_eq!(
        parts[24..32],
        [
            "range_front_right",
            "range_front_center",
            "range_front_left",
            "range_back",
            "cliff_front_right",
            "cliff_front_left",
            "cliff_back_right",
            "cliff_back_left"
        ]
    );
}
