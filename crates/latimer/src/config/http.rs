//! `[http]`: the common HTTP port.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use latimer_core::service::{ConfigError, Rules};
use latimer_dialects::limits::MAX_CONNECTIONS;
use serde::{Deserialize, Deserializer};

/// Where the API, the page and the dialects' common addresses are, by default.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 8080));

/// The common HTTP port.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// Address and port.
    #[serde(deserialize_with = "address")]
    pub listen: SocketAddr,
    /// Connections at a time; more wait until one ends.
    pub max_connections: usize,
    /// Names by which browsers of other machines may call it.
    pub names: Vec<String>,
    /// Whether a proxy in front of it speaks TLS.
    pub behind_tls: bool,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            listen: DEFAULT_LISTEN,
            max_connections: MAX_CONNECTIONS,
            names: Vec::new(),
            behind_tls: false,
        }
    }
}

impl Http {
    /// Checks what can be checked without I/O.
    pub fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        if self.max_connections == 0 {
            let advice = format!("leave the key out for {MAX_CONNECTIONS}");
            return Err(ConfigError::new("http.max_connections", "0 connections serve nobody", advice));
        }
        rules.check_tls_listen("http.listen", self.listen)
    }
}

fn address<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(|_| {
        serde::de::Error::custom(format_args!(
            "{text:?} is no address; write IP and port, such as \"{DEFAULT_LISTEN}\""
        ))
    })
}
