//! rosbridge v2: one JSON object a frame, whose `op` says what it is.
//!
//! What a client sends beside these, such as `fragment`, `auth` or `set_level`, changes nothing here; compression that it
//! asks for is not used, which the protocol leaves to the server.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// A frame, of either side.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Frame<'a> {
    /// What it is.
    pub(super) op: String,
    /// The sender's name for it; an answer has the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<Json>,
    /// Of a topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) topic: Option<String>,
    /// Its type, such as `sensor_msgs/Range`; ROS 2 writes `sensor_msgs/msg/Range`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(super) type_name: Option<String>,
    /// Least time between messages, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) throttle_rate: Option<f64>,
    /// A message; of a status the text.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(super) msg: Option<&'a RawValue>,
    /// Of a service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) service: Option<String>,
    /// What it is called with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args: Option<Json>,
    /// What it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Json>,
    /// Whether it could.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<bool>,
    /// How grave a status is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<String>,
}

impl<'a> Frame<'a> {
    /// Reads a frame.
    pub(super) fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// A frame of a kind.
    pub(super) fn new(op: &str) -> Self {
        Self { op: op.to_owned(), ..Self::default() }
    }

    /// A frame about a topic.
    pub(super) fn about(op: &str, topic: &str, type_name: &str) -> Self {
        Self { topic: Some(topic.to_owned()), type_name: Some(type_name.to_owned()), ..Self::new(op) }
    }

    /// As it is written.
    pub(super) fn text(&self) -> String {
        // A struct of JSON values can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The type as ROS 1 writes it.
    pub(super) fn ros_type(&self) -> Option<String> {
        self.type_name.as_ref().map(|name| name.replacen("/msg/", "/", 1))
    }
}

/// A message on a topic.
pub(super) fn publish(topic: &str, message: &str) -> String {
    format!(r#"{{"op":"publish","topic":{},"msg":{message}}}"#, Json::from(topic))
}

/// What a client did wrong, or what a robot refused.
pub(super) fn error(id: Option<&Json>, problem: &str) -> String {
    let id = id.map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    format!(r#"{{"op":"status",{id}"level":"error","msg":{}}}"#, Json::from(problem))
}

/// The answer of a service.
pub(super) fn answer(id: Option<Json>, service: &str, values: Json, result: bool) -> String {
    let service = Some(service.to_owned());
    Frame { id, service, values: Some(values), result: Some(result), ..Frame::new("service_response") }.text()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn frames_are_read_as_clients_write_them() {
        let text = r#"{"op":"subscribe","id":"subscribe:/a:1","type":"std_msgs/msg/String","topic":"/a","compression":"none","throttle_rate":0,"queue_length":0}"#;
        let frame = Frame::parse(text).unwrap();
        assert_eq!((frame.op.as_str(), frame.topic.as_deref()), ("subscribe", Some("/a")));
        assert_eq!(frame.ros_type().as_deref(), Some("std_msgs/String"));
        let frame = Frame::parse(r#"{"op":"publish","topic":"/a","msg":{"data": "x"}}"#).unwrap();
        assert_eq!(frame.msg.unwrap().get(), r#"{"data": "x"}"#);
        for wrong in ["", "7", r#"{"op":7}"#] {
            assert!(Frame::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn frames_are_written_as_clients_read_them() {
        assert_eq!(publish("/a", r#"{"data":1}"#), r#"{"op":"publish","topic":"/a","msg":{"data":1}}"#);
        let told = error(Some(&json!("7")), "no \"x\"");
        assert_eq!(told, r#"{"op":"status","id":"7","level":"error","msg":"no \"x\""}"#);
        let told = answer(Some(json!("c:1")), "/rosapi/topics", json!({"topics": []}), true);
        let expected = r#"{"op":"service_response","id":"c:1","service":"/rosapi/topics","values":{"topics":[]},"result":true}"#;
        assert_eq!(told, expected);
        let told = Frame::about("advertise", "/a", "std_msgs/String").text();
        assert_eq!(told, r#"{"op":"advertise","topic":"/a","type":"std_msgs/String"}"#);
    }
}
