//! The localisation finds itself, loses itself and says so.

use latimer_core::Outcome;
use latimer_core::model::signal::{Frame, LocalizationState};
use latimer_core::model::{Command, Kind, LocalizationCommand, Signal};
use latimer_simulator_api::Stimulus;

use crate::lab::{Lab, lab};

fn state(lab: &Lab) -> (LocalizationState, Option<bool>, Vec<String>) {
    match lab.last(Kind::Localization, "") {
        Signal::Localization(it) => {
            (it.state, it.has_pose, it.flags.iter().map(ToString::to_string).collect())
        }
        other => panic!("{other:?}"),
    }
}

fn frame(lab: &Lab) -> Frame {
    match lab.last(Kind::Pose, "") {
        Signal::Pose(pose) => pose.frame,
        other => panic!("{other:?}"),
    }
}

#[test]
fn tracking_gives_the_pose_on_the_map() {
    let mut lab = lab("", 2.0, 4.0, 0.0);
    lab.run(0.2);
    assert_eq!(state(&lab), (LocalizationState::Idle, None, vec!["Ready".to_owned()]));
    assert_eq!(frame(&lab), Frame::Odom);
    assert!(matches!(lab.poke(Stimulus::LosePose { hold: None }), Outcome::Refused(_)));
    lab.ask(Command::Localization(LocalizationCommand::Tracking(true)));
    lab.run(0.5);
    assert_eq!(state(&lab).0, LocalizationState::Relocalizing);
    lab.run(2.0);
    assert_eq!(state(&lab).2, ["Tracking", "HasPose", "Streaming"]);
    assert_eq!(frame(&lab), Frame::Map);
    assert!((lab.number(Kind::Pose, "", "y_m") - 4.0).abs() < 0.05);
    assert_eq!(lab.poke(Stimulus::LosePose { hold: None }), Outcome::Done);
    lab.run(0.2);
    assert_eq!((state(&lab).1, frame(&lab)), (Some(false), Frame::Odom));
    lab.run(9.0);
    assert_eq!(state(&lab).1, Some(true));
}

#[test]
fn mapping_and_reset() {
    let mut lab = lab("", 2.0, 4.0, 0.0);
    lab.ask(Command::Localization(LocalizationCommand::Mapping(true)));
    lab.run(3.0);
    assert_eq!(state(&lab).2, ["Exploring", "HasPose", "Streaming"]);
    let answer = lab.ask(Command::Localization(LocalizationCommand::Tracking(true)));
    assert!(matches!(answer, Outcome::Refused(why) if why.reason.contains("stop mapping")));
    lab.ask(Command::Localization(LocalizationCommand::Mapping(false)));
    lab.run(0.1);
    assert!(state(&lab).2.contains(&"Exporting_Map".to_owned()));
    lab.run(1.5);
    lab.ask(Command::Localization(LocalizationCommand::Reset));
    lab.run(0.1);
    assert_eq!(state(&lab).0, LocalizationState::Starting);
    lab.run(1.5);
    lab.ask(Command::Localization(LocalizationCommand::Streaming(false)));
    lab.run(0.1);
    assert_eq!(state(&lab).2, ["Ready"]);
}
