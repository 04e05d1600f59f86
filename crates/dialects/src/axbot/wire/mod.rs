//! The topics' messages as they are on the wire: the specification's words and units, no logic.
//!
//! The messages themselves are in [`messages`](super::messages).

mod message;
mod number;
mod place;

#[cfg(test)]
pub(super) mod tests;

pub(super) use message::inspect;
pub use message::{MAX_FRAME_BYTES, MESSAGES, Message};
pub use number::{Measured, Moment, Score};
pub use place::Point;

pub use super::messages::place::{FloorBox, Pose};

use super::topic::Topic;

pub use crate::describe::Extra;

/// A message that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{topic}: {problem}")]
pub struct DecodeError {
    /// Of which topic.
    pub topic: Topic,
    /// What is wrong, and at which key.
    pub problem: String,
}
