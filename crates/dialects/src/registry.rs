//! What a dialect tells about itself, so that the program needs to know none of them.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use latimer_core::dialect::Dialect;
use latimer_core::hub::{Origin, RobotInfo, Shared};
use latimer_core::model::RobotProfile;
use latimer_core::{Hub, RobotId};

use crate::channels::Channels;
use crate::lines::{Line, LineRequest};
use crate::table::Message;

/// A dialect as it is configured; what it mounts on the common HTTP port is an [`axum::Router`].
pub trait Configured: Dialect<Mount = axum::Router> {
    /// What its clients see of robots, as it is configured.
    fn translator(&self) -> Arc<dyn Translator>;
}

/// A configured dialect of any family.
pub type AnyDialect = Box<dyn Configured>;

/// What clients of a configured dialect see of robots.
pub trait Translator: Send + Sync {
    /// An update in the dialect's words; `None` if it has none for it.
    fn translate(&self, hub: &Hub, update: &Shared) -> Option<Translated>;

    /// Lines to copy that show what is asked for; none if the dialect has no words for it.
    fn lines(&self, request: &LineRequest<'_>) -> Vec<Line>;
}

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

/// What comes back to whoever sends a command through a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Whether it was taken, and if not, why, in the robot's words.
    InWords,
    /// Whether it was taken.
    YesOrNo,
    /// Nothing: that it was sent is all that is known.
    Never,
}

/// What carries a dialect's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// WebSockets and HTTP.
    Web,
    /// An MQTT broker.
    Mqtt,
    /// A ROS 1 master and the connections of its nodes.
    Ros1,
}

/// One dialect.
pub struct Entry {
    /// The word for it in configs, addresses and `--as`.
    pub name: &'static str,
    /// The robots that speak it.
    pub robots: &'static str,
    /// How it travels, e.g. `JSON events over WebSocket, REST`.
    pub transport: &'static str,
    /// What carries its messages.
    pub carrier: Carrier,
    /// Whether a robot repeats its whole state at a fixed rate, so that a message may hold what was before.
    pub repeats_state: bool,
    /// What comes back to whoever sends a command.
    pub answers: Answers,
    /// Where clients get its messages as they come; `None` if it has no stream on the common port.
    pub stream: Option<Stream>,
    /// Its topics at an MQTT broker; `None` if it has none.
    pub channels: Option<Channels>,
    /// Its messages, field by field beside the model.
    pub messages: &'static [Message],
    /// What every robot has and can that speaks it.
    pub profile: &'static LazyLock<Arc<RobotProfile>>,
    /// The part of `config/reference.toml` that documents every key.
    pub reference: &'static str,
    /// Reads the dialect's table of the config file; errors keep their place in the file.
    pub from_toml: fn(toml::de::ValueDeserializer<'_>) -> Result<AnyDialect, toml::de::Error>,
    /// The dialect as it is when the config has no table for it.
    pub default: fn() -> AnyDialect,
    /// A table that serves a robot in this dialect on a port of its own.
    pub serve: fn(&RobotId, SocketAddr) -> String,
    /// A table that connects to a robot of this dialect at `host:port`.
    pub connect: fn(&RobotId, &str) -> String,
}

impl Entry {
    /// A robot that speaks this dialect, as its source registers it.
    pub fn robot(&self, robot: RobotId, origin: Origin) -> RobotInfo {
        RobotInfo::new(robot, self.name, origin).with(Arc::clone(self.profile))
    }
}
