//! Robots of the Pera Swarm.

use std::f64::consts::{FRAC_PI_2, TAU};

use latimer_core::model::signal::{Color, MotionState, Pose, Range};
use latimer_core::model::{Command, Kind, Signal, TrackSpeeds};
use latimer_core::{Outcome, Value};
use latimer_simulator_api::Stimulus;
use latimer_world::bodies::Demand;
use latimer_world::{Behaviour, Start, World};
use proptest::prelude::*;

use crate::hostile::{asked, is_sane};
use crate::lab::{Lab, id, lab_of, seconds};

const RADIUS_M: f64 = 0.03;

fn pera(more: &str, x_m: f64, y_m: f64, yaw_deg: f64) -> Lab {
    lab_of("pera", more, x_m, y_m, yaw_deg)
}

/// Mean of what a part measured; noise is at most 3.5 mm in a single reading.
fn mean_m(lab: &Lab, part: &str) -> f64 {
    let all = lab.all(Kind::Range, part);
    let distance = |signal: &&Signal| match signal {
        Signal::Range(Range { distance_m: Some(m), .. }) => *m,
        other => panic!("{other:?}"),
    };
    all.iter().map(distance).sum::<f64>() / all.len() as f64
}

fn color(lab: &Lab, part: &str) -> [u8; 3] {
    let Signal::Color(Color { red, green, blue, .. }) = lab.last(Kind::Color, part) else { panic!() };
    [red, green, blue]
}

/// From a point to the walls of the room of 6 × 6 m.
fn to_wall_m(x_m: f64, y_m: f64, angle_rad: f64) -> f64 {
    let (sin, cos) = angle_rad.sin_cos();
    let way = |at: f64, slope: f64| if slope > 0.0 { (6.0 - at) / slope } else { -at / slope };
    way(x_m, cos).min(way(y_m, sin))
}

#[test]
fn distances_are_those_of_the_geometry() {
    let mut lab = pera("", 2.0, 2.5, 0.0);
    for turn in 0..24 {
        let yaw_rad = f64::from(turn) / 24.0 * TAU + 0.01;
        assert!(lab.poke(Stimulus::Place { x_m: 2.0, y_m: 2.5, yaw_rad }).is_ok());
        lab.run(0.1).forget();
        lab.run(2.0);
        for (part, bearing_rad) in [("left", FRAC_PI_2), ("front", 0.0), ("right", -FRAC_PI_2)] {
            let expected = to_wall_m(2.0, 2.5, yaw_rad + bearing_rad) - RADIUS_M;
            let found = mean_m(&lab, part);
            assert!((found - expected).abs() < 0.001, "{part} at {yaw_rad}: {found}, not {expected}");
        }
    }
}

#[test]
fn it_sees_the_colour_of_what_is_near() {
    let walls = "[[boxes]]\ncenter_m = [3.4, 3.0]\nsize_m = [0.3, 0.3]\ncolor = \"#ff0000\"\n\
                 [[cylinders]]\ncenter_m = [3.0, 3.2]\nradius_m = 0.1\ncolor = \"#0000ff\"\n\
                 [[boxes]]\ncenter_m = [3.0, 2.5]\nsize_m = [0.2, 0.2]\ncolor = \"#00ff00\"";
    let mut lab = pera(walls, 3.0, 3.0, 0.0);
    lab.run(1.0);
    assert_eq!(color(&lab, "front"), [255, 0, 0], "a box in 22 cm");
    assert_eq!(color(&lab, "left"), [0, 0, 255], "a cylinder in 7 cm");
    assert_eq!(color(&lab, "right"), [0, 0, 0], "a box in 37 cm is too far");
    assert_eq!(lab.number(Kind::Color, "front", "ambient_ratio"), 0.5);
    assert!((mean_m(&lab, "front") - 0.22).abs() < 0.001);
}

#[test]
fn other_robots_are_met_at_their_edge() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    let there = Start::At(latimer_world::Pose2::new(3.5, 3.0, 1.0));
    lab.world.add_robot(id("n"), "pera", there, Behaviour::Stand).unwrap();
    lab.run(2.0);
    let front: Vec<f64> = (0..1).map(|_| mean_m_of(&lab, "m", "front")).collect();
    assert!((front[0] - 0.44).abs() < 0.001, "{front:?}");
}

fn mean_m_of(lab: &Lab, robot: &str, part: &str) -> f64 {
    let own = lab.received.iter().filter(|it| it.robot == id(robot)).cloned().collect();
    let only = Lab { world: World::builtin("empty", 1).unwrap(), now: lab.now, received: own };
    mean_m(&only, part)
}

