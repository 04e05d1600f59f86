//! MiRo: how it moves, and that it stays sound.

use latimer_core::model::signal::{MotionState, Switch};
use latimer_core::model::{CameraSettings, Command, JointPosition, JointTarget, Kind, Signal, TrackSpeeds};
use latimer_core::{Outcome, PartName};
use latimer_dialects::miro::calls::StopSound;
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::Demand;
use latimer_world::camera::FrameEncoder;
use latimer_world::{Behaviour, Start, World};
use proptest::prelude::*;

use crate::hostile::{asked, is_sane};
use crate::lab::{Input, Lab, id, lab_of, own, seconds};

pub(crate) fn miro(more: &str, x_m: f64, y_m: f64, yaw_deg: f64) -> Lab {
    lab_of("miro", more, x_m, y_m, yaw_deg)
}

pub(crate) fn joint(part: &str, position: JointPosition) -> Command {
    let part = PartName::of(part);
    Command::Joints(vec![JointTarget { part, position, velocity_radps: None, duration: None }])
}

/// Says a speed again and again, as programs for the robot do.
fn keep(lab: &mut Lab, left_mps: f64, right_mps: f64, for_s: f64) {
    for _ in 0..(for_s * 10.0) as u32 {
        assert!(lab.ask(Command::DriveTracks(TrackSpeeds { left_mps, right_mps })).is_ok());
        lab.run(0.1);
    }
}

#[test]
fn single_wheels_move_it_as_the_specification_s_example_says() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    // -100 and 50 mm/s: -25 mm/s and 150 / 164 rad/s.
    keep(&mut lab, -0.1, 0.05, 1.0);
    let (linear, angular) = (-0.025, 0.15 / 0.164);
    assert!((lab.number(Kind::Velocity, "commanded", "linear_mps") - linear).abs() < 1e-9);
    assert!((lab.number(Kind::Velocity, "commanded", "angular_radps") - angular).abs() < 1e-9);
    assert!((lab.number(Kind::Velocity, "measured", "linear_mps") - linear).abs() < 1e-3);
    let before = lab.pose();
    keep(&mut lab, -0.1, 0.05, 2.0);
    let after = lab.pose();
    assert!((after.yaw_rad - before.yaw_rad - 2.0 * angular).abs() < 0.01, "{before:?} {after:?}");
    // On a circle the chord of an arc of angle a is 2 r sin(a / 2).
    let chord_m = 2.0 * linear.abs() / angular * (angular * 2.0 / 2.0).sin();
    assert!((after.distance_to(before.x_m, before.y_m) - chord_m).abs() < 0.002);
    let Signal::Encoders(encoders) = lab.last(Kind::Encoders, "") else { panic!() };
    assert!((encoders.left.velocity_radps.unwrap() + 0.1 / 0.045).abs() < 0.02, "{encoders:?}");
}

#[test]
fn a_speed_that_is_not_renewed_ends_after_a_second() {
    let mut lab = miro("", 2.0, 3.0, 0.0);
    lab.drive(0.2, 0.0);
    lab.run(4.0);
    let way_m = lab.pose().x_m - 2.0;
    assert!((0.15..0.22).contains(&way_m), "{way_m}");
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Halted]);
    let long = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: Some(seconds(5.0)) };
    assert!(lab.ask(long).is_ok());
    lab.run(6.0);
    let longer_m = lab.pose().x_m - 2.0 - way_m;
    assert!((0.9..1.1).contains(&longer_m), "who gives a time renews the speed until then: {longer_m}");
    let short = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: Some(seconds(0.5)) };
    assert!(lab.forget().ask(short).is_ok());
    lab.run(1.0);
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Succeeded]);
}

