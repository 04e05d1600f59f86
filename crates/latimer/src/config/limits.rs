//! `[limits]`: what no client can exceed.

use latimer_core::service::ConfigError;
use latimer_dialects::listen::MAX_REQUESTS_PER_S;
use serde::Deserialize;

/// What no client can exceed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Connections of one address to one listener; half of those that it takes if not given.
    pub connections_per_address: Option<usize>,
    /// Requests a second of one address to HTTP ports; faster ones are answered no faster. 0 is no limit.
    pub requests_per_s: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections_per_address: None, requests_per_s: MAX_REQUESTS_PER_S }
    }
}

impl Limits {
    /// Checks what can be checked without I/O.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.connections_per_address == Some(0) {
            let advice = "leave the key out for half of the connections of each port";
            return Err(ConfigError::new(
                "limits.connections_per_address",
                "0 connections serve nobody",
                advice,
            ));
        }
        Ok(())
    }
}
