//! Messages, published and received.

use std::time::Duration;

use bytes::Bytes;
use latimer_core::Timestamp;

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
    /// Received: since when it may have waited at the broker, if it came after the link had been away; by the link's clock.
    pub queued_since: Option<Timestamp>,
}

impl Message {
    /// A message that is not retained.
    pub fn new(topic: impl Into<String>, payload: impl Into<Bytes>, qos: Qos) -> Self {
        Self { topic: topic.into(), payload: payload.into(), qos, retain: false, queued_since: None }
    }

    /// The same, retained by the broker.
    #[must_use]
    pub fn retained(self) -> Self {
        Self { retain: true, ..self }
    }

    /// Received: when it was published at the earliest; now unless it may have waited at the broker.
    pub fn published_after(&self, now: Timestamp) -> Timestamp {
        self.queued_since.unwrap_or(now)
    }

    /// Received: how long it waited at the broker at most.
    pub fn may_have_waited(&self, now: Timestamp) -> Duration {
        now.since(self.published_after(now))
    }
}
