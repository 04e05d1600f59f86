//! The contract of an adapter: a config struct that is validated, built and run.
//!
//! ```text
//! config ──validate()──▶ ok ──build()──▶ Built { endpoints, mount, service } ──run(shutdown)──▶ stopped
//!          no I/O            binds all                                          one grace period
//! ```
//!
//! Mixing these steps leaks tasks: nothing is spawned before everything is bound.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::model::RobotId;
use crate::{BrokerAddress, Clock, Hub, Stage};

/// What an adapter is built with.
#[derive(Clone, Debug)]
pub struct Context {
    /// The exchange to publish into and to serve from.
    pub hub: Hub,
    /// The gateway's clock.
    pub clock: Clock,
    /// Where the common HTTP port is reached, e.g. `127.0.0.1:8080`.
    pub http: SocketAddr,
    /// The simulated world, if there is one.
    pub stage: Option<Stage>,
    /// The MQTT broker of the gateway, its own or another, if there is one.
    pub broker: Option<BrokerAddress>,
    /// Names by which other machines may call every HTTP port.
    pub names: Arc<[String]>,
}

/// Rules that every config is checked against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// Listening beyond this machine without encryption was asked for in so many words.
    pub insecure: bool,
}

impl Rules {
    /// Refuses an address that others could reach, unless that was asked for.
    pub fn check_listen(&self, key: &str, address: SocketAddr) -> Result<(), ConfigError> {
        if address.ip().is_loopback() || self.insecure {
            return Ok(());
        }
        Err(ConfigError::new(
            key,
            format!("{address} can be reached from other machines, without encryption or password"),
            "listen on 127.0.0.1, or start with --insecure if you know your network",
        ))
    }
}

/// A config that cannot work: which key, what is wrong, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {problem}; {advice}")]
pub struct ConfigError {
    /// The key, as a dotted path.
    pub key: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub advice: String,
}

impl ConfigError {
    /// Which key, what is wrong, what to do.
    pub fn new(key: impl Into<String>, problem: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { key: key.into(), problem: problem.into(), advice: advice.into() }
    }
}

/// Why an adapter could not start.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The port is taken or not allowed.
    #[error("cannot listen on {address}: {source}; free the port or choose another in the config ({key})")]
    Bind {
        /// Where.
        address: SocketAddr,
        /// The key of the config.
        key: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Two robots of one name.
    #[error(transparent)]
    NameTaken(#[from] crate::hub::NameTaken),
    /// Something else, told for a person.
    #[error("{0}")]
    Other(String),
}

/// Where something can be reached, and a line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Which robot is served; `None` if any.
    pub robot: Option<RobotId>,
    /// In which dialect.
    pub dialect: &'static str,
    /// The address, e.g. `ws://127.0.0.1:8081/pubsub`.
    pub url: String,
    /// A line to paste into a terminal.
    pub try_line: String,
}

/// A part of the gateway that runs until told to stop.
#[async_trait]
pub trait Service: Send {
    /// Runs until `shutdown`, then ends its connections and returns within the grace period.
    async fn run(self: Box<Self>, shutdown: CancellationToken);
}

/// An adapter that holds its ports and is ready to run.
pub struct Built<Mount> {
    /// Where it can be reached.
    pub endpoints: Vec<Endpoint>,
    /// What it serves on the common HTTP port.
    pub mount: Option<Mount>,
    /// What runs.
    pub service: Box<dyn Service>,
}

/// An adapter for one family of robots. The config struct is the adapter.
#[async_trait]
pub trait Dialect: Send + Sync + fmt::Debug {
    /// What the common HTTP port takes; the core knows no HTTP.
    type Mount;

    /// Its name.
    fn name(&self) -> &'static str;

    /// Checks what can be checked without I/O.
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError>;

    /// Binds all ports. Nothing runs yet.
    async fn build(self: Box<Self>, context: Context) -> Result<Built<Self::Mount>, BuildError>;
}
