//! The core interface: the state of a robot's own behaviour, and what clients ask of it.

use std::time::Duration;

use latimer_core::Clock;
use latimer_core::Hub;
use latimer_core::model::signal::{
    ActionState, Affect, AttentionField, BehaviourState, LinkState, PriorityPeak, Sleep, SoundEvent, Switch,
};
use latimer_core::model::{BehaviourDrive, Command, Kind, Outcome, Pull, PushWay};
use latimer_core::{RobotId, Signal};
use latimer_dialects::miro::messages::signals::{UPDATE_SIGNALS, body_push, p2u_r, sync};
use latimer_dialects::miro::messages::{
    self, CoreConfig, CoreControl, CoreState, PlatformControl, PlatformState,
};
use latimer_dialects::miro::topic::Topic;
use latimer_ros1::msgs::geometry_msgs::{Pose2D, Twist, Vector3};
use latimer_ros1::msgs::std_msgs;

use super::publisher::Stage;
use crate::miro::rig::{Gateway, Observer, PATIENCE, in_time, next, publish, until};

fn state(hub: &Hub) -> BehaviourState {
    let affect = |valence_ratio, arousal_ratio| Affect { valence_ratio, arousal_ratio };
    let action = |(name, priority_ratio): (&str, f64)| ActionState {
        name: name.to_owned(),
        priority_ratio,
        selection_ratio: 0.0,
        disinhibition_ratio: 1.0,
    };
    let completed = hub.clock().now();
    BehaviourState {
        emotion: affect(0.75, 0.25),
        mood: affect(0.5, 0.125),
        sleep: Sleep { wakefulness_ratio: 1.0, pressure_ratio: 0.25 },
        actions: [("mull", 0.125), ("halt", 0.5)].map(action).into(),
        peaks: vec![PriorityPeak {
            field: AttentionField::Right,
            azimuth_rad: -0.5,
            elevation_rad: 0.25,
            height_ratio: 1.0,
            size_ratio: 0.0625,
            completed: Some(completed),
        }],
        sound_event: Some(SoundEvent {
            azimuth_rad: 0.5,
            elevation_rad: 0.0,
            magnitude_ratio: 0.5,
            completed,
        }),
        switches: vec![Switch { part: "body".into(), enabled: true }],
    }
}