#[test]
fn its_pose_is_published_in_the_arena_s_frame() {
    let mut world = World::builtin("arena", 4).unwrap();
    world.add_robot(id("m"), "pera", Start::Spawn("southwest".into()), Behaviour::Stand).unwrap();
    let mut lab = Lab::of(world);
    lab.run(1.0);
    let Signal::Pose(Pose { x_m, y_m, yaw_rad, .. }) = lab.last(Kind::Pose, "") else { panic!() };
    assert!((x_m + 0.45).abs() < 0.004 && (y_m + 0.45).abs() < 0.004, "{x_m} {y_m}");
    assert!((yaw_rad - 45_f64.to_radians()).abs() < 0.02);
    let Signal::Imu(compass) = lab.last(Kind::Imu, "") else { panic!() };
    assert!((compass.orientation.unwrap().yaw_rad - 45_f64.to_radians()).abs() < 0.07);
}

#[test]
fn wheels_do_as_arithmetic_says() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    assert!(lab.ask(Command::DriveTracks(TrackSpeeds { left_mps: 0.05, right_mps: 0.05 })).is_ok());
    lab.run(10.0);
    let pose = lab.pose();
    assert!((pose.x_m - 3.5).abs() < 0.01 && (pose.y_m - 3.0).abs() < 0.002, "{pose:?}");
    assert!(lab.ask(Command::DriveTracks(TrackSpeeds { left_mps: -0.02, right_mps: 0.02 })).is_ok());
    lab.run(1.0);
    assert!((lab.number(Kind::Velocity, "measured", "angular_radps") - 0.04 / 0.05).abs() < 0.01);
    lab.stop();
    lab.run(1.0);
    // Ten times too fast: the bend stays, the faster wheel runs at 10 cm/s.
    assert!(lab.drive(1.0, 0.0).is_ok());
    lab.run(1.0);
    assert!((lab.number(Kind::Velocity, "commanded", "linear_mps") - 0.1).abs() < 1e-9);
    assert!((lab.number(Kind::Velocity, "measured", "linear_mps") - 0.1).abs() < 1e-3);
}

#[test]
fn a_time_ends_a_drive_and_a_wall_does_too() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    let time = Some(seconds(2.0));
    assert!(lab.ask(Command::Drive { linear_mps: 0.1, angular_radps: 0.0, duration: time }).is_ok());
    lab.run(4.0);
    assert!((lab.pose().x_m - 3.2).abs() < 0.02, "{:?}", lab.pose());
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Succeeded]);
    let mut lab = pera("", 5.9, 3.0, 0.0);
    lab.drive(0.1, 0.0);
    lab.run(4.0);
    assert_eq!(lab.motions(), [MotionState::Moving, MotionState::Blocked]);
    assert!(lab.pose().x_m < 5.972, "{:?}", lab.pose());
}

#[test]
fn the_lamp_shows_the_commanded_colour() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    assert!(lab.ask(Command::Lamp { part: None, rgb: [1, 2, 3] }).is_ok());
    lab.run(0.02);
    assert_eq!(lab.number(Kind::Lamp, "neopixel", "green"), 2.0);
    let nose = Some(latimer_core::PartName::of("nose"));
    let Outcome::Refused(why) = lab.ask(Command::Lamp { part: nose, rgb: [0; 3] }) else { panic!() };
    assert!(why.reason.contains("neopixel"), "{why}");
}

#[test]
fn what_it_was_not_made_for_is_refused_with_the_reason() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    let Outcome::Refused(why) = lab.ask(Command::Volume(0.5)) else { panic!() };
    assert!(why.reason.contains("Pera robot cannot carry out the command volume"), "{why}");
    let poked = Stimulus::Touch { part: latimer_core::PartName::of("x"), hold: seconds(1.0) };
    assert!(matches!(lab.poke(poked), Outcome::Refused(why) if why.reason.contains("no touch sensors")));
    assert!(lab.poke(Stimulus::Battery(0.0)).is_ok());
    lab.run(0.2);
    assert!(matches!(lab.drive(0.1, 0.0), Outcome::Refused(why) if why.reason.contains("battery is empty")));
    assert!(lab.poke(Stimulus::Battery(0.5)).is_ok());
    assert!(lab.poke(Stimulus::Lift { hold: seconds(2.0) }).is_ok());
    assert!(lab.drive(0.1, 0.0).is_ok());
    lab.run(1.5);
    assert!((lab.pose().x_m - 3.0).abs() < 1e-6, "its wheels turn in the air");
    lab.run(2.0);
    assert!(lab.pose().x_m > 3.1);
}

#[test]
fn every_kind_keeps_its_rate() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    lab.run(1.0).forget();
    lab.run(10.0);
    let expected = [
        (Kind::Range, "front", 500),
        (Kind::Color, "left", 100),
        (Kind::Pose, "", 100),
        (Kind::Imu, "", 100),
        (Kind::Velocity, "measured", 100),
        (Kind::Lamp, "neopixel", 10),
        (Kind::Battery, "", 10),
        (Kind::Device, "", 1),
    ];
    for (kind, part, times) in expected {
        let published = lab.all(kind, part).len();
        assert!(published.abs_diff(times) <= 1, "{kind} of {part:?} came {published} times, not {times}");
    }
    lab.world.listen([Demand::NOTHING]);
    lab.forget();
    lab.run(10.0);
    assert!(lab.received.len() < 150, "{} updates though nobody listens", lab.received.len());
}