#[test]
fn joints_keep_their_limits_and_shares_theirs() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    lab.run(0.1);
    let degrees = |lab: &Lab, part: &str| lab.number(Kind::Joint, part, "position_rad").to_degrees();
    for (part, first, low, high) in [
        ("tilt", -5.0, -5.0, -5.0),
        ("lift", 17.0, 17.0, 65.0),
        ("yaw", 0.0, -60.0, 60.0),
        ("pitch", -12.0, -15.0, 8.0),
    ] {
        assert!((degrees(&lab, part) - first).abs() < 1e-6, "{part}");
        for (rad, limit) in [(2.0, high), (-2.0, low)] {
            assert!(lab.ask(joint(part, JointPosition::angle(rad))).is_ok());
            lab.run(3.0);
            assert!((degrees(&lab, part) - limit).abs() < 1e-6, "{part}: {}", degrees(&lab, part));
        }
    }
    assert!(lab.ask(joint("tail", JointPosition::Share { ratio: -1.0 })).is_ok());
    assert!(lab.ask(joint("ear_left", JointPosition::Share { ratio: 0.5 })).is_ok());
    lab.run(1.0);
    assert_eq!(lab.number(Kind::Joint, "tail", "position_ratio"), -1.0);
    assert_eq!(lab.number(Kind::Joint, "ear_left", "position_ratio"), 0.5);
    for (part, position, why) in [
        ("ear_left", JointPosition::Share { ratio: -0.5 }, "from 0 to 1"),
        ("tail", JointPosition::angle(0.1), "share"),
        ("yaw", JointPosition::Share { ratio: 0.1 }, "radians"),
        (
            "nose",
            JointPosition::angle(0.1),
            "tilt, lift, yaw, pitch, tail, ear_left, ear_right, eyelids, blink",
        ),
    ] {
        let Outcome::Refused(said) = lab.ask(joint(part, position)) else { panic!("{part}") };
        assert!(said.reason.contains(why), "{said}");
    }
}

#[test]
fn it_blinks_once_or_twice() {
    for (ratio, times) in [(1.0, 1), (-1.0, 2)] {
        let mut lab = miro("", 3.0, 3.0, 0.0);
        lab.run(0.1);
        let blink = JointTarget {
            part: PartName::of("blink"),
            position: JointPosition::Share { ratio },
            velocity_radps: None,
            duration: Some(seconds(0.3)),
        };
        assert!(lab.ask(Command::Joints(vec![blink])).is_ok());
        lab.run(2.0);
        let lids = lab.all(Kind::Joint, "eyelids");
        let shut = lids.iter().map(|it| it.field("position_ratio").unwrap().as_f64() == Some(1.0));
        let shut: Vec<bool> = shut.collect();
        let closings = shut.windows(2).filter(|pair| !pair[0] && pair[1]).count();
        assert_eq!(closings, times);
        assert_eq!(lab.number(Kind::Joint, "eyelids", "position_ratio"), 0.0, "open again");
    }
}

#[test]
fn small_pictures_come_at_the_rate_that_was_asked_for() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let small = CameraSettings { size: Some([128, 96]), rate_hz: Some(25.0), ..CameraSettings::default() };
    assert!(lab.ask(Command::Camera(small)).is_ok());
    lab.world.listen([Demand::EVERY_KIND.with_stream(0)]);
    lab.forget();
    for _ in 0..200 {
        lab.run(0.01);
        lab.world.develop(&mut FrameEncoder::default(), &mut lab.received);
    }
    let pictures = lab.all(Kind::Image, "camera_left").len();
    assert!((50..=51).contains(&pictures), "{pictures} in two seconds");
}

#[test]
fn a_power_cycle_forgets_how_it_was_set_up() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let small = CameraSettings { size: Some([128, 96]), rate_hz: Some(25.0), ..CameraSettings::default() };
    assert!(lab.ask(Command::Camera(small)).is_ok());
    assert!(lab.ask(Command::Lamp { part: None, rgb: [9, 9, 9] }).is_ok());
    assert!(lab.ask(joint("lift", JointPosition::angle(1.0))).is_ok());
    let size = |lab: &mut Lab| {
        lab.world.listen([Demand::EVERY_KIND.with_stream(0)]);
        lab.forget().run(1.0);
        lab.world.develop(&mut FrameEncoder::default(), &mut lab.received);
        let Signal::Image(image) = lab.last(Kind::Image, "camera_left") else { panic!() };
        (image.width, image.height)
    };
    assert_eq!(size(&mut lab), (128, 96));
    assert!(lab.poke(Stimulus::Battery(0.0)).is_ok());
    lab.run(0.1);
    assert!(lab.poke(Stimulus::Battery(0.8)).is_ok());
    lab.run(2.0);
    assert_eq!(size(&mut lab), (320, 240));
    assert_eq!(lab.number(Kind::Lamp, "lamp_3", "red"), 0.0);
    assert!((lab.number(Kind::Joint, "lift", "position_rad").to_degrees() - 17.0).abs() < 1e-6);
}

