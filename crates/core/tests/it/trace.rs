//! A command is followed from station to station under one id.

use std::time::Duration;

use latimer_core::hub::{CommandId, CommandSteps, Followed, Origin, RobotInfo, Source};
use latimer_core::{Author, Clock, Command, Hub, Outcome};

use crate::rig::{PATIENCE, robot};

fn hub() -> (Hub, Source) {
    let hub = Hub::new(Clock::system());
    let source = hub.register(RobotInfo::new(robot(), "test", Origin::Simulated)).unwrap();
    (hub, source)
}

fn drive(linear_mps: f64) -> Command {
    Command::Drive { linear_mps, angular_radps: 0.0, duration: Some(Duration::from_secs(1)) }
}

/// The stations of commands that came so far.
async fn stations<const N: usize>(steps: &mut CommandSteps, ids: [CommandId; N]) -> [Vec<&'static str>; N] {
    let mut came = Vec::new();
    while let Ok(followed) = tokio::time::timeout(Duration::ZERO, steps.next()).await {
        let Followed::Step(step) = followed else { panic!("{followed:?}") };
        came.push((step.id, step.station.as_str()));
    }
    ids.map(|id| came.iter().filter(|(it, _)| *it == id).map(|(_, station)| *station).collect())
}

#[tokio::test(start_paused = true)]
async fn a_command_is_given_queued_sent_and_answered_under_one_id() {
    let (hub, mut source) = hub();
    let mut steps = hub.command_steps();
    let answer = hub.command_client(Author::new("misty", "ada")).command(&robot(), drive(0.1), PATIENCE);
    let id = answer.id();
    let request = source.next_command().await;
    assert_eq!(request.id(), id);
    request.sent();
    request.answer(Outcome::Accepted);
    assert_eq!(answer.await, Outcome::Accepted);
    assert_eq!(stations(&mut steps, [id]).await, [["given", "queued", "sent", "answered"]]);
    let record = hub.commands_given_lately(1, |_| true).remove(0);
    assert_eq!((record.id, record.last_id, record.author.dialect), (id, id, "misty"));
}

#[tokio::test(start_paused = true)]
async fn equal_commands_are_one_record_with_the_first_and_the_last_id() {
    let (hub, mut source) = hub();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let answer = hub.command(&robot(), drive(0.1), PATIENCE);
        ids.push(answer.id());
        source.next_command().await.answer(Outcome::Accepted);
        answer.await;
    }
    let record = hub.commands_given_lately(1, |_| true).remove(0);
    assert_eq!((record.count, record.id, record.last_id), (3, ids[0], ids[2]));
    assert!(ids[0] < ids[1] && ids[1] < ids[2], "{ids:?}");
}

#[tokio::test(start_paused = true)]
async fn what_a_stop_overtakes_and_what_a_newer_speed_replaces_is_shown() {
    let (hub, mut source) = hub();
    let mut steps = hub.command_steps();
    let older = hub.command(&robot(), drive(0.1), PATIENCE);
    let newer = hub.command(&robot(), drive(0.2), PATIENCE);
    let stop = hub.command(&robot(), Command::Stop { hold: false }, PATIENCE);
    let (first, second) = (older.id(), newer.id());
    source.next_command().await.answer(Outcome::Done);
    assert_eq!(
        (older.await, newer.await, stop.await),
        (Outcome::Accepted, Outcome::stopped(), Outcome::Done)
    );
    let [older, newer] = stations(&mut steps, [first, second]).await;
    assert_eq!(older, ["given", "queued", "replaced", "answered"]);
    assert_eq!(newer, ["given", "queued", "overtaken"]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_comes_too_late_and_a_client_that_went_are_shown() {
    let (hub, mut source) = hub();
    let mut steps = hub.command_steps();
    let late = hub.command(&robot(), Command::Volume(0.5), Duration::from_millis(1));
    let left = hub.command(&robot(), Command::Volume(0.5), PATIENCE);
    let (slow, gone) = (late.id(), left.id());
    drop(left);
    let request = source.next_command().await;
    request.sent();
    assert_eq!(late.await, Outcome::TimedOut);
    request.answer(Outcome::Done);
    let [slow, gone] = stations(&mut steps, [slow, gone]).await;
    assert_eq!(slow, ["given", "queued", "sent", "timed_out", "answered"]);
    assert_eq!(gone, ["given", "queued", "abandoned"]);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_of_the_gateway_was_never_queued() {
    let (hub, _source) = hub();
    let mut steps = hub.command_steps();
    let pressed = hub.command(&robot(), Command::EmergencyStop(true), PATIENCE);
    let refused = hub.command(&robot(), drive(0.1), PATIENCE);
    let id = refused.id();
    assert!(matches!(refused.await, Outcome::Refused(_)));
    drop(pressed);
    assert_eq!(stations(&mut steps, [id]).await, [["given", "refused"]]);
}

#[test]
fn an_id_is_read_as_it_is_written() {
    let id = CommandId::new(0x5f0c_2a91, 17);
    assert_eq!(id.to_string(), "5f0c2a91-17");
    assert_eq!("5f0c2a91-17".parse(), Ok(id));
    assert_eq!(id.beside("it charges"), "it charges (command 5f0c2a91-17)");
    for wrong in ["", "17", "x-1", "5f0c2a91-", "5f0c2a91a-1"] {
        assert!(wrong.parse::<CommandId>().is_err(), "{wrong}");
    }
}
