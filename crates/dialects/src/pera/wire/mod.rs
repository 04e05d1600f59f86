//! Messages as they are on the wire, whose payloads [`messages`](super::messages) describes.
//!
//! Read is more than is written: numbers as texts, texts as numbers, words without quotes, objects in the place of lists,
//! keys that are missing or stand twice, of which the last counts. A number that cannot be read where one need not
//! be counts as not given. Keys that nobody here knows are passed over.

mod error;
pub(super) mod id;
mod list;
mod message;
mod number;
mod reality;
pub(super) mod text;

#[cfg(test)]
pub(super) mod tests;

pub(super) use error::DecodeError;
pub(super) use list::List;
use message::Problem;
pub use message::{MAX_BYTES, MAX_BYTES_OF_ONE, Message};
pub use number::Number;
pub use reality::Reality;

use super::channels::CHANNELS;
use super::topic::Topic;

/// A message that cannot be read: of which topic, what is wrong, what to send instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{topic}: {problem}; send {example}")]
pub struct ReadError {
    /// Of which topic.
    pub topic: Topic,
    /// What is wrong.
    pub problem: String,
    /// A message that would do.
    pub example: &'static str,
    /// Whether it may be a message of another topic; what is no JSON is none of any that has JSON.
    pub may_be_another: bool,
}

impl ReadError {
    fn new(topic: &Topic, problem: Problem) -> Self {
        let Problem { text: problem, may_be_another } = problem;
        Self { topic: topic.clone(), problem, example: example(topic), may_be_another }
    }
}

/// A message of a topic, to copy.
pub fn example(topic: &Topic) -> &'static str {
    match topic {
        Topic::Ota(_) | Topic::Visualizer => "a text",
        Topic::ObstaclesDelete => "{\"id\":\"1f (Wall)\"}",
        Topic::Test => "{\"x\":0,\"y\":0,\"heading\":0}",
        topic => {
            let name = topic.to_string();
            let address = topic.robot().map(|id| name.replace(&format!("/{id}"), "/{id}")).unwrap_or(name);
            let channel = CHANNELS.list.iter().find(|channel| channel.address == address);
            channel.and_then(|channel| channel.examples.first()).unwrap_or(&"?")
        }
    }
}
