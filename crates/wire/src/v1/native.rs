//! Messages in a dialect's own words: verbatim if they are JSON, else as Base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// Deepest JSON that is shown as JSON; what is deeper goes out as Base64, for the sake of readers.
const MAX_DEPTH: usize = 64;

/// What the robot really sent.
pub type Native = NativeMessage;

/// A message in a dialect's own words.
#[derive(Clone, Debug, ToSchema, Serialize, Deserialize)]
pub struct NativeMessage {
    /// Which dialect.
    pub dialect: String,
    /// Event type or topic.
    pub topic: String,
    /// The message, byte for byte, if it is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<serde_json::Value>)]
    pub payload: Option<Box<RawValue>>,
    /// The message, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_base64: Option<String>,
}

impl NativeMessage {
    /// A message with its bytes.
    pub fn new(dialect: &str, topic: &str, payload: &[u8]) -> Self {
        let (dialect, topic) = (dialect.to_owned(), topic.to_owned());
        match shallow_json(payload) {
            Some(json) => Self { dialect, topic, payload: Some(json), payload_base64: None },
            None => Self { dialect, topic, payload: None, payload_base64: Some(STANDARD.encode(payload)) },
        }
    }

    /// The message's bytes; `None` if they are no Base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match (&self.payload, &self.payload_base64) {
            (Some(json), _) => Some(json.get().as_bytes().to_vec()),
            (None, Some(base64)) => STANDARD.decode(base64).ok(),
            (None, None) => Some(Vec::new()),
        }
    }
}

/// Byte for byte, hence without blanks around it: JSON that is not trimmed goes out as Base64.
fn shallow_json(payload: &[u8]) -> Option<Box<RawValue>> {
    if depth(payload) > MAX_DEPTH {
        return None;
    }
    let json: Box<RawValue> = serde_json::from_slice(payload).ok()?;
    (json.get().len() == payload.len()).then_some(json)
}

/// Deepest nesting of brackets outside of strings.
fn depth(payload: &[u8]) -> usize {
    let (mut now, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in payload {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                now += 1;
                deepest = deepest.max(now);
            }
            b']' | b'}' if !in_string => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive() {
        let deep = "[".repeat(1_000_000);
        let balanced = format!("{}{}", "[".repeat(65), "]".repeat(65));
        let payloads = ["{\"a\": 1.10,\"a\":2}", " {}", "{", "not json", "", "\"[[[\\\"\"", &deep, &balanced];
        for payload in payloads {
            let message = NativeMessage::new("misty", "IMU", payload.as_bytes());
            assert_eq!(message.bytes().unwrap(), payload.as_bytes());
            let json = serde_json::to_string(&message).unwrap();
            serde_json::from_str::<serde_json::Value>(&json).unwrap();
        }
        assert!(NativeMessage::new("misty", "IMU", b"{\"a\": 1.10}").payload.is_some());
        assert!(NativeMessage::new("misty", "IMU", deep.as_bytes()).payload.is_none());
        assert_eq!(NativeMessage::new("p", "t", &[255]).payload_base64.as_deref(), Some("/w=="));
    }
}
