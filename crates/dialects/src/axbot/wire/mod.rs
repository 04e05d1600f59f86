//! The topics' messages as they are on the wire: the specification's words and units, no logic.

use bytes::Bytes;

use super::topic::Topic;

/// A message that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{topic}: {problem}")]
pub struct DecodeError {
    /// Of which topic.
    pub topic: Topic,
    /// What is wrong.
    pub problem: String,
}

/// A message that a robot sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {}

impl Message {
    /// Which topic it is of.
    pub fn topic(&self) -> Topic {
        match *self {}
    }

    /// Reads a whole frame, `{"topic": …, …}`, of a topic.
    pub fn read(topic: Topic, _frame: &[u8]) -> Result<Self, DecodeError> {
        Err(DecodeError { topic, problem: "is not read yet".into() })
    }

    /// Writes a whole frame, its topic first.
    pub fn write(&self) -> Bytes {
        match *self {}
    }
}
