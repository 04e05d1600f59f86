//! Messages, published and received.

use bytes::Bytes;

/// Quality of service.
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

/// Published: whether the broker retains the message for later subscribers. Received: whether it was retained.
pub type Retained = bool;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The topic.
    pub topic: String,
    /// The payload.
    pub payload: Bytes,
    /// Its quality of service.
    pub qos: Qos,
    /// Whether it is or was [`Retained`].
    pub retain: Retained,
}

impl Message {
    /// A message that is not retained.
    pub fn new(topic: impl Into<String>, payload: impl Into<Bytes>, qos: Qos) -> Self {
        Self { topic: topic.into(), payload: payload.into(), qos, retain: false }
    }

    /// The same, retained by the broker.
    #[must_use]
    pub fn retained(self) -> Self {
        Self { retain: true, ..self }
    }
}