#[test]
fn switches_inside_are_flipped_by_hand_and_stay() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let inputs = |lab: &Lab| match lab.last(Kind::Pins, "") {
        Signal::Pins(pins) => pins.inputs,
        other => panic!("{other:?}"),
    };
    lab.run(0.1);
    assert_eq!(inputs(&lab), [[false; 4]]);
    for part in ["dip_0", "touch_dip_3"] {
        assert!(lab.poke(Stimulus::Touch { part: PartName::of(part), hold: seconds(0.1) }).is_ok());
    }
    lab.run(1.0);
    assert_eq!(inputs(&lab), [[true, false, false, true]]);
    let none = Stimulus::Touch { part: PartName::of("dip_4"), hold: seconds(0.1) };
    assert!(matches!(lab.poke(none), Outcome::Refused(_)));
}

#[test]
fn sounds_of_its_own_and_streamed_ones_end_by_themselves_or_are_stopped() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    let play = |lab: &mut Lab, name: &str| lab.ask(Command::Play { name: name.into(), volume_ratio: None });
    let ended = |lab: &Lab| {
        let name = |signal: &&Signal| match signal {
            Signal::Playback(it) => format!("{}/{}", it.directory.clone().unwrap(), it.name),
            other => panic!("{other:?}"),
        };
        lab.all(Kind::Playback, "").iter().map(name).collect::<Vec<_>>()
    };
    for name in ["7", "p2/23", "P3/purr softly"] {
        assert!(play(&mut lab, name).is_ok());
        lab.run(2.0);
    }
    assert_eq!(ended(&lab), ["P1/7", "P2/23", "P3/purr softly"]);
    for bad in ["P1/31", "P2/24", "P3/", "P4/1", "0", "P3/a\u{7}"] {
        assert!(
            matches!(play(&mut lab, bad), Outcome::Refused(why) if why.reason.contains("P3/NAME")),
            "{bad}"
        );
    }
    assert!(play(lab.forget(), "P3/purr").is_ok());
    assert_eq!(lab.ask(own(StopSound {})), Outcome::Done);
    lab.run(2.0);
    assert_eq!(ended(&lab), ["P3/purr"], "a sound that is stopped has ended, too");
    assert_eq!(lab.forget().ask(own(StopSound {})), Outcome::Done);
    lab.run(2.0);
    assert_eq!(ended(&lab), [""; 0], "and silence ends nothing");
}

const EDGE: &str = "[[drops]]\npolygon_m = [[4.0, 1.0], [5.5, 1.0], [5.5, 5.0], [4.0, 5.0]]\ndepth_m = 0.18";

#[test]
fn it_stops_before_an_edge_unless_the_reflex_is_off() {
    let mut lab = miro(EDGE, 3.0, 3.0, 0.0);
    let mut refused = None;
    for _ in 0..50 {
        if let Outcome::Refused(why) = lab.drive(0.4, 0.0) {
            refused = Some(why);
            break;
        }
        lab.run(0.1);
    }
    let why = refused.unwrap();
    assert!(why.reason.contains("cliff_left") && why.reason.contains("drive back"), "{why}");
    lab.run(1.0);
    assert!((3.85..3.95).contains(&lab.pose().x_m), "{:?}", lab.pose());
    assert_eq!(lab.hazards(), ["range:cliff_left", "range:cliff_right"]);
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Halted]);
    assert!(lab.number(Kind::Cliff, "left", "status_code") < 2.0);
    assert!(lab.drive(-0.2, 0.0).is_ok(), "back is free");
    lab.run(1.0);
    assert_eq!(lab.number(Kind::Cliff, "left", "status_code"), 15.0);
    assert!(lab.hazards().is_empty());
    let off = Switch { part: "cliff_reflex".into(), enabled: false };
    let off = Command::HazardSettings { revert: false, bumpers: vec![off], ranges: vec![] };
    assert!(lab.ask(off).is_ok());
    for _ in 0..15 {
        lab.drive(0.4, 0.0);
        lab.run(0.1);
    }
    assert!(matches!(lab.drive(0.4, 0.0), Outcome::Refused(why) if why.reason.contains("fell over an edge")));
}

