//! The steps of every part of the gateway: a config that is validated, a service that is built and run.
//!
//! ```text
//! config ──validate()──▶ ok ──build()──▶ service ──run(shutdown)──▶ stopped
//!          no I/O            binds all             one grace period
//! ```
//!
//! Mixing these steps leaks tasks: nothing is spawned before everything is bound.

use std::net::SocketAddr;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Rules that every config is checked against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// Listening beyond this machine without encryption was asked for in so many words.
    pub insecure: bool,
    /// There are certificates for TLS.
    pub tls: bool,
    /// Clients from beyond this machine show a certificate of a root that the config names.
    pub client_certificates: bool,
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

    /// The same for a port that speaks TLS with others.
    pub fn check_tls_listen(&self, key: &str, address: SocketAddr) -> Result<(), ConfigError> {
        if self.client_certificates {
            return Ok(());
        }
        self.check_listen(key, address).map_err(|error| ConfigError {
            advice: format!(
                "{}; or write [tls] with client_ca, so that others need a certificate",
                error.advice
            ),
            ..error
        })
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

/// Why a part of the gateway could not start.
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
    /// Another reason, as text.
    #[error("{0}")]
    Other(String),
}

/// A service of the gateway that runs until it is cancelled.
#[async_trait]
pub trait Service: Send {
    /// Runs until `shutdown`, then ends its connections and returns within the grace period.
    async fn run(self: Box<Self>, shutdown: CancellationToken);
}
