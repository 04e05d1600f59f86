//! A served robot receives commands.

use std::time::Duration;

use latimer_core::model::signal::{Joint, Library, Playback};
use latimer_core::model::{Command, JointPosition, Outcome};
use latimer_core::{Clock, Hub};
use latimer_dialects::miro::Layouts;
use latimer_dialects::miro::messages::signals::{WHEEL_TRACK_MM, body_move, p2u_r, sync};
use latimer_dialects::miro::messages::{
    BridgeConfig, BridgeStream, CoreControl, PlatformConfig, PlatformControl, PlatformState, Shares,
};
use latimer_dialects::miro::topic::Topic;
use latimer_ros1::msgs::geometry_msgs::{Pose2D, Twist, Vector3};
use latimer_ros1::msgs::std_msgs;
use serde::Serialize;

use super::publisher::{Stage, while_saying};
use crate::miro::rig::{Looker, in_time, next, publish};

fn twist(linear: f64, angular: f64) -> Twist {
    let along = Vector3 { x: linear, ..Vector3::default() };
    Twist { linear: along, angular: Vector3 { z: angular, ..Vector3::default() } }
}

fn driving(linear: f64, angular: f64) -> PlatformControl {
    PlatformControl { body_vel: twist(linear, angular), ..PlatformControl::default() }
}

#[tokio::test]
async fn the_specification_s_wheel_speeds_become_a_speed_that_ends_when_nobody_renews_it() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let control = stage.publisher(Topic::Control).await;
    let (left, right) = (-100.0, 50.0);
    control.publish(&driving((left + right) / 2.0, (right - left) / WHEEL_TRACK_MM)).unwrap();
    let began = hub.clock().now();
    let drive = stage.receives("drive", Outcome::Accepted).await;
    let Command::Drive { linear_mps, angular_radps, duration } = drive else { panic!("{drive:?}") };
    assert!((linear_mps + 0.025).abs() < 1e-12 && (angular_radps - 0.150 / 0.164).abs() < 1e-12);
    assert!(duration.is_some_and(|it| it.as_secs_f64() <= 1.0), "safe from a gateway that dies");
    stage.receives("stop", Outcome::Done).await;
    let held_s = hub.clock().now().since(began).as_secs_f64();
    assert!(held_s >= 0.95, "{held_s}");
    stage.stop().await;
}

#[tokio::test]
async fn a_simulated_robot_s_speed_holds_for_a_second_of_the_world_s_time() {
    let hub = Hub::new(Clock::system());
    let (mut stage, world) = Stage::in_world(&hub).await;
    let control = stage.publisher(Topic::Control).await;
    let began = hub.clock().now();
    world.reached(began);
    control.publish(&driving(100.0, 0.0)).unwrap();
    stage.receives("drive", Outcome::Accepted).await;
    // The world is paused: the second does not pass.
    let more = tokio::time::timeout(Duration::from_millis(1_500), stage.robot.next_command()).await;
    assert!(more.is_err(), "{more:?}");
    // What is said meanwhile is done when it goes on.
    control.publish(&driving(200.0, 0.0)).unwrap();
    world.reached(began.after(Duration::from_millis(20)));
    let drive = stage.receives("drive", Outcome::Accepted).await;
    assert!(matches!(drive, Command::Drive { linear_mps: 0.2, .. }), "{drive:?}");
    world.reached(began.after(Duration::from_secs(2)));
    stage.receives("stop", Outcome::Done).await;
    stage.stop().await;
}

#[tokio::test]
async fn a_speed_that_is_held_is_not_said_again_after_a_stop_of_somebody_else() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let control = stage.publisher(Topic::Control).await;
    control.publish(&driving(100.0, 0.0)).unwrap();
    stage.receives("drive", Outcome::Accepted).await;
    let stop = hub.command(stage.robot.robot(), Command::Stop { hold: true }, Duration::from_secs(5));
    assert_eq!(stage.receives("stop", Outcome::Done).await, Command::Stop { hold: true });
    assert_eq!(stop.await, Outcome::Done);
    // A message holds for a second.
    let more = tokio::time::timeout(Duration::from_millis(1_300), stage.robot.next_command()).await;
    assert!(more.is_err(), "{more:?}");
    // The first message after a stop counts, however long ago the stop was.
    control.publish(&driving(200.0, 0.0)).unwrap();
    let drive = stage.receives("drive", Outcome::Accepted).await;
    assert!(matches!(drive, Command::Drive { linear_mps: 0.2, .. }), "{drive:?}");
    stage.stop().await;
}

