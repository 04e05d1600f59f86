//! A frame of a robot as what it means; no I/O.

use std::borrow::Cow;

use serde::Deserialize;

use crate::axbot::codec;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;

/// Longest topic kept of a frame that is not known, in characters.
const MAX_TOPIC: usize = 128;

/// Most topics read of a list of them.
const MAX_LISTED: usize = 1_000;

/// The topic of frames that name none.
const NAMELESS: &str = "unreadable";

/// What a frame means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Heard {
    /// All topics that the robot sends us now.
    Enabled(Vec<String>),
    /// The robot took a twist.
    Feedback,
    /// A message of a topic.
    Told {
        topic: Topic,
        /// Whether it came under another name than the topic's own.
        alias: bool,
        message: Box<Message>,
    },
    /// Anything else; passed through whole.
    Unknown {
        topic: String,
        /// Why it is not known.
        reason: String,
    },
}

/// What tells frames apart.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, default)]
    topic: Option<Cow<'a, str>>,
    #[serde(default)]
    enabled_topics: Option<Vec<String>>,
}

/// Reads one frame, text or binary.
pub(super) fn decode(frame: &[u8]) -> Heard {
    let text = match codec::Frame::of(frame) {
        codec::Frame::Text(text) => text,
        codec::Frame::Binary { topic } => return unknown(topic, "it is binary"),
        codec::Frame::Garbage => return unknown(NAMELESS, "it is neither JSON nor a binary frame"),
    };
    let head: Head<'_> = match serde_json::from_str(text) {
        Ok(head) => head,
        Err(error) => return unknown(NAMELESS, &error.to_string()),
    };
    let Some(name) = head.topic else {
        return match head.enabled_topics {
            Some(mut topics) => {
                topics.truncate(MAX_LISTED);
                Heard::Enabled(topics)
            }
            None => unknown(NAMELESS, "it names no topic"),
        };
    };
    if name == "/twist_feedback" {
        return Heard::Feedback;
    }
    let Ok(topic) = name.parse::<Topic>() else { return unknown(&name, "the topic is not known") };
    match Message::read(topic, frame) {
        Ok(message) => Heard::Told { topic, alias: name != topic.as_str(), message: Box::new(message) },
        Err(error) => unknown(topic.as_str(), &error.to_string()),
    }
}

fn unknown(topic: &str, reason: &str) -> Heard {
    Heard::Unknown { topic: topic.chars().take(MAX_TOPIC).collect(), reason: reason.to_owned() }
}
