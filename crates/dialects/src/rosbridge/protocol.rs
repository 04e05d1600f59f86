//! rosbridge v2: one JSON object a frame, whose `op` says what it is.
//!
//! Several may stand in one message, one behind the other.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::types::ros1_name;

/// A frame that is read, of either side.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Frame<'a> {
    /// What it is.
    pub op: String,
    /// The sender's name for it; an answer has the same.
    pub id: Option<Json>,
    /// Of a topic.
    pub topic: Option<String>,
    /// Its type, such as `sensor_msgs/Range`; ROS 2 writes `sensor_msgs/msg/Range`.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// Least time between messages, milliseconds.
    pub throttle_rate: Option<f64>,
    /// How many messages wait meanwhile.
    pub queue_length: Option<f64>,
    /// A message; of a status the text. `null` is none that fits a type.
    #[serde(borrow, deserialize_with = "given")]
    pub msg: Option<&'a RawValue>,
    /// Of a service.
    pub service: Option<String>,
    /// What it is called with.
    pub args: Option<Json>,
    /// What it answers.
    pub values: Option<Json>,
    /// Whether it did what was asked; not in every answer.
    pub result: Option<bool>,
    /// Whether the last message is kept for those who subscribe later.
    pub latch: Option<bool>,
    /// How messages shall be compressed: `none`, `png`, `cbor`, `cbor-raw`.
    pub compression: Option<String>,
    /// Longest frame that the client wants, bytes.
    pub fragment_size: Option<f64>,
    /// From which level on the client wants `status`.
    pub level: Option<String>,
    /// Of an action.
    pub action: Option<String>,
    /// Whether the client wants to hear how a goal goes.
    pub feedback: Option<bool>,
    /// How it ended, as ROS 2 numbers that.
    pub status: Option<Json>,
}

fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Frame<'_> {
    /// The type as ROS 1 writes it.
    pub fn ros_type(&self) -> Option<String> {
        self.type_name.as_deref().filter(|it| !it.is_empty()).map(|it| ros1_name(it).into_owned())
    }
}

/// A frame about a topic: `advertise`, `subscribe`.
pub fn about(op: &str, topic: &str, ros_type: &str) -> String {
    json!({"op": op, "topic": topic, "type": ros_type}).to_string()
}

/// A message on a topic.
pub fn publish(topic: &str, message: &str) -> String {
    format!(r#"{{"op":"publish","topic":{},"msg":{message}}}"#, Json::from(topic))
}

/// How much a `status` matters; a client hears of those at its level and above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What is of use to know.
    Info,
    /// What may be missing.
    Warning,
    /// What a client did wrong, or what a robot refused.
    Error,
    /// Nothing is at it.
    None,
}

impl Level {
    /// By its word in `set_level`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Info, Self::Warning, Self::Error, Self::None].into_iter().find(|it| it.word() == word)
    }

    /// Its word in `set_level` and `status`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::None => "none",
        }
    }
}

/// A note to a client about what it sent.
pub fn status(id: Option<&Json>, level: Level, text: &str) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    format!(r#"{{"op":"status",{id}"level":"{}","msg":{}}}"#, level.word(), Json::from(text))
}

/// A call of a service that a client serves.
pub fn call_service(id: &str, service: &str, args: &Json) -> String {
    json!({"op": "call_service", "id": id, "service": service, "args": args}).to_string()
}

/// The answer of a service.
pub fn answer(id: Option<&Json>, service: &str, values: &Json, result: bool) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    let service = Json::from(service);
    format!(r#"{{"op":"service_response",{id}"service":{service},"values":{values},"result":{result}}}"#)
}

/// How a goal of an action goes.
pub fn action_feedback(id: Option<&Json>, action: &str, values: &Json) -> String {
    json!({"op": "action_feedback", "id": id, "action": action, "values": values}).to_string()
}

/// How a goal of an action ended, as ROS 2 numbers that.
pub fn action_result(id: Option<&Json>, action: &str, values: &Json, status: u8, result: bool) -> String {
    json!({"op": "action_result", "id": id, "action": action, "values": values, "status": status, "result": result}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_clients_write_them() {
        let text = r#"{"op":"subscribe","id":"subscribe:/a:1","type":"std_msgs/msg/String","topic":"/a","compression":"none","throttle_rate":0,"queue_length":0}"#;
        let frame = serde_json::from_str::<Frame<'_>>(text).unwrap();
        assert_eq!((frame.op.as_str(), frame.topic.as_deref()), ("subscribe", Some("/a")));
        assert_eq!(frame.ros_type().as_deref(), Some("std_msgs/String"));
        let frame = serde_json::from_str::<Frame<'_>>(r#"{"op":"publish","topic":"/a","msg":{"data": "x"}}"#)
            .unwrap();
        assert_eq!(frame.msg.unwrap().get(), r#"{"data": "x"}"#);
        for wrong in ["", "7", r#"{"op":7}"#] {
            assert!(serde_json::from_str::<Frame<'_>>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn frames_are_written_as_clients_read_them() {
        assert_eq!(publish("/a", r#"{"data":1}"#), r#"{"op":"publish","topic":"/a","msg":{"data":1}}"#);
        let text = status(Some(&json!("7")), Level::Error, "no \"x\"");
        assert_eq!(text, r#"{"op":"status","id":"7","level":"error","msg":"no \"x\""}"#);
        let text = answer(Some(&json!("c:1")), "/rosapi/topics", &json!({"topics": []}), true);
        let expected = r#"{"op":"service_response","id":"c:1","service":"/rosapi/topics","values":{"topics":[]},"result":true}"#;
        assert_eq!(text, expected);
        let text = about("advertise", "/a", "std_msgs/String");
        assert_eq!(text, r#"{"op":"advertise","topic":"/a","type":"std_msgs/String"}"#);
    }
}
