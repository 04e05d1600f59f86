//! What a dialect says of its messages, and the messages that it makes.

use std::borrow::Cow;

use bytes::Bytes;

/// An update in a dialect's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// Event type or topic.
    pub topic: Cow<'static, str>,
    /// The message, without an envelope that belongs to one subscription.
    pub payload: Bytes,
}

/// Where a dialect's messages come as they happen.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// The address of its WebSocket on the common port, with `{robot}` for the robot.
    pub address: &'static str,
    /// How to ask for messages.
    pub summary: &'static str,
    /// What each message is wrapped in.
    pub envelope: Option<Envelope>,
    /// Texts that come in place of a message, e.g. what becomes of a subscription.
    pub status: Option<Status>,
}

/// An object around each message.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    /// The field that names the subscription.
    pub name: &'static str,
    /// The field that holds the message.
    pub message: &'static str,
}

/// A text in place of a message.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// What it is called in descriptions.
    pub name: &'static str,
    /// When it comes.
    pub summary: &'static str,
    /// What it may say.
    pub examples: &'static [&'static str],
}

/// What a client receives in answer to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Whether it was taken, and if not, why, in the robot's words.
    InWords,
    /// Whether it was taken.
    YesOrNo,
    /// Nothing: that it was sent is all that is known.
    Never,
}

/// The directions in which a dialect is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// Robots are served to its programs, and its robots are connected to.
    Both,
    /// Robots are served to its programs.
    Facade,
    /// Its robots are connected to.
    Sessions,
}

impl Offers {
    /// Whether robots are served to its programs.
    pub const fn has_facade(self) -> bool {
        matches!(self, Self::Both | Self::Facade)
    }

    /// Whether its robots are connected to.
    pub const fn has_sessions(self) -> bool {
        matches!(self, Self::Both | Self::Sessions)
    }
}

/// What carries a dialect's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// WebSockets and HTTP.
    Web,
    /// An MQTT broker.
    Mqtt,
    /// A ROS 1 master and the connections of its nodes.
    Ros1,
}