#[test]
fn in_the_air_its_wheels_turn_for_nothing() {
    let mut lab = miro("", 3.0, 3.0, 0.0);
    assert!(lab.poke(Stimulus::Lift { hold: seconds(2.0) }).is_ok());
    lab.run(0.2);
    assert_eq!(lab.number(Kind::Cliff, "left", "status_code"), 0.0);
    assert!(matches!(lab.drive(0.2, 0.0), Outcome::Refused(_)), "the reflex takes the air for an edge");
    assert!(lab.drive(-0.2, 0.0).is_ok());
    lab.run(0.5);
    assert!((lab.pose().x_m - 3.0).abs() < 1e-6);
    assert!(lab.number(Kind::Pose, "", "x_m") < -0.05, "but they count");
}

fn demo(seed: u64) -> Lab {
    let mut world = World::builtin("demo", seed).unwrap();
    world.add_robot(id("m"), "miro", Start::Anywhere, Behaviour::Wander).unwrap();
    Lab::of(world)
}

#[test]
fn ten_minutes_of_wandering_are_safe() {
    let mut lab = demo(1);
    lab.world.listen([Demand::NOTHING]);
    let (mut way_m, mut last) = (0.0, lab.pose());
    for _ in 0..600 {
        lab.run(1.0);
        let pose = lab.pose();
        way_m += pose.distance_to(last.x_m, last.y_m);
        last = pose;
        assert!((0.1..13.9).contains(&pose.x_m) && (0.1..5.9).contains(&pose.y_m), "left the room: {pose:?}");
        lab.forget();
    }
    assert!(way_m > 15.0, "it got about: {way_m}");
    assert!(!matches!(lab.drive(-0.1, 0.0), Outcome::Refused(_)), "it did not fall");
}

#[test]
fn the_same_seed_publishes_the_same() {
    let live = |seed: u64| {
        let mut lab = demo(seed);
        let demand = (0..5).fold(Demand::EVERY_KIND, Demand::with_stream);
        lab.world.listen([demand]);
        lab.ask(Command::Camera(CameraSettings { size: Some([128, 96]), ..CameraSettings::default() }));
        lab.run(2.0);
        lab.world.develop(&mut FrameEncoder::default(), &mut lab.received);
        lab.received
    };
    let (first, second) = (live(7), live(7));
    assert!(first.len() > 2_000 && first == second);
    assert!(first != live(8));
}

fn share() -> impl Strategy<Value = Command> {
    let part = prop_oneof![Just("tail"), Just("blink"), Just("eyelids"), Just("yaw"), Just("lift")];
    let number = || prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e300), -2.0..2.0_f64];
    (part, number(), proptest::option::of(number()), any::<bool>()).prop_map(
        |(part, number, velocity_radps, angle)| {
            let part = PartName::of(part);
            let position =
                if angle { JointPosition::angle(number) } else { JointPosition::Share { ratio: number } };
            Command::Joints(vec![JointTarget { part, position, velocity_radps, duration: None }])
        },
    )
}

fn camera() -> impl Strategy<Value = Command> {
    let rate = prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e300), Just(-1.0), 0.0..50.0_f64];
    (rate, proptest::option::of(any::<[u32; 2]>()))
        .prop_map(|(rate, size)| Command::Camera(CameraSettings { part: None, size, rate_hz: Some(rate) }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(32)))]
    #[test]
    fn nothing_poisons_it(
        commands in proptest::collection::vec(prop_oneof![asked(), share().prop_map(Input::from), camera().prop_map(Input::from)], 1..20)
    ) {
        let mut lab = miro("", 3.0, 3.0, 0.0);
        for command in commands {
            let text = format!("{command:?}");
            let absurd = text.contains("NaN") || text.contains("inf") || text.contains("1e300");
            prop_assert!(!(absurd && lab.ask(command).is_ok()), "{} was taken", text);
            lab.run(0.2);
        }
        let pose = lab.pose();
        prop_assert!(pose.is_finite() && (0.0..=6.0).contains(&pose.x_m) && (0.0..=6.0).contains(&pose.y_m));
        for update in &lab.received {
            use latimer_core::model::ToValue;
            prop_assert!(is_sane(&update.signal.to_value()), "{:?}", update);
        }
    }
}
