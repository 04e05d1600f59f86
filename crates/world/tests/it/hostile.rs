//! Numbers that no robot should take: refused, and never in the world.

use latimer_core::model::signal::{Limit, Switch};
use latimer_core::model::{Command, JointPosition, JointTarget, LocalizationCommand, TrackSpeeds};
use latimer_core::{Outcome, PartName};
use latimer_dialects::describe::Call as _;
use latimer_dialects::misty::calls::{DriveArc, DriveHeading, Record, TrainFace};
use latimer_simulator_api::Stimulus;
use proptest::prelude::*;

use crate::lab::{Input, lab, own, seconds};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(1e300),
        Just(-1e300),
        Just(f64::MIN_POSITIVE),
        Just(-0.0),
        -2.0..2.0_f64,
        any::<f64>(),
    ]
}

fn duration() -> impl Strategy<Value = std::time::Duration> {
    prop_oneof![
        Just(std::time::Duration::MAX),
        Just(std::time::Duration::ZERO),
        (0.0..5.0_f64).prop_map(seconds)
    ]
}

fn part() -> impl Strategy<Value = PartName> {
    prop_oneof![Just("head_yaw"), Just("bump_front_left"), Just("touch_chin"), Just("x")]
        .prop_map(PartName::of)
}

fn stimulus() -> impl Strategy<Value = Stimulus> {
    prop_oneof![
        (part(), duration()).prop_map(|(part, hold)| Stimulus::Touch { part, hold }),
        (part(), duration()).prop_map(|(part, hold)| Stimulus::Bump { part, hold }),
        (number(), number(), duration()).prop_map(|(bearing_rad, distance_m, hold)| Stimulus::Face {
            label: None,
            bearing_rad,
            distance_m,
            hold
        }),
        number().prop_map(|confidence_ratio| Stimulus::KeyPhrase { confidence_ratio }),
        (number(), number(), duration()).prop_map(|(bearing_rad, level_ratio, hold)| Stimulus::Sound {
            bearing_rad,
            level_ratio,
            voice: true,
            hold
        }),
        number().prop_map(Stimulus::Battery),
        duration().prop_map(|hold| Stimulus::Lift { hold }),
        (number(), number(), number()).prop_map(|(x_m, y_m, yaw_rad)| Stimulus::Place { x_m, y_m, yaw_rad }),
        Just(Stimulus::LosePose { hold: None }),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let limit = (number(),).prop_map(|(threshold_m,)| Limit { part: "cliff_front_left".into(), threshold_m });
    prop_oneof![
        (number(), number(), proptest::option::of(duration())).prop_map(
            |(linear_mps, angular_radps, duration)| Command::Drive { linear_mps, angular_radps, duration }
        ),
        (number(), number())
            .prop_map(|(left_mps, right_mps)| Command::DriveTracks(TrackSpeeds { left_mps, right_mps })),
        (number(), number(), duration(), any::<bool>()).prop_filter_map(
            "it is no command",
            |(heading_rad, distance_m, duration_s, reverse)| {
                DriveHeading { heading_rad, distance_m, duration_s, reverse }.command().ok()
            }
        ),
        (number(), number(), duration(), any::<bool>()).prop_filter_map(
            "it is no command",
            |(heading_rad, radius_m, duration_s, reverse)| {
                DriveArc { heading_rad, radius_m, duration_s, reverse }.command().ok()
            }
        ),
        (part(), number(), proptest::option::of(number()), proptest::option::of(duration())).prop_map(
            |(part, position_rad, velocity_radps, duration)| {
                Command::Joints(vec![JointTarget {
                    part,
                    position: JointPosition::angle(position_rad),
                    velocity_radps,
                    duration,
                }])
            }
        ),
        number().prop_map(Command::Volume),
        number().prop_map(|it| Command::Play { name: "002-Ahhh.wav".into(), volume_ratio: Some(it) }),
        limit.prop_map(|limit| Command::HazardSettings {
            revert: true,
            bumpers: vec![],
            ranges: vec![limit]
        }),
        Just(own(Record { on: true, name: None })),
        Just(Command::Localization(LocalizationCommand::Tracking(true))),
    ]
}

pub(crate) fn asked() -> impl Strategy<Value = Input> {
    prop_oneof![10 => command().prop_map(Input::from), 1 => stimulus().prop_map(Input::from)]
}

pub(crate) fn is_sane(value: &latimer_core::Value) -> bool {
    use latimer_core::Value;
    match value {
        Value::Float(number) => number.is_finite() && number.abs() < 1e6,
        Value::List(items) => items.iter().all(is_sane),
        Value::Map(fields) => fields.iter().all(|(_, value)| is_sane(value)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Bytes(_) => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(latimer_testing::rounds(64)))]
    #[test]
    fn nothing_poisons_the_world(commands in proptest::collection::vec(asked(), 1..20)) {
        let mut lab = lab("", 3.0, 3.0, 0.0);
        for command in commands {
            let text = format!("{command:?}");
            let outcome = lab.ask(command);
            let absurd = text.contains("NaN") || text.contains("inf") || text.contains("1e300");
            // A key phrase, a lost pose and a place may be refused for better reasons; none is accepted.
            prop_assert!(!(absurd && outcome.is_ok()), "{} was taken", text);
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

#[test]
fn refusals_have_advice() {
    let mut lab = lab("", 3.0, 3.0, 0.0);
    let duration_s = seconds(0.05);
    let cases = [
        (Command::Drive { linear_mps: f64::NAN, angular_radps: 0.0, duration: None }, "from -100 to 100"),
        (
            own(DriveHeading { heading_rad: 0.0, distance_m: 1.0, duration_s, reverse: false }),
            "0.1 s or more",
        ),
        (Command::Volume(7.0), "from 0 to 1"),
        (Command::Lamp { part: Some(PartName::of("nose")), rgb: [1, 2, 3] }, "chest"),
        (own(TrainFace { label: "  ".into() }), "1 to 200"),
    ];
    let place = Stimulus::Place { x_m: 99.0, y_m: 1.0, yaw_rad: 0.0 };
    let cases = cases.map(|(command, expected)| (Input::from(command), expected));
    for (command, expected) in cases.into_iter().chain([(place.into(), "outside the room")]) {
        match lab.ask(command.clone()) {
            Outcome::Refused(why) => assert!(why.reason.contains(expected), "{why}"),
            other => panic!("{command:?} was {other:?}"),
        }
    }
    let switch = Switch { part: "bump_front_left".into(), enabled: false };
    let limit = Limit { part: "cliff_front_left".into(), threshold_m: f64::NAN };
    let both = Command::HazardSettings { revert: false, bumpers: vec![switch], ranges: vec![limit] };
    assert!(matches!(lab.ask(both), Outcome::Refused(_)));
    lab.run(0.1);
    let settings = format!("{:?}", lab.last(latimer_core::model::Kind::HazardSettings, ""));
    assert!(!settings.contains("enabled: false"), "all or nothing");
}
