//! Commands of programs of one make reach a robot of another one in its own words.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::derive::Vocabulary;
use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Selection, Source, Subscription};
use latimer_core::model::profile::{Joint, JointRole};
use latimer_core::model::signal::{Library, Playback};
use latimer_core::model::{JointPosition, JointTarget, Kind, PartName, RobotProfile, Signal};
use latimer_core::{Author, Clock, Command, Hub, Outcome, RobotId, Update};

const PATIENCE: Duration = Duration::from_secs(1);

/// What programs of a make know: a head and three sounds.
fn known() -> RobotProfile {
    RobotProfile {
        joints: vec![Joint::new("head_yaw", JointRole::HeadYaw), Joint::new("arm_left", JointRole::ArmLeft)],
        lamps: vec![Some(PartName::of("chest"))],
        sounds: ["joy.wav", "fear.wav", "sleep.wav"].map(str::to_owned).to_vec(),
        ..RobotProfile::default()
    }
}

fn rover(hub: &Hub, profile: RobotProfile) -> Source {
    hub.set_vocabulary(Vocabulary::new([("test", Arc::new(known()))]));
    let info = RobotInfo::new(RobotId::new("rover-1").unwrap(), "rover", Origin::Simulated);
    hub.register(info.with(profile)).unwrap()
}

/// What a robot received of a program's command, and what the record says was changed.
async fn received(hub: &Hub, source: &mut Source, command: Command) -> (Command, Option<String>) {
    let driver = hub.command_client(Author::new("test", "a"));
    let robot = source.robot().clone();
    let take = async {
        let request = source.next_command().await;
        let command = request.command.clone();
        request.answer(Outcome::Done);
        command
    };
    let (outcome, command) = tokio::join!(driver.command(&robot, command, PATIENCE), take);
    assert_eq!(outcome, Outcome::Done);
    let note = hub.commands_given_lately(1, |_| true).pop().and_then(|it| it.note);
    (command, note)
}

fn play(name: &str) -> Command {
    Command::Play { name: name.into(), volume_ratio: Some(0.5) }
}

#[tokio::test(start_paused = true)]
async fn the_sound_at_the_same_place_stands_in_for_one_of_another_make() {
    let hub = Hub::new(Clock::system());
    let sounds = ["1", "2"].map(str::to_owned).to_vec();
    let mut rover = rover(&hub, RobotProfile { sounds, ..RobotProfile::default() });
    for (asked, own) in [("joy.wav", "1"), ("FEAR.wav", "2"), ("sleep.wav", "1")] {
        let (command, note) = received(&hub, &mut rover, play(asked)).await;
        assert_eq!(command, play(own), "{asked}");
        let note = note.unwrap();
        assert!(note.contains(asked) && note.contains("stands in for it"), "{note}");
    }
    for same in ["2", "nobody knows it.wav"] {
        assert_eq!(received(&hub, &mut rover, play(same)).await, (play(same), None));
    }
}

#[tokio::test(start_paused = true)]
async fn a_sound_that_the_robot_lists_is_played_itself() {
    let hub = Hub::new(Clock::system());
    let mut rover = rover(&hub, RobotProfile { sounds: vec!["1".into()], ..RobotProfile::default() });
    let robot = rover.robot().clone();
    let tell = |rover: &Source, sounds: &[&str]| {
        let sounds = sounds.iter().map(|it| (*it).to_owned()).collect();
        rover.publish(Update::now(&robot, hub.clock().now(), Library { faces: Vec::new(), sounds }.into()));
    };
    tell(&rover, &[]);
    assert_eq!(received(&hub, &mut rover, play("joy.wav")).await.0, play("1"), "it lists none");
    tell(&rover, &["a.wav", "Joy.wav"]);
    assert_eq!(received(&hub, &mut rover, play("joy.wav")).await, (play("joy.wav"), None));
    assert_eq!(received(&hub, &mut rover, play("sleep.wav")).await.0, play("a.wav"), "the list begins anew");
}

#[tokio::test(start_paused = true)]
async fn a_program_learns_of_the_end_of_the_sound_that_it_asked_for() {
    let hub = Hub::new(Clock::system());
    let sounds = ["P1/1", "P1/2"].map(str::to_owned).to_vec();
    let mut rover = rover(&hub, RobotProfile { sounds, ..RobotProfile::default() });
    let robot = rover.robot().clone();
    let sink = hub.internal_sink("test", "a", MailboxLimits::default());
    sink.subscribe(Subscription::to(Selection::of_kinds(&robot, &[Kind::Playback])));
    let ends = |rover: &Source, name: &str| {
        let ended = Playback { directory: Some("P1".into()), ..Playback::of(name) };
        rover.publish(Update::now(&robot, hub.clock().now(), ended.into()));
    };
    let mut deliveries = Vec::new();
    let mut stood_for = async || {
        sink.receive(&mut deliveries).await;
        match deliveries.pop() {
            Some(Delivery::Update(_, update)) => match &update.signal {
                Signal::Playback(it) => it.stands_for.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    received(&hub, &mut rover, play("fear.wav")).await;
    ends(&rover, "2");
    assert_eq!(stood_for().await.as_deref(), Some("fear.wav"));
    ends(&rover, "1");
    assert_eq!(stood_for().await, None, "its own doing");
    received(&hub, &mut rover, play("P1/2")).await;
    ends(&rover, "2");
    assert_eq!(stood_for().await, None, "asked for by its own name");
}

#[tokio::test(start_paused = true)]
async fn a_joint_and_a_lamp_are_those_of_the_robot() {
    let hub = Hub::new(Clock::system());
    let (joints, lamps) = (vec![Joint::new("yaw", JointRole::HeadYaw)], vec![Some(PartName::of("front"))]);
    let mut rover = rover(&hub, RobotProfile { joints, lamps, ..RobotProfile::default() });
    let target = |part| JointTarget {
        part: PartName::of(part),
        position: JointPosition::angle(0.3),
        velocity_radps: None,
        duration: None,
    };
    let asked = Command::Joints(vec![target("head_yaw"), target("arm_left"), target("own")]);
    let (command, note) = received(&hub, &mut rover, asked).await;
    assert_eq!(command, Command::Joints(vec![target("yaw"), target("own")]));
    assert_eq!(note.as_deref(), Some("the robot has no joint arm_left"));
    let lamp = |part| Command::Lamp { part: Some(PartName::of(part)), rgb: [1, 2, 3] };
    assert_eq!(received(&hub, &mut rover, lamp("chest")).await.0, lamp("front"));
}
