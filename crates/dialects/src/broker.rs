//! What dialects over MQTT have in common: which broker they speak at, and what to say if there is none.

use crate::contract::Context;
use latimer_core::BrokerAddress;
use latimer_core::service::{BuildError, ConfigError};

/// Refuses a text that is no broker's address.
pub(crate) fn check_broker(key: impl Into<String>, text: &str) -> Result<(), ConfigError> {
    match text.parse::<BrokerAddress>() {
        Ok(_) => Ok(()),
        Err(error) => Err(ConfigError::new(key, error.to_string(), "such as \"127.0.0.1:1883\"")),
    }
}

/// A broker's address of a dialect's table.
pub(crate) fn broker_address(dialect: &str, text: &str) -> Result<BrokerAddress, BuildError> {
    text.parse().map_err(|error| BuildError::Other(format!("{dialect}: {error}")))
}

/// The broker of a dialect: the one of its own table, or the gateway's.
pub(crate) fn broker_of(
    dialect: &str,
    own: Option<&str>,
    context: &Context,
) -> Result<Option<BrokerAddress>, BuildError> {
    match own {
        Some(own) => broker_address(dialect, own).map(Some),
        None => Ok(context.broker.clone()),
    }
}

/// What is wrong if a dialect needs a broker and there is none.
pub(crate) fn no_broker(dialect: &str) -> BuildError {
    BuildError::Other(format!(
        "{dialect}: there is no broker; add `[broker] listen = \"127.0.0.1:1883\"`, or \
         `broker = \"mqtt://host:port\"` to [{dialect}]"
    ))
}