#[tokio::test]
async fn the_state_of_a_robot_that_tells_of_its_behaviour_is_published_and_of_another_nothing() {
    let hub = Hub::new(Clock::system());
    let stage = Stage::of(&hub, "miro").await;
    let mut core = stage.node.follow("/miro/rob01/core/state");
    let mut platform = stage.node.follow("/miro/rob01/platform/state");
    // The topic is there and silent, while others speak.
    for _ in 0..10 {
        next::<PlatformState>(&mut platform, |_| true).await;
    }
    let silent = tokio::time::timeout(Duration::from_millis(300), core.next()).await;
    assert!(silent.is_err(), "nothing is known of its behaviour");
    publish(&stage.robot, None, state(&hub));
    let first = next::<CoreState>(&mut core, |_| true).await;
    assert_eq!((first.emotion.valence, first.emotion.arousal, first.mood.arousal), (0.75, 0.25, 0.125));
    assert_eq!((first.sleep.wakefulness, first.sleep.pressure), (1.0, 0.25));
    assert_eq!(first.priority, [0.125, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((first.selection.len(), first.disinhibition[..3].to_vec()), (8, vec![1.0, 1.0, 0.0]));
    let [left, right, wide] = &first.priority_peak[..] else { panic!("{first:?}") };
    assert_eq!((left.t_complete, wide.t_complete, right.azim, right.height), (0, 0, -0.5, 1.0));
    assert_eq!((first.audio_event.azim, first.audio_event.magnitude), (0.5, 0.5));
    assert!(first.audio_event.t_complete > 0 && first.audio_event.t_complete <= first.time_usec, "{first:?}");
    assert_eq!(right.t_complete, first.audio_event.t_complete);
    let later = next::<CoreState>(&mut core, |it| it.time_usec > first.time_usec + 60_000).await;
    assert_eq!(later.audio_event, first.audio_event, "the same event as long as no other comes");
    stage.stop().await;
}

#[tokio::test]
async fn influences_reach_the_robot_once_and_zeros_only_end_them() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let core = stage.publisher(Topic::CoreControl).await;
    core.publish(&CoreControl::default()).unwrap();
    let mut message = CoreControl::default();
    (message.mood_drive_gamma, message.mood_drive_target.valence) = (1.0, 0.75);
    message.body_push = vec![
        messages::Push::default(),
        messages::Push {
            link: 4,
            flags: body_push::VELOCITY,
            pushpos: Default::default(),
            pushvec: Vector3 { x: 0.0, y: 100.0, z: 0.0 },
        },
    ];
    core.publish(&message).unwrap();
    let Command::BehaviourDrive(drive) = stage.receives("behaviour_drive", Outcome::Accepted).await else {
        panic!()
    };
    let target = Affect { valence_ratio: 0.75, arousal_ratio: 0.0 };
    assert_eq!(drive.mood, Some(Pull { target, gain_ratio: 1.0 }), "zeros before it asked for nothing");
    assert_eq!(drive.pushes.len(), 1);
    assert_eq!(drive.pushes[0].way, PushWay::Velocity([0.0, 0.1, 0.0]));
    core.publish(&CoreControl::default()).unwrap();
    let Command::BehaviourDrive(drive) = stage.receives("behaviour_drive", Outcome::Accepted).await else {
        panic!()
    };
    assert_eq!(*drive, BehaviourDrive::default());
    stage.stop().await;
}

#[tokio::test]
async fn both_flags_bind_the_core_s_message_to_the_platform_s() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let core = stage.publisher(Topic::CoreControl).await;
    let control = stage.publisher(Topic::Control).await;
    let both = sync::PLATFORM | sync::CORE;
    let loud = CoreControl { msg_flags: both, drive_vocal: 0.5, ..CoreControl::default() };
    core.publish(&loud).unwrap();
    // Alone, it waits for its other half, and then is acted on all the same.
    stage.receives("behaviour_drive", Outcome::Accepted).await;
    let twist = Twist { linear: Vector3 { x: 100.0, y: 0.0, z: 0.0 }, ..Twist::default() };
    control
        .publish(&PlatformControl { msg_flags: both, body_vel: twist, ..PlatformControl::default() })
        .unwrap();
    core.publish(&CoreControl { drive_vocal: 0.25, ..loud }).unwrap();
    let (mut driven, mut louder) = (false, false);
    in_time(async {
        while !(driven && louder) {
            let request = stage.robot.next_command().await;
            driven |= matches!(*request.command, Command::Drive { .. });
            louder |= matches!(&*request.command, Command::BehaviourDrive(it) if it.vocal_ratio == 0.25);
            request.answer(Outcome::Accepted);
        }
    })
    .await;
    stage.stop().await;
}

#[tokio::test]
async fn signals_switch_parts_and_what_has_no_effect_is_named_on_the_log() {
    let hub = Hub::new(Clock::system());
    let mut stage = Stage::of(&hub, "miro").await;
    let mut log = stage.node.follow("/miro/rob01/log");
    let mut platform = stage.node.follow("/miro/rob01/platform/state");
    let config = stage.publisher(Topic::CoreConfig).await;
    config.publish(&CoreConfig { P2U_W_action_signals: 1, ..CoreConfig::default() }).unwrap();
    let said = next::<std_msgs::String>(&mut log, |it| it.data.contains("core/config")).await;
    assert!(said.data.contains("FLAG_UPDATE_SIGNALS"), "{}", said.data);
    let mut message =
        CoreConfig { msg_flags: UPDATE_SIGNALS, P2U_W_action_signals: 1, ..CoreConfig::default() };
    (message.P2L_W_signals, message.P2U_W_body_signals) = (1 << 13, 1 << 1);
    message.model_pars.data = vec![1, -2];
    config.publish(&message).unwrap();
    let switches = stage.receives("behaviour_switches", Outcome::Done).await;
    let Command::BehaviourSwitches(switches) = switches else { panic!() };
    let on: Vec<&str> = switches.iter().filter(|it| it.enabled).map(|it| &*it.part).collect();
    assert!(on.contains(&"action") && !on.contains(&"affect") && !on.contains(&"cliff_reflex"), "{on:?}");
    // Resetting the body's integrators has the neck stand as at first, and is acknowledged.
    stage.receives("joints", Outcome::Accepted).await;
    let acknowledged = p2u_r::ACK_BODY_RESET_INTEGRATORS;
    next::<PlatformState>(&mut platform, |it| it.P2U_R_signals & acknowledged != 0).await;
    let said = next::<std_msgs::String>(&mut log, |it| it.data.contains("no effect")).await;
    assert!(
        said.data.contains("bits 13 of P2L_W_signals") && said.data.contains("model_pars"),
        "{}",
        said.data
    );
    message.P2U_W_body_signals = 0;
    config.publish(&message).unwrap();
    stage.receives("behaviour_switches", Outcome::Done).await;
    next::<PlatformState>(&mut platform, |it| it.P2U_R_signals & acknowledged == 0).await;
    stage.stop().await;
}

