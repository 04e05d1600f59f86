//! The steps of every part of the gateway: a config that is validated, a service that is built and run.
//!
//! ```text
//! config ──validate()──▶ ok ──build()──▶ service ──run(shutdown)──▶ stopped
//!          no I/O            binds all             one grace period
//! ```
//!
//! Mixing these steps leaks tasks: nothing is spawned before everything is bound.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

/// Rules that every config is checked against.
///
/// ```
/// use latimer_core::service::Rules;
///
/// let rules = Rules::default();
/// assert!(rules.check_listen("listen", "127.0.0.1:8080".parse()?).is_ok());
/// let error = rules.check_listen("listen", "0.0.0.0:8080".parse()?).err().ok_or("open to others")?;
/// assert_eq!(error.key, "listen");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Listeners that may be open to other machines though nothing protects them.
    pub insecure: Insecure,
    /// There are certificates for TLS.
    pub tls: bool,
    /// Clients from beyond this machine show a certificate of a root that the config names.
    pub client_certificates: bool,
    /// Clients need a user, a token, or an address that the config names.
    pub users: bool,
}

impl Rules {
    /// Refuses an address that others could reach, unless that was asked for.
    pub fn check_listen(&self, key: &str, address: SocketAddr) -> Result<(), ConfigError> {
        if address.ip().is_loopback() || self.insecure.opens(key) {
            return Ok(());
        }
        Err(ConfigError::new(
            key,
            format!("{address} can be reached from other machines, without encryption or password"),
            format!("listen on 127.0.0.1, or start with --insecure={key} if you know your network"),
        ))
    }

    /// The same for a port that speaks TLS with others.
    pub fn check_tls_listen(&self, key: &str, address: SocketAddr) -> Result<(), ConfigError> {
        if self.client_certificates || (self.users && self.tls) {
            return Ok(());
        }
        self.check_listen(key, address).map_err(|error| ConfigError {
            advice: format!(
                "{}; or write [tls] and [access], so that others need a user, or [tls] with client_ca, so that they need a certificate",
                error.advice
            ),
            ..error
        })
    }
}

/// Listeners that were asked, in so many words, to be open to other machines though nothing protects them.
#[derive(Clone, Debug, Default)]
pub struct Insecure {
    /// Keys of the config, or [`Insecure::ALL`].
    listed: Vec<String>,
    /// Those that are open.
    open: Arc<Mutex<BTreeSet<String>>>,
}

impl Insecure {
    /// Every listener.
    pub const ALL: &str = "all";

    /// Those whose addresses are at these keys of the config.
    pub fn new(listed: Vec<String>) -> Self {
        Self { listed, open: Arc::default() }
    }

    fn opens(&self, key: &str) -> bool {
        let listed = self.listed.iter().any(|it| it == key || it == Self::ALL);
        if listed {
            self.keys().insert(key.to_owned());
        }
        listed
    }

    /// Listeners that are open so, of the configs that were checked by now.
    pub fn open(&self) -> Vec<String> {
        self.keys().iter().cloned().collect()
    }

    /// One that was named and of which no config had anything to open.
    pub fn unused(&self) -> Option<&str> {
        let keys = self.keys();
        self.listed.iter().map(String::as_str).find(|it| *it != Self::ALL && !keys.contains(*it))
    }

    fn keys(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
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
pub trait Service: Send {
    /// Runs until `shutdown`, then ends its connections and returns within the grace period.
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()>;
}
