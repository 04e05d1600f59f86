//! What the range sensors report is where things are.

use latimer_core::model::signal::RangeStatus;
use latimer_core::model::{Kind, Signal};

use crate::lab::{Lab, lab};

fn status(lab: &Lab, part: &str) -> (RangeStatus, i64) {
    match lab.last(Kind::Range, part) {
        Signal::Range(range) => (range.status, range.status_code.unwrap()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn distances_are_those_of_the_room() {
    // The nearest ray meets a wall square on: a cone's reading of a wall ahead is its distance.
    let mut lab = lab("", 5.0, 3.0, 0.0);
    lab.run(0.2);
    let ahead = lab.number(Kind::Range, "front_center", "distance_m");
    assert!((ahead - (1.0 - 0.12)).abs() < 0.025, "{ahead}");
    // The outer ones look 14.9 degrees outwards and see 13.5 degrees to either side.
    let slant = (0.26_f64 - 0.471 / 2.0).cos();
    for side in ["front_left", "front_right"] {
        let distance = lab.number(Kind::Range, side, "distance_m");
        assert!((distance - (1.0 - 0.11) / slant).abs() < 0.025, "{side} {distance}");
    }
    assert_eq!(status(&lab, "front_center"), (RangeStatus::Valid, 0));
}

#[test]
fn turned_robots_see_turned_rooms() {
    for yaw_deg in [0.0, 90.0, 180.0, 270.0] {
        let mut lab = lab("", 3.0, 3.0, yaw_deg);
        let pillar = "[[cylinders]]\ncenter_m = [3.0, 4.0]\nradius_m = 0.2";
        let mut with = crate::lab::lab(pillar, 3.0, 3.0, yaw_deg);
        lab.run(0.2);
        with.run(0.2);
        assert_eq!(status(&lab, "front_center").0, RangeStatus::WeakSignal, "walls are 3 m away");
        let back = with.last(Kind::Range, "back").field("distance_m").unwrap().as_f64();
        let front = with.last(Kind::Range, "front_center").field("distance_m").unwrap().as_f64();
        let seen = match yaw_deg as i64 {
            90 => front,
            270 => back,
            _ => continue,
        };
        assert!((seen.unwrap() - (0.8 - 0.12)).abs() < 0.025, "{yaw_deg} {seen:?}");
    }
}

#[test]
fn statuses_follow_from_what_is_there() {
    let cases = [
        (4.5, "", (RangeStatus::TooFar, 104)),
        (3.0, "", (RangeStatus::WeakSignal, 102)),
        (
            4.7,
            "[[boxes]]\ncenter_m = [5.9, 3.0]\nsize_m = [0.1, 2.0]\ncolor = \"#080808\"",
            (RangeStatus::WeakSignal, 102),
        ),
        (
            4.0,
            "[[boxes]]\ncenter_m = [5.9, 3.0]\nsize_m = [0.1, 2.0]\nreflectivity = 0.98",
            (RangeStatus::Wrapped, 207),
        ),
        (
            4.5,
            "[[walls]]\npoints_m = [[4.7, 2.956], [6.0, 3.3]]\nthickness_m = 0.01",
            (RangeStatus::Noisy, 101),
        ),
    ];
    for (x, more, expected) in cases {
        let mut lab = lab(more, x, 3.0, 0.0);
        lab.run(0.3);
        assert_eq!(status(&lab, "front_center"), expected, "{more}");
    }
}

#[test]
fn a_mirror_out_of_range_seems_1_3_m_nearer() {
    let mirror = "[[boxes]]\ncenter_m = [5.9, 3.0]\nsize_m = [0.1, 2.0]\nreflectivity = 0.98";
    let mut lab = lab(mirror, 4.0, 3.0, 0.0);
    lab.run(0.3);
    let read = lab.number(Kind::Range, "front_center", "distance_m");
    assert!((read + 1.3 - (1.85 - 0.12)).abs() < 0.1, "{read}");
}

#[test]
fn robots_see_each_other() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let at = latimer_world::Pose2::new(3.8, 3.0, 0.0);
    let start = latimer_world::Start::At(at);
    lab.world.add_robot(crate::lab::id("n"), "misty", start, latimer_world::Behaviour::Stand).unwrap();
    lab.run(0.2);
    let ahead = lab.received.iter().rev().find(|it| {
        it.robot.as_str() == "m" && it.part.as_ref().is_some_and(|part| part.as_str() == "front_center")
    });
    let ahead = ahead.unwrap().signal.field("distance_m").unwrap().as_f64().unwrap();
    assert!((ahead - (0.8 - 0.13 - 0.12)).abs() < 0.02, "{ahead}");
}
