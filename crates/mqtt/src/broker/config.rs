//! The config table `[broker]`.

use std::net::SocketAddr;

use latimer_core::BrokerAddress;
use latimer_core::service::{ConfigError, Rules};
use latimer_http_guard::{AllowedOrigin, BadOrigin};
use serde::Deserialize;

use crate::client::MAX_UNCONFIRMED_WITHIN;

/// `[broker]`: the broker within, or another one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BrokerConfig {
    /// Where the broker within listens for MQTT 3.1.1 and 5; there is none if not given.
    pub listen: Option<SocketAddr>,
    /// Where it listens for MQTT over TLS, too, with the certificates of `[tls]`.
    pub tls_listen: Option<SocketAddr>,
    /// Another broker instead, as `mqtt://user:password@host:port`, or `mqtts://` for TLS.
    pub url: Option<String>,
    /// The same broker over WebSockets, for pages.
    pub websocket: Option<WebSocket>,
    /// Who may connect; anybody if none is named.
    pub users: Vec<User>,
    /// Limits for clients.
    pub limits: Limits,
}

/// The key of the port for MQTT.
pub(super) const LISTEN: &str = "broker.listen";

/// The key of the port for MQTT over TLS.
pub(super) const TLS_LISTEN: &str = "broker.tls_listen";

/// The key of the pages that may connect.
pub(super) const ALLOW_ORIGINS: &str = "broker.websocket.allow_origins";

/// `[broker.websocket]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebSocket {
    /// Where it listens; any path will do, `/mqtt` is the usual one.
    pub listen: SocketAddr,
    /// Origins of web pages, apart from this machine's, that may connect.
    #[serde(default)]
    pub allow_origins: Vec<String>,
}

/// `[[broker.users]]`.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// Name.
    pub name: String,
    /// Password.
    pub password: String,
}

/// Without the password.
impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("User").field("name", &self.name).finish_non_exhaustive()
    }
}

/// `[broker.limits]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Clients of a port at a time; more wait until one goes.
    pub max_clients: usize,
    /// Biggest packet, in bytes; a client that sends a bigger one is disconnected.
    pub max_packet_bytes: usize,
    /// Messages a second that a client can publish; faster ones are read no faster. 0 is no limit.
    pub max_rate: u32,
    /// Messages of QoS 2 that a client of MQTT 5 can have under way; one with more is disconnected.
    pub max_inflight: u16,
    /// Messages that wait for a client that is slow or away.
    pub max_queued: usize,
    /// Bytes that wait for a client that is slow or away.
    pub max_queued_bytes: usize,
    /// Subscriptions of a client.
    pub max_subscriptions: usize,
    /// Retained messages in all.
    pub max_retained: usize,
    /// Clients that are away and have a session; of more, those that are away longest are forgotten.
    pub max_away: usize,
    /// How long the session of a client that is away is kept, in seconds.
    pub session_expiry_s: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_clients: 16_384,
            max_packet_bytes: 1 << 20,
            max_rate: 2_000,
            max_inflight: 1_024,
            max_queued: 16_384,
            max_queued_bytes: 16 << 20,
            max_subscriptions: 1_024,
            max_retained: 65_536,
            max_away: 4_096,
            session_expiry_s: 86_400,
        }
    }
}

/// Smallest packet size that leaves room for what the dialects send.
const MIN_PACKET_BYTES: usize = 1_024;

impl BrokerConfig {
    /// Checks what can be checked without I/O.
    pub fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        let Self { listen, tls_listen, url, websocket, users, limits } = self;
        let wrong = |key: &str, problem: String, advice: &str| Err(ConfigError::new(key, problem, advice));
        if let Some(url) = url {
            if let Err(error) = url.parse::<BrokerAddress>() {
                return wrong(
                    "broker.url",
                    error.to_string(),
                    "for instance mqtt://192.168.1.10:1883, or mqtts://broker.lab:8883",
                );
            }
            if listen.is_some() {
                return wrong(
                    "broker.url",
                    "there is a broker within (listen) and another one (url)".to_owned(),
                    "keep one of them",
                );
            }
        }
        let belonging = [
            (websocket.is_some(), "broker.websocket"),
            (tls_listen.is_some(), TLS_LISTEN),
            (!users.is_empty(), "broker.users"),
        ];
        if let (None, Some((_, key))) = (listen, belonging.into_iter().find(|(is_there, _)| *is_there)) {
            let problem = "there is no broker within that this could belong to".to_owned();
            return wrong(key, problem, "add listen = \"127.0.0.1:1883\" to [broker], or leave this out");
        }
        if let Some(listen) = listen {
            rules.check_listen(LISTEN, *listen)?;
        }
        if let Some(listen) = tls_listen {
            if !rules.tls {
                let problem = "there are no certificates for it".to_owned();
                return wrong(TLS_LISTEN, problem, "write [tls] with certificate and key, or leave this out");
            }
            rules.check_tls_listen(TLS_LISTEN, *listen)?;
        }
        if let Some(websocket) = websocket {
            rules.check_tls_listen("broker.websocket.listen", websocket.listen)?;
            if let Err((at, error)) = AllowedOrigin::parse_all(&websocket.allow_origins) {
                let key = format!("{ALLOW_ORIGINS}[{at}]");
                return wrong(&key, error.to_string(), BadOrigin::ADVICE);
            }
        }
        for (index, user) in users.iter().enumerate() {
            let key = format!("broker.users[{index}].name");
            if user.name.is_empty() {
                return wrong(&key, "a user needs a name".to_owned(), "write one");
            }
            if users.iter().take(index).any(|other| other.name == user.name) {
                return wrong(&key, format!("{:?} is there twice", user.name), "keep one of them");
            }
            if user.password.is_empty() {
                let key = format!("broker.users[{index}].password");
                return wrong(&key, format!("{:?} has an empty password", user.name), "write one");
            }
        }
        limits.validate()
    }
}

impl Limits {
    fn validate(&self) -> Result<(), ConfigError> {
        let counts = [
            ("max_clients", self.max_clients),
            ("max_queued", self.max_queued),
            ("max_queued_bytes", self.max_queued_bytes),
            ("max_subscriptions", self.max_subscriptions),
            ("max_retained", self.max_retained),
            ("max_away", self.max_away),
        ];
        for (key, count) in counts {
            if count == 0 {
                let key = format!("broker.limits.{key}");
                return Err(ConfigError::new(key, "0 lets nothing through", "write 1 or more"));
            }
        }
        if self.max_inflight < MAX_UNCONFIRMED_WITHIN {
            return Err(ConfigError::new(
                "broker.limits.max_inflight",
                format!("{} are too few for the gateway itself", self.max_inflight),
                format!("write {MAX_UNCONFIRMED_WITHIN} or more"),
            ));
        }
        if self.max_packet_bytes < MIN_PACKET_BYTES {
            return Err(ConfigError::new(
                "broker.limits.max_packet_bytes",
                format!("{} bytes are too few for a packet", self.max_packet_bytes),
                format!("write {MIN_PACKET_BYTES} or more"),
            ));
        }
        Ok(())
    }
}