#[tokio::test]
async fn a_program_that_publishes_nothing_but_zeros_leaves_another_s_drive_alone_and_anybody_s_stop_is_one() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let watcher = Looker::at(stage.gateway.master(), "/watcher").await;
    let other = Looker::at(stage.gateway.master(), "/other").await;
    let zeros = Stage::followed(&watcher, Layouts::Maker, Topic::Control).await;
    let stops = Stage::followed(&other, Layouts::Maker, Topic::CmdVel).await;
    let control = stage.publisher(Topic::Control).await;
    let drive = PlatformControl { tail: 1.0, ..driving(100.0, 0.0) };
    let commands = async {
        let mut commands = Vec::new();
        // Both publish for two seconds and more.
        let answer = async {
            loop {
                let request = stage.robot.next_command().await;
                commands.push(request.command.clone());
                request.answer(Outcome::Accepted);
            }
        };
        assert!(tokio::time::timeout(Duration::from_secs(3), answer).await.is_err());
        commands
    };
    let nothing = PlatformControl::default();
    // It publishes nothing before the other drives; else its first message would be a stop.
    while_saying(&zeros, &nothing, tokio::time::sleep(Duration::from_millis(300))).await;
    let both = while_saying(&zeros, &nothing, while_saying(&control, &drive, commands));
    let commands = both.await;
    assert!(commands.len() > 2, "the drive is renewed: {commands:?}");
    let drives = |it: &Command| matches!(it, Command::Drive { linear_mps: 0.1, .. } | Command::Joints(_));
    assert!(commands.iter().all(drives), "{commands:?}");
    let joints = commands.iter().filter(|it| matches!(it, Command::Joints(_))).count();
    assert_eq!(joints, 1, "the tail stays up: {commands:?}");
    while_saying(&zeros, &nothing, async {
        stops.publish(&Twist::default()).unwrap();
        stage.receives("stop", Outcome::Done).await;
    })
    .await;
    watcher.stop().await;
    other.stop().await;
    stage.stop().await;
}

#[tokio::test]
async fn the_standard_interface_moves_tail_ears_and_eyelids() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let shares = stage.publisher(Topic::CosmeticJoints).await;
    for (data, expected) in [
        (vec![-1.0, 0.25, 0.5, 1.0], [-1.0, 0.25, 0.5, 1.0]),
        (vec![0.0, 1.0, 0.0, 1.0, 0.75, 0.5], [1.0, 0.75, 0.5, 0.5]),
    ] {
        shares.publish(&Shares { data }).unwrap();
        let joints = stage.receives("joints", Outcome::Accepted).await;
        let Command::Joints(targets) = joints else { panic!("{joints:?}") };
        for target in &targets {
            let parts = ["tail", "ear_left", "ear_right", "eyelids"];
            let at = parts.iter().position(|part| *part == target.part.as_str()).unwrap();
            assert_eq!(target.position, JointPosition::Share { ratio: expected[at] }, "{target:?}");
        }
        assert!(targets.len() >= 3, "{targets:?}");
    }
    let mut log = stage.node.follow("/miro/rob01/log");
    let connected = log.publishers();
    crate::miro::rig::until("the log is followed", || *connected.borrow() > 0).await;
    shares.publish(&Shares { data: vec![1.0; 5] }).unwrap();
    let said: std_msgs::String = next(&mut log, |_| true).await;
    assert!(said.data.contains("control/cosmetic_joints has 5 numbers"), "{}", said.data);
    stage.stop().await;
}

#[tokio::test]
async fn joints_lamps_and_sounds_are_said_when_they_change() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let control = stage.publisher(Topic::Control).await;
    let message = PlatformControl {
        body_config: [0.0, 0.5, 0.0, 0.0],
        body_config_speed: [0.0, -1.0, 0.0, 0.0],
        tail: -1.0,
        lights_raw: [7; 18],
        sound_index_P2: 23,
        ..PlatformControl::default()
    };
    control.publish(&message).unwrap();
    control.publish(&message).unwrap();
    let joints = stage.receives("joints", Outcome::Accepted).await;
    let Command::Joints(targets) = joints else { panic!("{joints:?}") };
    let parts: Vec<_> = targets.iter().map(|it| (it.part.as_str(), it.position)).collect();
    assert_eq!(parts, [("lift", JointPosition::angle(0.5)), ("tail", JointPosition::Share { ratio: -1.0 })]);
    assert_eq!(stage.receives("lamp", Outcome::Done).await, Command::Lamp { part: None, rgb: [7; 3] });
    let mut state = stage.node.follow("/miro/rob01/platform/state");
    let played = stage.receives("play", Outcome::Accepted).await;
    assert_eq!(played, Command::Play { name: "P2/23".into(), volume_ratio: None });
    let reported: PlatformState = next(&mut state, vocalises).await;
    assert_eq!(reported.number_of_loaded_sounds, 2);
    publish(&stage.robot, None, ended(Some("P2"), "23"));
    next(&mut state, |it: &PlatformState| !vocalises(it)).await;
    stage.stop().await;
}

