//! rosbridge v2: one JSON object a frame, whose `op` says what it is.
//!
//! What a client sends beside these, such as `fragment`, `auth` or `set_level`, changes nothing here; compression that it
//! asks for is not used, which the protocol leaves to the server.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

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
    /// A message; of a status the text.
    #[serde(borrow)]
    pub msg: Option<&'a RawValue>,
    /// Of a service.
    pub service: Option<String>,
    /// What it is called with.
    pub args: Option<Json>,
    /// What it answers.
    pub values: Option<Json>,
    /// Whether it did what was asked; not in every answer.
    pub result: Option<bool>,
}

impl Frame<'_> {
    /// The type as ROS 1 writes it.
    pub fn ros_type(&self) -> Option<String> {
        self.type_name.as_ref().map(|name| name.replacen("/msg/", "/", 1))
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

/// What a client did wrong, or what a robot refused.
pub fn error(id: Option<&Json>, problem: &str) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    format!(r#"{{"op":"status",{id}"level":"error","msg":{}}}"#, Json::from(problem))
}

/// The answer of a service.
pub fn answer(id: Option<&Json>, service: &str, values: &Json, result: bool) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    let service = Json::from(service);
    format!(r#"{{"op":"service_response",{id}"service":{service},"values":{values},"result":{result}}}"#)
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
        let text = error(Some(&json!("7")), "no \"x\"");
        assert_eq!(text, r#"{"op":"status","id":"7","level":"error","msg":"no \"x\""}"#);
        let text = answer(Some(&json!("c:1")), "/rosapi/topics", &json!({"topics": []}), true);
        let expected = r#"{"op":"service_response","id":"c:1","service":"/rosapi/topics","values":{"topics":[]},"result":true}"#;
        assert_eq!(text, expected);
        let text = about("advertise", "/a", "std_msgs/String");
        assert_eq!(text, r#"{"op":"advertise","topic":"/a","type":"std_msgs/String"}"#);
    }
}
