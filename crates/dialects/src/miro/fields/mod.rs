//! The messages' fields beside the model's: `map` as data, for pages and documents.

mod platform;
mod streams;
#[cfg(test)]
mod tests;
mod translate;

use latimer_core::model::Kind;

use super::topic::Topic;
use crate::table::{FieldPair, Fields, Message};

pub use translate::translate;

/// What a robot says; what it is told is no signal.
pub const MESSAGES: &[Message] = &[
    platform::SENSORS,
    platform::STATE,
    streams::CAML,
    streams::CAMR,
    streams::CAML_COMPRESSED,
    streams::CAMR_COMPRESSED,
    streams::MICS,
    streams::LOG,
    streams::BODY_VEL,
    streams::ODOM,
    streams::KINEMATIC_JOINTS,
    streams::SONAR_RANGE,
];

/// The embedded clock.
const USEC: FieldPair =
    FieldPair::own("time_usec", "the embedded clock in microseconds; it rolls over at 2^29");

const FLAGS: FieldPair = FieldPair::reserved("msg_flags", "no flags are known");

const fn message(
    topic: Topic,
    kinds: &'static [Kind],
    summary: &'static str,
    fields: &'static [FieldPair],
) -> Message {
    Message { topic: topic.as_str(), kinds, summary, fields: Fields::Table(fields) }
}