#[tokio::test]
async fn what_a_robot_refuses_is_logged_once_and_costs_nobody_else_anything() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let control = stage.publisher(Topic::Control).await;
    let stream = stage.publisher(Topic::BridgeStream).await;
    let mut log = stage.node.follow("/miro/rob01/log");
    let connected = log.publishers();
    crate::miro::rig::until("the log is followed", || *connected.borrow() > 0).await;
    let refuse = async {
        let refused = Outcome::not_now("cliff_left forbids driving forward");
        for _ in 0..3 {
            stage.receives("drive", refused.clone()).await;
        }
    };
    while_saying(&control, &driving(100.0, 0.0), refuse).await;
    stream.publish(&BridgeStream { sound_index_P3: 9, ..BridgeStream::default() }).unwrap();
    let mut said = Vec::new();
    while !said.iter().any(|it: &String| it.contains("sound_index_P3 is 9")) {
        said.push(next(&mut log, |_: &std_msgs::String| true).await.data);
    }
    let refusals: Vec<_> = said.iter().filter(|it| it.contains("cliff_left forbids")).collect();
    assert_eq!(refusals.len(), 1, "{said:?}");
    stream.publish(&BridgeStream { sound_index_P3: 2, ..BridgeStream::default() }).unwrap();
    let played = stage.receives("play", Outcome::Accepted).await;
    assert_eq!(played, Command::Play { name: "P3/purr".into(), volume_ratio: None });
    stream.publish(&BridgeStream { sound_index_P3: -1, ..BridgeStream::default() }).unwrap();
    stage.receives("stop_sound", Outcome::Done).await;
    let config = stage.publisher_in(Layouts::Inferred, Topic::BridgeConfig).await;
    config.publish(&BridgeConfig { sound_index_P3: 1, ..BridgeConfig::default() }).unwrap();
    let played = stage.receives("play", Outcome::Accepted).await;
    assert_eq!(played, Command::Play { name: "P3/hello".into(), volume_ratio: None });
    stage.stop().await;
}

#[tokio::test]
async fn pictures_are_set_up_and_wrong_sizes_are_reported() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let config = stage.publisher(Topic::Config).await;
    let wrong = PlatformConfig { frame_size: 640, ..PlatformConfig::default() };
    let mut log = stage.node.follow("/miro/rob01/log");
    let connected = log.publishers();
    crate::miro::rig::until("the log is followed", || *connected.borrow() > 0).await;
    config.publish(&wrong).unwrap();
    let said: std_msgs::String = next(&mut log, |_| true).await;
    assert!(said.data.contains("128, 192 or 320"), "{}", said.data);
    config
        .publish(&PlatformConfig { frame_size: 128, frame_rate: 12.5, ..PlatformConfig::default() })
        .unwrap();
    let Command::Camera(settings) = stage.receives("camera", Outcome::Done).await else { panic!() };
    assert_eq!((settings.size, settings.rate_hz), (Some([128, 96]), Some(12.5)));
    stage.stop().await;
}

#[tokio::test]
async fn two_that_belong_together_wait_for_each_other_and_one_alone_not_for_long() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let (control, core) = (stage.publisher(Topic::Control).await, stage.publisher(Topic::CoreControl).await);
    let msg_flags = sync::PLATFORM | sync::CORE;
    let paired = PlatformControl { msg_flags, ..driving(100.0, 0.0) };
    control.publish(&paired).unwrap();
    core.publish(&CoreControl { msg_flags, ..CoreControl::default() }).unwrap();
    stage.receives("drive", Outcome::Accepted).await;
    stage.receives("stop", Outcome::Done).await;
    control.publish(&paired).unwrap();
    stage.receives("drive", Outcome::Accepted).await;
    stage.stop().await;
}

