//! A text frame of a robot as what it means; no I/O.

use bytes::Bytes;

use crate::misty::wire::envelope::{Body, Frame, REGISTERED};
use crate::misty::wire::{EventType, Message};

/// What a frame means.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded {
    /// A subscription was accepted.
    Registered {
        /// Under which name.
        event_name: String,
    },
    /// The robot says something about a subscription; usually it was refused.
    Status {
        /// Under which name.
        event_name: String,
        /// In the robot's words.
        text: String,
    },
    /// An event that we asked for.
    Event {
        /// The event, decoded.
        message: Message,
        /// Its bytes as received, without the envelope.
        payload: Bytes,
    },
    /// An event that does not fit the specification, or that nobody asked for; passed through.
    Unknown {
        /// Its type, if it is given, or else the name of its subscription.
        topic: String,
        /// Its bytes as received, without the envelope.
        payload: Bytes,
        /// Why it is not known.
        reason: String,
    },
    /// No frame at all.
    Garbage {
        /// What is wrong.
        reason: String,
    },
}

/// Longest topic kept of a frame that is not known.
const MAX_TOPIC: usize = 64;

/// Reads one frame; `type_of` tells which event type we subscribed to under a name.
pub fn decode(text: &str, type_of: impl FnOnce(&str) -> Option<EventType>) -> Decoded {
    let frame = match Frame::parse(text) {
        Ok(frame) => frame,
        Err(error) => return Decoded::Garbage { reason: error.to_string() },
    };
    let event_name = frame.event_name.as_ref();
    let json = match frame.body() {
        Body::Status(text) if text == REGISTERED => {
            return Decoded::Registered { event_name: event_name.to_owned() };
        }
        Body::Status(text) => return Decoded::Status { event_name: event_name.to_owned(), text },
        Body::Event(json) => json,
    };
    let payload = Bytes::copy_from_slice(json.as_bytes());
    let reported = frame.type_name.as_deref();
    let topic = || reported.unwrap_or(event_name).chars().take(MAX_TOPIC).collect();
    let event_type = type_of(event_name).or_else(|| reported.and_then(|reported| reported.parse().ok()));
    let Some(event_type) = event_type else {
        return Decoded::Unknown { topic: topic(), payload, reason: "nobody asked for it".into() };
    };
    match Message::parse(event_type, json) {
        Ok(message) => Decoded::Event { message, payload },
        Err(error) => {
            Decoded::Unknown { topic: event_type.as_str().into(), payload, reason: error.to_string() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_events_from_words() {
        let registered = r#"{"eventName":"a","message":"Registration Status: API event registered."}"#;
        assert_eq!(decode(registered, |_| None), Decoded::Registered { event_name: "a".into() });
        let refused = r#"{"eventName":"a","message":"Registration Status: no"}"#;
        assert!(matches!(decode(refused, |_| None), Decoded::Status { .. }));
        let event = r#"{"eventName":"a","message": {"created":"2019-01-09T20:32:27.1Z","motorMask":6}}"#;
        match decode(event, |name| (name == "a").then_some(EventType::HaltCommand)) {
            Decoded::Event { message, payload } => {
                assert_eq!(message.event_type(), EventType::HaltCommand);
                assert_eq!(payload, r#"{"created":"2019-01-09T20:32:27.1Z","motorMask":6}"#);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_not_known_is_a_value() {
        let other = r#"{"eventName":"x","message":{"a":1},"type":"ObstacleMap"}"#;
        assert!(matches!(decode(other, |_| None), Decoded::Unknown { topic, .. } if topic == "ObstacleMap"));
        let odd = r#"{"eventName":"x","message":{"yaw":"north"}}"#;
        assert!(
            matches!(decode(odd, |_| Some(EventType::Imu)), Decoded::Unknown { topic, .. } if topic == "IMU")
        );
        for garbage in ["", "{", "null", "[]", "\u{0}", r#"{"eventName":1,"message":2}"#] {
            assert!(matches!(decode(garbage, |_| None), Decoded::Garbage { .. }), "{garbage}");
        }
    }
}
