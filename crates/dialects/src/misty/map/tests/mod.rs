//! Both directions against the specification's samples, by property and under attack.

mod foreign;
mod golden;
mod hostile;
mod names;

use latimer_core::model::{ClockSource, Stamp};
use latimer_core::{PartName, RobotId, Signal, Timestamp, Update};

use super::{Received, message_from_update, signals_from_message};
use crate::misty::wire::Message;

/// When messages of these tests arrive.
const RECEIVED: Timestamp = Timestamp::from_nanos(1_600_000_000_000_000_000);

/// Received messages, as they stand in the hub.
fn update_from_received(incoming: Received) -> Update {
    let Received { part, stamp, signal } = incoming;
    let robot = RobotId::new("misty-1").unwrap();
    Update { robot, part, stamp, received: RECEIVED, signal, native: None, provenance: None }
}

/// An update of a robot of any family.
fn update(part: Option<&str>, signal: impl Into<Signal>) -> Update {
    let at = Timestamp::from_nanos(1_565_817_473_931_476_900);
    update_from_received(Received::new(
        part.map(PartName::of),
        Stamp { at, clock: ClockSource::Robot },
        signal,
    ))
}

/// The one signal of an update after a way through Misty's words and back.
fn there_and_back(update: &Update) -> Received {
    let message = message_from_update(update).unwrap_or_else(|| panic!("no message for {update:?}"));
    let written = message.full().to_string();
    let read = Message::parse(message.event_type(), &written).unwrap();
    let mut incoming = signals_from_message(&read, RECEIVED).unwrap();
    assert_eq!(incoming.len(), 1, "{written}");
    incoming.remove(0)
}
