//! The hub sends commands to a robot behind a bridge: one gateway is the bridge, another connects to it.

use std::time::Duration;

use latimer_core::model::signal::LinkState;
use latimer_core::model::{
    CameraSettings, Command, JointPosition, JointTarget, Outcome, RefusalCode, TrackSpeeds,
};
use latimer_core::{Clock, Hub, PartName, RobotId};
use latimer_dialects::miro::calls::StopSound;

use super::publisher::Stage;
use crate::miro::rig::{Gateway, PATIENCE, until};
use crate::own;

async fn connected(stage: &Stage, hub: &Hub) -> Gateway {
    let table = format!(
        "sounds = [\"hello\", \"purr\"]\n[[connect]]\nrobot = \"real\"\nname = \"rob01\"\naddress = \"{}\"\n",
        stage.gateway.master()
    );
    let session = Gateway::start(hub, &table).await;
    until("the robot is heard", || {
        hub.robot(&real()).is_some_and(|report| report.link.state == LinkState::Up)
    })
    .await;
    session
}

fn real() -> RobotId {
    RobotId::new("real").unwrap()
}

/// Asks the connected robot, once its bridge follows the topics of commands.
async fn ask(hub: &Hub, command: Command) -> Outcome {
    loop {
        match hub.command(&real(), command.clone(), PATIENCE).await {
            Outcome::Refused(refusal) if refusal.code == RefusalCode::Unreachable => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            outcome => return outcome,
        }
    }
}

#[tokio::test]
async fn commands_reach_the_robot_as_its_own_words_and_come_out_the_same() {
    let (here, there) = (Hub::new(Clock::system()), Hub::new(Clock::system()));
    let mut stage = Stage::of(&here, "miro").await;
    let session = connected(&stage, &there).await;
    let ask = |command: Command| ask(&there, command);
    let wheels = Command::DriveTracks(TrackSpeeds { left_mps: -0.1, right_mps: 0.05 });
    assert_eq!(ask(wheels).await, Outcome::Accepted);
    let drive = stage.receives("drive", Outcome::Accepted).await;
    let Command::Drive { linear_mps, angular_radps, .. } = drive else { panic!("{drive:?}") };
    assert!((linear_mps + 0.025).abs() < 1e-9 && (angular_radps - 0.150 / 0.164).abs() < 1e-9);
    assert_eq!(ask(Command::Stop { hold: false }).await, Outcome::Done);
    stage.receives("stop", Outcome::Done).await;

    let lift = JointTarget {
        part: PartName::of("lift"),
        position: JointPosition::angle(0.5),
        velocity_radps: None,
        duration: None,
    };
    assert_eq!(ask(Command::Joints(vec![lift])).await, Outcome::Accepted);
    let Command::Joints(targets) = stage.receives("joints", Outcome::Accepted).await else { panic!() };
    assert_eq!((targets.len(), targets[0].position), (1, JointPosition::angle(0.5)));
    assert_eq!(ask(Command::Lamp { part: None, rgb: [1, 2, 3] }).await, Outcome::Done);
    assert_eq!(stage.receives("lamp", Outcome::Done).await, Command::Lamp { part: None, rgb: [1, 2, 3] });
    for name in ["P1/7", "P3/purr"] {
        let play = Command::Play { name: name.into(), volume_ratio: None };
        assert_eq!(ask(play.clone()).await, Outcome::Accepted);
        assert_eq!(stage.receives("play", Outcome::Accepted).await, play);
    }
    let small = CameraSettings { size: Some([128, 96]), rate_hz: Some(10.0), part: None };
    assert_eq!(ask(Command::Camera(small.clone())).await, Outcome::Accepted);
    assert_eq!(stage.receives("camera", Outcome::Done).await, Command::Camera(small));
    assert_eq!(ask(own(StopSound {})).await, Outcome::Accepted);
    stage.receives("stop_sound", Outcome::Done).await;
    for command in [Command::Volume(0.5), Command::Play { name: "P3/nothing".into(), volume_ratio: None }] {
        assert!(matches!(ask(command).await, Outcome::Refused(_)));
    }
    session.stop().await;
    stage.stop().await;
}

#[tokio::test]
async fn a_drive_lasts_its_time_at_fifty_frames_a_second() {
    let (here, there) = (Hub::new(Clock::system()), Hub::new(Clock::system()));
    let mut stage = Stage::of(&here, "miro").await;
    let session = connected(&stage, &there).await;
    let duration = Some(Duration::from_secs(2));
    let drive = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration };
    assert_eq!(ask(&there, drive).await, Outcome::Accepted);
    let mut frames = stage.node.follow("/miro/rob01/platform/control");
    let began = here.clock().now();
    stage.receives("drive", Outcome::Accepted).await;
    stage.receives("stop", Outcome::Done).await;
    let lasted_s = here.clock().now().since(began).as_secs_f64();
    assert!(lasted_s > 1.5, "{lasted_s}");
    let first = crate::miro::rig::in_time(frames.next()).await.unwrap();
    assert_eq!(first.layout.type_name(), "miro_msgs/platform_control");
    session.stop().await;
    stage.stop().await;
}
