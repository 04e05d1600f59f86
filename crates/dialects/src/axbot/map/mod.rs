//! The translation of messages: those that are a table of fields describe it themselves
//! ([`messages`](super::messages)), and these are not. Pure functions, nothing else.
//!
//! Both ways hold for robots of any family: a value that is not known is left out, a pose in another frame than the
//! map's does not count unless the robot has no map at all, and what a chassis has no words for is `None`. Three topics
//! tell half of a record: their other half is put beside them by a session, which receives both.

use latimer_core::model::signal::Control;
use latimer_core::{Signal, Timestamp, Update};

use super::messages::Context;
use super::messages::camera::ExternalRgbCameraControl;
use super::messages::state::{POWER, SensorManagerState};
use super::topic::Topic;
use super::wire::{Extra, Message};
pub use crate::describe::Received;
use crate::describe::{Incomplete, Translate};

mod again;
mod alerts;
mod around;
mod bumpers;
mod device;
pub(in crate::axbot) mod fail_reasons;
mod grid;
mod laser;
mod marks;
mod scans;
mod ways;

#[cfg(test)]
mod tests;

pub(in crate::axbot) use around::digest_of;

/// A body of messages that tells signals.
pub(in crate::axbot) trait ToSignals {
    /// All that it tells on a topic; nothing if it is half of a record, or what a robot would like to have of others.
    fn signals(&self, _topic: Topic, _context: &Context) -> Result<Vec<Received>, Incomplete> {
        Ok(Vec::new())
    }
}

impl<M: Translate<Context = Context, Record: Into<Signal>>> ToSignals for M {
    fn signals(&self, topic: Topic, context: &Context) -> Result<Vec<Received>, Incomplete> {
        let one = self.received(context)?;
        Ok(vec![Received { part: one.part.or_else(|| topic.part()), ..one }])
    }
}

/// A message body that encodes a record.
pub(in crate::axbot) trait FromRecord<R>: Sized {
    /// Encodes a record for a topic; `None` if there are no words for it, or if the robot does not know what the
    /// message is about.
    fn from_record(record: &R, topic: Topic, context: &Context) -> Option<Self>;
}

impl<M: Translate<Context = Context>> FromRecord<M::Record> for M {
    fn from_record(record: &M::Record, _: Topic, context: &Context) -> Option<Self> {
        M::encode(record, context)
    }
}

/// The half of the model's control that `/wheel_state` does not tell.
impl ToSignals for SensorManagerState {}

impl FromRecord<Control> for SensorManagerState {
    fn from_record(control: &Control, _: Topic, _: &Context) -> Option<Self> {
        let word = POWER.word(control.power.as_ref()?)?;
        Some(Self { power_state: Some(word.to_owned()), extra: Extra::new() })
    }
}

impl ToSignals for ExternalRgbCameraControl {}

/// All that a message tells: usually one signal; none of a half of a record, whose other half is put beside it.
pub fn signals_from_message(message: &Message, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
    let mut signals = message.signals(&Context { at: received, ..Context::default() })?;
    // What of the alerts keeps the robot from driving is a hazard too.
    if let Some(Received { part, stamp, signal: Signal::Alerts(alerts) }) = signals.first() {
        let hazards = alerts::hazards_from_alerts(&alerts.active);
        signals.push(Received::new(part.clone(), *stamp, hazards));
    }
    Ok(signals)
}

/// What a chassis would send on a topic for an update of any robot; `None` if it has no words for it, or if the
/// robot does not know what the message is about.
pub fn message_from_update(topic: Topic, update: &Update, context: &Context) -> Option<Message> {
    topic.carries(update.kind(), update.part.as_ref()).then_some(())?;
    Message::of(topic, &update.signal, context)
}
