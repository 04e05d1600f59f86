//! The broker within: the config table `[broker]`, bound by `build`, served by `run`.

use std::net::SocketAddr;

use latimer_core::BrokerAddress;
use latimer_core::dialect::{BuildError, ConfigError, Rules};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

/// `[broker]`: the broker within, or another one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BrokerConfig {
    /// Where the broker within listens for MQTT 3.1.1 and 5; there is none if not given.
    pub listen: Option<SocketAddr>,
    /// Another broker instead, as `mqtt://user:password@host:port`.
    pub url: Option<String>,
}

/// A broker that holds its ports, or the address of another.
#[derive(Debug)]
pub struct Broker {
    address: BrokerAddress,
}

impl BrokerConfig {
    /// Checks what can be checked without I/O.
    pub fn validate(&self, _rules: &Rules) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Binds; `None` if neither a broker within nor another one is asked for.
    pub async fn build(self) -> Result<Option<Broker>, BuildError> {
        Ok(None)
    }
}

impl Broker {
    /// Where links of this gateway connect to, with a login of their own.
    pub fn address(&self) -> &BrokerAddress {
        &self.address
    }

    /// Serves until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        shutdown.cancelled().await;
    }
}
