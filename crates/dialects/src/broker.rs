//! What dialects over MQTT have in common: which broker they speak at, and what to say if there is none.

use std::net::IpAddr;

use crate::contract::BuildContext;
use latimer_core::BrokerAddress;
use latimer_core::service::{BuildError, ConfigError};

/// Where programs of others reach a broker, for lines to copy.
pub(crate) struct Reached {
    /// As `mqtts://host:port`.
    pub(crate) url: String,
    host: String,
    pub(crate) port: String,
    /// What stands behind the address, such as the channel of a swarm.
    pub(crate) below: Option<String>,
}

impl Reached {
    /// At an URL, such as `mqtt://host:port/channel`.
    pub(crate) fn at(url: &str) -> Option<Self> {
        let (scheme, rest) =
            url.split_once("://").filter(|(scheme, _)| matches!(*scheme, "mqtt" | "mqtts"))?;
        let (authority, below) = rest.split_once('/').map_or((rest, None), |(at, below)| (at, Some(below)));
        let (host, port) = authority.rsplit_once(':')?;
        Some(Self {
            url: format!("{scheme}://{authority}"),
            host: host.trim_matches(['[', ']']).to_owned(),
            port: port.to_owned(),
            below: below.map(str::to_owned),
        })
    }

    /// The same with something else behind the address.
    pub(crate) fn with(self, below: Option<String>) -> Self {
        Self { below, ..self }
    }

    pub(crate) fn is_tls(&self) -> bool {
        self.url.starts_with("mqtts:")
    }

    /// Whether it is on this machine.
    pub(crate) fn is_here(&self) -> bool {
        self.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback() || ip.is_unspecified())
    }

    /// Options of Mosquitto's programs.
    pub(crate) fn mosquitto(&self) -> String {
        let tls = if self.is_tls() { " --tls-use-os-certs" } else { "" };
        format!("-h {} -p {}{tls}", self.host, self.port)
    }

    /// Lines of Python that connect.
    pub(crate) fn paho(&self) -> String {
        let tls = if self.is_tls() { "client.tls_set()\n" } else { "" };
        format!("{tls}client.connect(\"{}\", {})\n", self.host, self.port)
    }
}

impl From<&BrokerAddress> for Reached {
    fn from(address: &BrokerAddress) -> Self {
        let BrokerAddress { host, port, .. } = address;
        let (host, port) = (host.trim_matches(['[', ']']).to_owned(), port.to_string());
        Self { url: address.to_string(), host, port, below: None }
    }
}

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
    context: &BuildContext,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_to_copy_speak_tls_where_the_broker_does() {
        let plain = Reached::at("mqtt://[::1]:1883/v1/a").unwrap();
        assert_eq!((plain.mosquitto().as_str(), plain.below.as_deref()), ("-h ::1 -p 1883", Some("v1/a")));
        assert_eq!(plain.paho(), "client.connect(\"::1\", 1883)\n");
        let tls = Reached::from(&"mqtts://swarm:secret@broker.lab".parse().unwrap());
        assert_eq!((tls.url.as_str(), tls.below), ("mqtts://broker.lab:8883", None));
        let tls = Reached::at(&tls.url).unwrap();
        assert_eq!(tls.mosquitto(), "-h broker.lab -p 8883 --tls-use-os-certs");
        assert!(tls.paho().starts_with("client.tls_set()\n"));
        assert!(Reached::at("ws://h:1/mqtt").is_none());
    }
}
