//! The original beside the translation: what the robot really sent.

use std::sync::Arc;

use bytes::Bytes;

/// A message as received, for lossless pass-through to clients of the same dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    /// The dialect that it is written in.
    pub dialect: &'static str,
    /// Event type or topic, e.g. `TimeOfFlight`.
    pub topic: Arc<str>,
    /// The message's own bytes, without the envelope that belongs to one subscription.
    pub payload: Bytes,
    /// How its bytes lie by its sender's word, where that is not the dialect's: `message_definition` of ROS 1.
    pub definition: Option<Arc<str>>,
}
