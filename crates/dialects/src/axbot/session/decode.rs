//! A frame of a robot as what it means; no I/O.

use std::borrow::Cow;

use serde::Deserialize;

use crate::axbot::codec;
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message;

/// Longest topic kept of a frame that is not known, in characters.
const MAX_TOPIC: usize = 128;

/// Longest throttled_warning kept, in characters.
const MAX_COMPLAINT: usize = 300;

/// Most topics read of a list of them.
const MAX_LISTED: usize = 1_000;

/// The topic of frames that name none.
const NAMELESS: &str = "unreadable";

/// What a frame means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decoded {
    /// All topics that the robot sends us now.
    Enabled(Vec<String>),
    /// The robot took a twist.
    Feedback,
    /// Something that we asked for is not done; other gateways say so.
    ThrottledWarning(String),
    /// A message of a topic.
    JobEvent {
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
    #[serde(borrow, default)]
    error: Option<Cow<'a, str>>,
}

/// Reads one frame, text or binary.
pub(super) fn decode(frame: &[u8]) -> Decoded {
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
        return match (head.enabled_topics, head.error) {
            (Some(mut topics), _) => {
                topics.truncate(MAX_LISTED);
                Decoded::Enabled(topics)
            }
            (None, Some(error)) => Decoded::ThrottledWarning(error.chars().take(MAX_COMPLAINT).collect()),
            (None, None) => unknown(NAMELESS, "it names no topic"),
        };
    };
    if name == "/twist_feedback" {
        return Decoded::Feedback;
    }
    let Ok(topic) = name.parse::<Topic>() else { return unknown(&name, "the topic is not known") };
    match Message::read(topic, frame) {
        Ok(message) => Decoded::JobEvent { topic, alias: name != topic.as_str(), message: Box::new(message) },
        Err(error) => unknown(topic.as_str(), &error.to_string()),
    }
}

fn unknown(topic: &str, reason: &str) -> Decoded {
    Decoded::Unknown { topic: topic.chars().take(MAX_TOPIC).collect(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_frames_apart() {
        let enabled = br#"{"enabled_topics": ["/tracked_pose", "/slam/state"]}"#;
        assert_eq!(decode(enabled), Decoded::Enabled(vec!["/tracked_pose".into(), "/slam/state".into()]));
        assert_eq!(decode(br#"{"topic": "/twist_feedback"}"#), Decoded::Feedback);
        assert_eq!(decode(br#"{"error": "no"}"#), Decoded::ThrottledWarning("no".into()));
        let pose = br#"{"topic": "/tracked_pose", "pos": [3.7, -10.8], "ori": -1.56}"#;
        let Decoded::JobEvent { topic: Topic::TrackedPose, alias: false, message } = decode(pose) else {
            panic!()
        };
        assert_eq!(message.topic(), Topic::TrackedPose);
        let old = br#"{"topic": "/trajectory_node_list", "points": []}"#;
        assert!(matches!(decode(old), Decoded::JobEvent { topic: Topic::Trajectory, alias: true, .. }));
    }

    #[test]
    fn what_is_not_known_is_a_value() {
        let topic = |frame: &[u8]| match decode(frame) {
            Decoded::Unknown { topic, reason } => {
                assert!(!reason.is_empty());
                topic
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(topic(br#"{"topic": "/bluetooth_state"}"#), "/bluetooth_state");
        assert_eq!(topic(b"\x0b/mast_state\x00\x08\x02"), "/mast_state");
        assert_eq!(topic(br#"{"topic": "/tracked_pose", "pos": "here"}"#), "/tracked_pose");
        let long = format!(r#"{{"topic": "/{}"}}"#, "x".repeat(10_000));
        assert_eq!(topic(long.as_bytes()).chars().count(), MAX_TOPIC);
        let garbage: [&[u8]; 9] = [
            b"",
            b"{",
            b"null",
            b"[]",
            b"{}",
            b"\xff\xfe",
            br#"{"topic": 7}"#,
            br#"{"enabled_topics": 1}"#,
            br#"{"topic": "/a", "topic": "/b"}"#,
        ];
        for frame in garbage {
            assert_eq!(topic(frame), NAMELESS, "{}", String::from_utf8_lossy(frame));
        }
        assert_eq!(topic(&[b'['; 100_000]), NAMELESS);
    }
}
