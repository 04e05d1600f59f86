//! A node: it registers at a master, publishes, subscribes, and answers who asks about it.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::message::{DecodeError, EncodeError, Layout};
use crate::msgs::Time;
use crate::name::BadName;
use crate::xmlrpc::{CallError, Value};

/// How a node is made.
#[derive(Clone)]
pub struct Settings {
    /// Its name, e.g. `/latimer`.
    pub name: String,
    /// Where its master is, e.g. `http://127.0.0.1:11311`.
    pub master: String,
    /// Where it listens, for calls and for connections.
    pub bind: IpAddr,
    /// The host that others are told to connect to; `bind` if not given.
    pub host: Option<String>,
    /// The wall clock.
    pub now: Arc<dyn Fn() -> Time + Send + Sync>,
}

/// Why a node cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// A name is none.
    #[error(transparent)]
    Name(#[from] BadName),
    /// It cannot listen.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// Where.
        address: IpAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A topic is advertised already.
    #[error("{topic} is advertised already")]
    Taken {
        /// Which.
        topic: String,
    },
    /// The master gave no answer.
    #[error(transparent)]
    Master(#[from] CallError),
    /// The master refused.
    #[error("the master refused {method}: {reason}")]
    Refused {
        /// What was asked.
        method: &'static str,
        /// What it said.
        reason: String,
    },
}

/// How a node stands with its master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MasterLink {
    /// Not registered, and why.
    Waiting(String),
    /// Registered.
    Up,
}

/// How a node ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was told to stop from within.
    Stopped,
    /// Somebody shut it down over the network, as the master does when another node takes its name.
    ShutDown(String),
}

/// A handle to a node; clones are the same node.
#[derive(Clone, Debug)]
pub struct Node {}

/// A node's work; nothing is registered or answered before it runs.
#[derive(Debug)]
pub struct Running {}

/// How much a log message matters, as in `rosgraph_msgs/Log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For whoever looks for a fault.
    Debug,
    /// As it should be.
    Info,
    /// To be looked at.
    Warn,
    /// Something failed.
    Error,
}

impl Node {
    /// Binds a node's ports.
    pub async fn bind(settings: Settings) -> Result<(Self, Running), NodeError> {
        let _ = settings;
        todo!()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        todo!()
    }

    /// How it stands with its master.
    pub fn link(&self) -> watch::Receiver<MasterLink> {
        todo!()
    }

    /// Offers a topic; `queue` messages wait for a subscriber that is slow, `latch` gives the last one to each that comes.
    pub fn advertise(
        &self,
        topic: &str,
        layout: Arc<Layout>,
        queue: usize,
        latch: bool,
    ) -> Result<Publisher, NodeError> {
        let _ = (topic, layout, queue, latch);
        todo!()
    }

    /// Follows a topic of a type, or of any if none is named, whatever build of it the publishers have.
    pub fn subscribe(
        &self,
        topic: &str,
        type_name: Option<&str>,
        queue: usize,
    ) -> Result<Subscription, NodeError> {
        let _ = (topic, type_name, queue);
        todo!()
    }

    /// A parameter; `None` if it is not set.
    pub async fn param(&self, key: &str) -> Result<Option<Value>, NodeError> {
        let _ = key;
        todo!()
    }

    /// Sets a parameter.
    pub async fn set_param(&self, key: &str, value: Value) -> Result<(), NodeError> {
        let _ = (key, value);
        todo!()
    }

    /// Says something on `/rosout`.
    pub fn log(&self, level: Level, text: &str) {
        let _ = (level, text);
    }
}

impl Running {
    /// Runs until told to stop, then unregisters.
    pub async fn run(self, shutdown: CancellationToken) -> Ended {
        shutdown.cancelled().await;
        Ended::Stopped
    }
}

/// A topic that is offered; dropped, it is withdrawn.
#[derive(Debug)]
pub struct Publisher {}

impl Publisher {
    /// Sends a message to all who follow; it is encoded once, and not at all if nobody does and it is not latched.
    pub fn publish<T: Serialize + ?Sized>(&self, message: &T) -> Result<(), EncodeError> {
        let _ = message;
        todo!()
    }

    /// How many follow.
    pub fn subscribers(&self) -> watch::Receiver<usize> {
        todo!()
    }

    /// The layouts of all who follow and have another build of the type, newest last.
    pub fn foreign_layouts(&self) -> Vec<Arc<Layout>> {
        todo!()
    }
}

/// A topic that is followed; dropped, it is left.
#[derive(Debug)]
pub struct Subscription {}

impl Subscription {
    /// The next message; `None` when the node has ended.
    pub async fn next(&mut self) -> Option<Incoming> {
        todo!()
    }

    /// How many publishers are connected.
    pub fn publishers(&self) -> watch::Receiver<usize> {
        todo!()
    }
}

/// A message that came.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// The message, without its length.
    pub bytes: Bytes,
    /// How it lies, by its publisher's word.
    pub layout: Arc<Layout>,
    /// Who sent it.
    pub caller: Arc<str>,
    /// How many before it were lost because nobody took them in time.
    pub missed: u64,
}

impl Incoming {
    /// The message as a struct.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.layout.decode(&self.bytes)
    }
}