#[tokio::test]
async fn without_the_body_s_part_there_is_no_body_move() {
    let hub = Hub::new(Clock::system());
    let stage = Stage::of(&hub, "miro").await;
    let mut behaviour = state(&hub);
    behaviour.switches[0].enabled = false;
    publish(&stage.robot, None, behaviour);
    let mut log = stage.node.follow("/miro/rob01/log");
    let control = stage.publisher(Topic::Control).await;
    let flags = latimer_dialects::miro::messages::signals::body_move::START
        | latimer_dialects::miro::messages::signals::body_move::CONTINUE;
    let body_move = Pose2D { x: 600.0, y: 0.0, theta: 0.0 };
    control
        .publish(&PlatformControl { body_move_flags: flags, body_move, ..PlatformControl::default() })
        .unwrap();
    let said = next::<std_msgs::String>(&mut log, |it| it.data.contains("body_move")).await;
    assert!(said.data.contains("MIRO_P2U_W_BODY_ENABLE"), "{}", said.data);
    stage.stop().await;
}

#[tokio::test]
async fn a_real_robot_s_core_is_received_and_published() {
    let (here, there) = (Hub::new(Clock::system()), Hub::new(Clock::system()));
    let mut stage = Stage::of(&here, "miro").await;
    let table = format!(
        "[[connect]]\nrobot = \"real\"\nname = \"rob01\"\naddress = \"{}\"\n",
        stage.gateway.master()
    );
    let session = Gateway::start(&there, &table).await;
    let real = RobotId::new("real").unwrap();
    until("the robot is heard", || {
        there.robot(&real).is_some_and(|report| report.link.state == LinkState::Up)
    })
    .await;
    assert!(!stage.robot.wants(Kind::Scan, None));
    let observer = Observer::of(&there, "real/behaviour_state");
    let sent = state(&here);
    publish(&stage.robot, None, sent.clone());
    let heard = observer.update(|it| it.kind() == Kind::BehaviourState).await;
    assert_eq!(&*heard.native.clone().unwrap().topic, "core/state");
    let Signal::BehaviourState(heard) = heard.signal.clone() else { unreachable!() };
    assert_eq!((&heard.emotion, &heard.mood, &heard.sleep), (&sent.emotion, &sent.mood, &sent.sleep));
    assert_eq!((heard.actions[1].name.as_str(), heard.actions[1].priority_ratio), ("halt", 0.5));
    let [sound, was] = [heard.sound_event, sent.sound_event].map(Option::unwrap);
    assert_eq!((sound.azimuth_rad, sound.magnitude_ratio), (was.azimuth_rad, was.magnitude_ratio));
    let off_s = (sound.completed.as_nanos() - was.completed.as_nanos()).abs() as f64 / 1e9;
    assert!(off_s < 0.001, "{off_s}");

    let drive = BehaviourDrive { vocal_ratio: 0.25, ..BehaviourDrive::default() };
    let asked = Command::BehaviourDrive(Box::new(drive));
    assert_eq!(there.command(&real, asked.clone(), PATIENCE).await, Outcome::Accepted);
    assert_eq!(stage.receives("behaviour_drive", Outcome::Accepted).await, asked);
    let some = vec![Switch { part: "action".into(), enabled: false }];
    let Outcome::Refused(said) = there.command(&real, Command::BehaviourSwitches(some), PATIENCE).await
    else {
        panic!("a message says all of them");
    };
    assert!(said.reason.contains("cliff_reflex"), "{said}");
    session.stop().await;
    stage.stop().await;
}