/// Lives in the arena for a time with others; the room is 1.8 × 1.8 m.
fn swarm(seed: u64, minutes: u32) -> (Lab, f64) {
    let mut world = World::builtin("arena", seed).unwrap();
    for name in ["m", "n", "o", "p"] {
        world.add_robot(id(name), "pera", Start::Anywhere, Behaviour::Wander).unwrap();
    }
    let mut lab = Lab::of(world);
    lab.world.listen([Demand::NOTHING; 4]);
    let (mut way_m, mut last) = (0.0, lab.pose());
    for _ in 0..minutes * 60 {
        lab.run(1.0);
        let pose = lab.pose();
        way_m += pose.distance_to(last.x_m, last.y_m);
        last = pose;
        assert!((0.02..1.78).contains(&pose.x_m) && (0.02..1.78).contains(&pose.y_m), "{pose:?}");
    }
    (lab, way_m)
}

#[test]
fn ten_minutes_of_wandering_stay_in_the_arena() {
    let (_, way_m) = swarm(1, 10);
    assert!(way_m > 10.0, "it got about: {way_m}");
}

#[test]
fn the_same_seed_publishes_the_same() {
    assert!(swarm(7, 1).0.received == swarm(7, 1).0.received);
    assert!(swarm(7, 1).0.received != swarm(8, 1).0.received);
}

#[test]
fn its_program_waits_when_stopped_until_it_is_started() {
    let mut world = World::builtin("arena", 4).unwrap();
    world.add_robot(id("m"), "pera", Start::Spawn("southwest".into()), Behaviour::Wander).unwrap();
    let mut lab = Lab::of(world);
    let way_m = |lab: &mut Lab| {
        let before = lab.pose();
        lab.run(20.0);
        let after = lab.pose();
        (after.x_m - before.x_m).hypot(after.y_m - before.y_m)
    };
    assert!(way_m(&mut lab) > 0.1);
    assert_eq!(lab.ask(Command::Stop { hold: false }), Outcome::Done);
    lab.run(1.0);
    assert!(way_m(&mut lab) < 0.001, "it waits for longer than a command keeps a behaviour away");
    let text = |text: &str| Command::SkillMessage { text: text.to_owned(), data: None };
    assert_eq!(lab.ask(text("hello")), Outcome::Done);
    assert!(way_m(&mut lab) < 0.001);
    let Signal::Text(received) = lab.last(Kind::Text, "comm_in_simple") else { panic!() };
    assert_eq!(&*received.text, "hello");
    assert_eq!(lab.ask(text("START")), Outcome::Done);
    assert!(way_m(&mut lab) > 0.1);
}

#[test]
fn its_program_says_what_it_is_made_to_say_to_whom() {
    let mut lab = pera("", 3.0, 3.0, 0.0);
    let mut say = |text: &str, comm: Option<&'static str>| {
        let data = comm.map(|word| Value::Map(vec![("comm".into(), Value::Text(word.into()))]));
        let outcome = lab.poke(Stimulus::SkillMessage { text: text.to_owned(), data });
        lab.run(0.1);
        outcome
    };
    for (text, comm) in [("hello", None), ("you there", Some("direct")), ("a note", Some("log"))] {
        assert_eq!(say(text, comm), Outcome::Done);
    }
    let refused = say("?", Some("aloud"));
    assert!(format!("{refused:?}").contains("give simple, direct or log"), "{refused:?}");
    assert!(!say(&"x".repeat(2_000), None).is_ok());
    for (part, expected) in
        [("comm_out_simple", "hello"), ("comm_out_direct", "you there"), ("log", "a note")]
    {
        let Signal::Text(said) = lab.last(Kind::Text, part) else { panic!("{part}") };
        assert_eq!(&*said.text, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(32)))]
    #[test]
    fn nothing_poisons_it(commands in proptest::collection::vec(asked(), 1..20)) {
        let mut lab = pera("", 3.0, 3.0, 0.0);
        for command in commands {
            let text = format!("{command:?}");
            let absurd = text.contains("NaN") || text.contains("inf") || text.contains("1e300");
            prop_assert!(!(absurd && lab.ask(command).is_ok()), "{} was taken", text);
            lab.run(0.2);
        }
        prop_assert!(lab.pose().is_finite());
        for update in &lab.received {
            use latimer_core::model::ToValue;
            prop_assert!(is_sane(&update.signal.to_value()), "{:?}", update);
        }
    }
}
