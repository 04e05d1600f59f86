//! The frame around a body: `{"eventName":…,"message":…}`, in the `Deprecated` version with `"type"` behind.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{EventType, Version};

/// What a robot answers to a subscription that it accepts; robots and clients agree on this text to the letter.
pub const REGISTERED: &str = "Registration Status: API event registered.";

/// What a robot answers to a subscription whose name is taken.
pub fn name_taken(event_name: &str) -> String {
    format!(
        "Registration Status: Cannot register an event with same name ({event_name}) as a previously registered event."
    )
}

/// Puts the frame around a body that is encoded already: an event or the property that a client picked.
pub fn envelope(event_name: &str, event_type: EventType, message_json: &[u8], version: Version) -> Vec<u8> {
    let type_name = match version {
        Version::Current => None,
        Version::Deprecated => Some(event_type.as_str()),
    };
    frame(event_name, message_json, type_name)
}

/// Puts the frame around a status text, which has no `type` in either version.
pub fn status_frame(event_name: &str, text: &str) -> Vec<u8> {
    let mut message = Vec::with_capacity(text.len() + 2);
    push_text(&mut message, text);
    frame(event_name, &message, None)
}

fn frame(event_name: &str, message_json: &[u8], type_name: Option<&str>) -> Vec<u8> {
    let mut frame = Vec::with_capacity(message_json.len() + event_name.len() + 64);
    frame.extend_from_slice(br#"{"eventName":"#);
    push_text(&mut frame, event_name);
    frame.extend_from_slice(br#","message":"#);
    frame.extend_from_slice(message_json);
    if let Some(type_name) = type_name {
        frame.extend_from_slice(br#","type":"#);
        push_text(&mut frame, type_name);
    }
    frame.push(b'}');
    frame
}

fn push_text(frame: &mut Vec<u8>, text: &str) {
    // Neither a text nor a vector can make this fail.
    let _ = serde_json::to_writer(frame, text);
}

/// A frame that came from a robot, its body still encoded.
#[derive(Debug, Deserialize)]
pub struct Frame<'a> {
    /// Name under which the client subscribed.
    #[serde(borrow, rename = "eventName", alias = "EventName")]
    pub event_name: Cow<'a, str>,
    /// The body, or a status text.
    #[serde(borrow, alias = "Message")]
    pub message: &'a RawValue,
    /// Event type, in the `Deprecated` version.
    #[serde(default, rename = "type", alias = "Type")]
    pub type_name: Option<String>,
}

/// What a frame says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<'a> {
    /// A text: how a subscription went, or an error.
    Status(String),
    /// An event, or the property that the subscription picked.
    Event(&'a str),
}

impl<'a> Frame<'a> {
    /// Reads a frame in the spelling of today or of 2018.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Tells a status from an event. A picked property that is a text looks like a status: tell them by their order.
    pub fn body(&self) -> Body<'a> {
        match serde_json::from_str(self.message.get()) {
            Ok(text) => Body::Status(text),
            Err(_) => Body::Event(self.message.get()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn current_has_two_keys_and_deprecated_a_third_behind_them() {
        let current = envelope("a", EventType::Imu, b"{}", Version::Current);
        assert_eq!(current, br#"{"eventName":"a","message":{}}"#);
        let deprecated = envelope("a", EventType::Imu, b"1.5", Version::Deprecated);
        assert_eq!(deprecated, br#"{"eventName":"a","message":1.5,"type":"IMU"}"#);
    }

    #[test]
    fn any_name_comes_back() {
        for name in ["", "BumpSensor:sensorId=bfr-0001", "\"},\\\u{7}\n\u{2028}", "ロボット"] {
            let bytes = envelope(name, EventType::Imu, b"{}", Version::Current);
            let text = String::from_utf8(bytes).unwrap();
            let frame = Frame::parse(&text).unwrap();
            assert_eq!(frame.event_name, name);
            assert_eq!(frame.body(), Body::Event("{}"));
        }
    }

    #[test]
    fn a_status_is_a_text() {
        let bytes = status_frame("a", REGISTERED);
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, r#"{"eventName":"a","message":"Registration Status: API event registered."}"#);
        assert_eq!(Frame::parse(&text).unwrap().body(), Body::Status(REGISTERED.to_owned()));
    }

    #[test]
    fn frames_of_2018_are_read() {
        let frame = Frame::parse(r#"{"EventName":"a","Message":{"X":1},"Type":"IMU"}"#).unwrap();
        assert_eq!(frame.event_name, "a");
        assert_eq!(frame.type_name.as_deref(), Some("IMU"));
        assert_eq!(frame.body(), Body::Event(r#"{"X":1}"#));
    }
}
