//! The commands that a dialect declares beside those that a robot gets of its programs, who send what they can over the real wire.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::model::signal::{
    DriveLimits, Frame, Joint, Navigation, NavigationKind, NavigationState, Pins, Pose, SpeedLimits,
};
use latimer_core::{Clock, Command, Hub, Outcome, PartName, Signal, Update};
use latimer_dialects::{ClientMessage, Clients, Entry};

use super::house::{House, PATIENCE, play, play_as, robot};
use super::program::Program;

/// A message that shows nothing by then is sent once more: what is published before a facade has subscribed at its broker is lost.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Publishes what a robot has that can be asked for all of it.
fn equip(source: &Source) {
    let say = |part: Option<&str>, signal: Signal| {
        let update = Update::now(&robot(), Clock::system().now(), signal);
        source.publish(Update { part: part.map(PartName::of), ..update });
    };
    let limits = SpeedLimits { forward_mps: Some(1.0), ..SpeedLimits::NONE };
    let [present, default, greatest] = [limits.clone(), limits.clone(), limits];
    say(None, DriveLimits { present, default, greatest }.into());
    say(None, Pins { inputs: vec![], outputs: vec![vec![false; 8]] }.into());
    say(Some("jack"), Joint::hinge(0.0).into());
    let idle = Navigation::new(0, NavigationKind::Goto, NavigationState::Idle);
    say(None, idle.into());
    say(None, Pose::planar(Frame::Map, 0.0, 0.0, 0.0).into());
}

pub(super) async fn its_clients_can_give_each_command_that_it_declares_and_no_other(entry: &'static Entry) {
    if !entry.offers.has_facade() {
        return;
    }
    let hub = Hub::new(Clock::system());
    let Clients { robot: able, keys, messages } = (entry.clients)(&robot());
    let source = match able {
        Some(profile) => {
            let info = RobotInfo::new(robot(), "test", Origin::Simulated);
            play_as(&hub, info.with(Arc::new(profile)))
        }
        None => play(&hub, entry),
    };
    equip(&source);
    let obeying = tokio::spawn(obey(source));
    let here = House::serving_with(entry, hub.clone(), keys).await;
    let mut program = Program::default();
    for message in &messages {
        gives_what_it_says(entry, &here, &mut program, message).await;
    }
    let said: BTreeSet<&str> = messages.iter().flat_map(|message| message.gives.clone()).collect();
    let declared: BTreeSet<&str> = entry.command_names().collect();
    assert_eq!(said, declared, "{}: `clients` and `COMMANDS`", entry.name);
    assert_eq!(given(&hub, entry), declared, "{}: given and declared", entry.name);
    here.stop().await;
    obeying.abort();
}

/// Sends a message until the robot has got its commands.
pub(super) async fn gives_what_it_says(
    entry: &Entry,
    here: &House,
    program: &mut Program,
    message: &ClientMessage,
) {
    let clock = Clock::system();
    let is_given = || message.gives.iter().all(|command| given(&here.hub, entry).contains(command));
    let deadline = clock.now().after(PATIENCE);
    while !is_given() {
        program.send(here, &message.sent).await;
        let again = clock.now().after(AGAIN_AFTER);
        while !is_given() && clock.now() < again {
            // Nothing tells when a command is recorded.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(
            is_given() || clock.now() < deadline,
            "{}: {message:?} gives {:?}",
            entry.name,
            given(&here.hub, entry)
        );
    }
}

/// What the robot did for programs of the dialect.
fn given(hub: &Hub, entry: &Entry) -> BTreeSet<&'static str> {
    let is_done = |outcome: &Option<Outcome>| outcome.as_ref().is_some_and(Outcome::is_ok);
    let all = hub.commands_given_lately(usize::MAX, |it| it.author.dialect == entry.name);
    all.into_iter().filter(|it| is_done(&it.outcome)).map(|it| it.command).collect()
}

/// A robot that does all but errands to another place, which are drives for it.
pub(super) async fn obey(mut source: Source) {
    loop {
        let request = source.next_command().await;
        let outcome = match &*request.command {
            Command::Task(task) if task.kind == "goto" => Outcome::unsupported("it knows no tasks"),
            _ => Outcome::Done,
        };
        request.answer(outcome);
    }
}