#[tokio::test]
async fn a_body_move_shows_in_the_state_and_follows_the_pose() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let control = stage.publisher(Topic::Control).await;
    let begin = PlatformControl {
        body_move_flags: body_move::START | body_move::CONTINUE,
        body_move: Pose2D { x: 300.0, y: 0.0, theta: 0.0 },
        ..PlatformControl::default()
    };
    let mut state = stage.node.follow("/miro/rob01/platform/state");
    let underway = |it: &PlatformState| it.P2U_R_signals & p2u_r::BODY_MOVE_UNDERWAY != 0;
    while_saying(&control, &begin, async {
        next(&mut state, underway).await;
        let robot = &stage.robot;
        crate::miro::rig::until("the pose is wanted", || robot.wants(latimer_core::model::Kind::Pose, None))
            .await;
        let at = |x_m| {
            latimer_core::model::signal::Pose::planar(latimer_core::model::signal::Frame::Odom, x_m, 0.0, 0.0)
        };
        publish(&stage.robot, None, at(1.0));
        let drive = stage.receives("drive", Outcome::Accepted).await;
        assert!(matches!(drive, Command::Drive { linear_mps, .. } if linear_mps >= 0.05), "{drive:?}");
        publish(&stage.robot, None, at(1.3));
        stage.receives("stop", Outcome::Done).await;
        next(&mut state, |it: &PlatformState| !underway(it)).await;
    })
    .await;
    stage.stop().await;
}

#[tokio::test]
async fn another_robot_does_what_it_can_of_it() {
    let hub = crate::deriving_hub();
    let mut stage = Stage::of(&hub, "misty").await;
    publish(&stage.robot, Some("head_yaw"), Joint::hinge(0.0));
    publish(&stage.robot, None, Library { faces: vec![], sounds: vec!["a.wav".into(), "b.wav".into()] });
    let control = stage.publisher(Topic::Control).await;
    let message = PlatformControl {
        body_config: [0.0, 0.0, 0.5, 0.0],
        body_config_speed: [0.0, 0.0, -1.0, 0.0],
        sound_index_P1: 2,
        ..PlatformControl::default()
    };
    control.publish(&message).unwrap();
    let Command::Joints(targets) = stage.receives("joints", Outcome::Accepted).await else { panic!() };
    assert_eq!((targets.len(), targets[0].part.as_str()), (1, "head_yaw"));
    let played = stage.receives("play", Outcome::Accepted).await;
    assert_eq!(played, Command::Play { name: "b.wav".into(), volume_ratio: None });
    // It sounds until the robot says that its own sound has ended.
    let mut state = stage.node.follow("/miro/rob01/platform/state");
    next(&mut state, vocalises).await;
    publish(&stage.robot, None, ended(None, "b.wav"));
    next(&mut state, |it: &PlatformState| !vocalises(it)).await;
    stage.stop().await;
}

fn vocalises(state: &PlatformState) -> bool {
    state.P2U_R_signals & p2u_r::VOCALISING != 0
}

fn ended(directory: Option<&str>, name: &str) -> Playback {
    Playback { directory: directory.map(str::to_owned), ..Playback::of(name) }
}

/// `std_msgs/UInt16MultiArray`.
#[derive(Serialize)]
struct Numbers {
    data: Vec<u16>,
}

#[tokio::test]
async fn the_standard_interface_drives_in_metres_and_lights_lamps() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let (cmd_vel, lights) =
        (stage.publisher(Topic::CmdVel).await, stage.publisher(Topic::ControlLights).await);
    lights.publish(&Numbers { data: vec![300; 18] }).unwrap();
    assert_eq!(stage.receives("lamp", Outcome::Done).await, Command::Lamp { part: None, rgb: [255; 3] });
    cmd_vel.publish(&twist(0.2, -0.5)).unwrap();
    let drive = stage.receives("drive", Outcome::Accepted).await;
    assert!(
        matches!(drive, Command::Drive { linear_mps: 0.2, angular_radps: -0.5, .. }),
        "metres, not millimetres: {drive:?}"
    );
    cmd_vel.publish(&twist(0.0, 0.0)).unwrap();
    stage.receives("stop", Outcome::Done).await;
    in_time(stage.stop()).await;
}

#[tokio::test]
async fn a_drive_ends_though_the_robot_answers_nothing_of_what_it_was_asked() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let control = stage.publisher(Topic::Control).await;
    let stream = stage.publisher(Topic::BridgeStream).await;
    let mut unanswered = Vec::new();
    // As many as may be on their way, with the drive.
    for index in [2, -1].into_iter().cycle().take(31) {
        stream.publish(&BridgeStream { sound_index_P3: index, ..BridgeStream::default() }).unwrap();
        unanswered.push(crate::miro::rig::in_time(stage.robot.next_command()).await);
    }
    control.publish(&driving(100.0, 0.0)).unwrap();
    let mut names = Vec::new();
    while !unanswered.last().is_some_and(|it| it.command.is_stop()) {
        unanswered.push(crate::miro::rig::in_time(stage.robot.next_command()).await);
        names.extend(unanswered.last().map(|it| it.command.name()));
    }
    assert_eq!(names, ["drive", "stop"]);
    drop(unanswered);
    stage.stop().await;
}
