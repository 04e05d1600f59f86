//! What is published and heard.

use bytes::Bytes;

/// How surely a message arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Qos {
    /// At most once.
    #[default]
    AtMostOnce,
    /// At least once.
    AtLeastOnce,
    /// Exactly once.
    ExactlyOnce,
}

/// Whether the broker keeps a message for those who subscribe later; heard: whether it was kept.
pub type Retained = bool;

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where.
    pub topic: String,
    /// What.
    pub payload: Bytes,
    /// How surely.
    pub qos: Qos,
    /// See [`Retained`].
    pub retain: Retained,
}

impl Message {
    /// A message that is not kept.
    pub fn new(topic: impl Into<String>, payload: impl Into<Bytes>, qos: Qos) -> Self {
        Self { topic: topic.into(), payload: payload.into(), qos, retain: false }
    }

    /// The same, kept by the broker.
    #[must_use]
    pub fn retained(self) -> Self {
        Self { retain: true, ..self }
    }
}
