//! What programs that were written for a family send, as data: the tests that run over all dialects play such a program.

use std::sync::Arc;

use latimer_core::model::RobotProfile;
use latimer_ros1::message::Layout;

/// A program that was written for a family, by all that it sends.
#[derive(Debug, Default)]
pub struct Clients {
    /// A robot that can do all of it, if robots of the family cannot.
    pub robot: Option<RobotProfile>,
    /// Keys of the robot's entry of `serve` without which some of it has no effect.
    pub keys: &'static str,
    /// What it sends, in order.
    pub messages: Vec<ClientMessage>,
}

/// One thing that a program sends.
#[derive(Debug)]
pub struct ClientMessage {
    /// The commands that the robot gets by it, in the words of [`Command::name`](latimer_core::Command::name): `drive`, `stop`.
    pub gives: Vec<&'static str>,
    /// What travels.
    pub sent: Sent,
}

/// What travels from a program.
#[derive(Debug)]
pub enum Sent {
    /// A request to the robot's own port.
    Request {
        /// In capitals.
        method: &'static str,
        /// Below the address, without the first slash.
        path: String,
        /// JSON, or nothing.
        body: String,
    },
    /// A text on the robot's WebSocket.
    Text(String),
    /// A message at the broker.
    Publication {
        /// Where.
        topic: String,
        /// What.
        payload: String,
    },
    /// A message of ROS.
    Ros {
        /// Where.
        topic: String,
        /// How its bytes lie.
        layout: Arc<Layout>,
        /// Its fields; those that are left out are zero.
        fields: serde_json::Value,
    },
}

impl ClientMessage {
    /// A request to the robot's own port.
    pub(crate) fn request(
        gives: &'static str,
        method: &'static str,
        path: &str,
        body: impl Into<String>,
    ) -> Self {
        Self { gives: vec![gives], sent: Sent::Request { method, path: path.to_owned(), body: body.into() } }
    }

    /// JSON on the robot's WebSocket.
    pub(crate) fn json(gives: &'static str, frame: &serde_json::Value) -> Self {
        Self { gives: vec![gives], sent: Sent::Text(frame.to_string()) }
    }

    /// A message at the broker.
    pub(crate) fn publication(gives: &'static str, topic: &str, payload: impl Into<String>) -> Self {
        let sent = Sent::Publication { topic: topic.to_owned(), payload: payload.into() };
        Self { gives: vec![gives], sent }
    }
}
