//! Where an MQTT broker is reached; the core itself opens no socket.

use std::fmt;
use std::str::FromStr;

/// Port of MQTT without encryption.
pub const MQTT_PORT: u16 = 1883;

/// Port of MQTT over TLS.
pub const MQTTS_PORT: u16 = 8883;

/// A broker's address, read from `mqtt://user:password@host:port`, or `mqtts://` for TLS; only the host must be written.
///
/// ```
/// use latimer_core::BrokerAddress;
///
/// let address: BrokerAddress = "mqtts://swarm:secret@broker.lab".parse()?;
/// assert_eq!(address.authority(), "broker.lab:8883");
/// assert_eq!(address.to_string(), "mqtts://broker.lab:8883", "without the password");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct BrokerAddress {
    /// Host name or address; one with colons stands in brackets.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Who connects, and the password; anybody if not given.
    pub login: Option<(String, String)>,
    /// Whether it is spoken to by TLS.
    pub is_tls: bool,
}

/// A text that is no broker's address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no address of a broker; write host, host:port or mqtt://user:password@host:port, or mqtts:// for TLS"
)]
pub struct BrokerAddressError(String);

impl BrokerAddress {
    /// An address without a login and without TLS.
    pub fn new(host: impl Into<String>, port: u16) -> Self {
        Self { host: host.into(), port, login: None, is_tls: false }
    }

    /// `host:port`.
    pub fn authority(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

impl FromStr for BrokerAddress {
    type Err = BrokerAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let whole = text.trim();
        let wrong = || BrokerAddressError(without_password(whole));
        let (is_tls, rest) = match whole.strip_prefix("mqtts://") {
            Some(rest) => (true, rest),
            None => (false, whole.strip_prefix("mqtt://").unwrap_or(whole)),
        };
        let rest = rest.trim_end_matches('/');
        let (login, authority) = match rest.rsplit_once('@') {
            Some((login, authority)) => {
                let (user, password) = login.split_once(':').unwrap_or((login, ""));
                (Some((user.to_owned(), password.to_owned())), authority)
            }
            None => (None, rest),
        };
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| wrong())?),
            _ => (authority, if is_tls { MQTTS_PORT } else { MQTT_PORT }),
        };
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let is_host = match bare {
            Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok(),
            None => !host.contains(':'),
        };
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '/' | '?' | '#' | '@');
        if host.is_empty() || !is_host || host.contains(odd) || port == 0 {
            return Err(wrong());
        }
        Ok(Self { host: host.to_owned(), port, login, is_tls })
    }
}

fn without_password(text: &str) -> String {
    text.rsplit_once('@').map_or_else(|| text.to_owned(), |(_, authority)| format!("…@{authority}"))
}

/// Without the password.
impl fmt::Display for BrokerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mqtt{}://{}", if self.is_tls { "s" } else { "" }, self.authority())
    }
}

/// Without the password.
impl fmt::Debug for BrokerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> BrokerAddress {
        text.parse().unwrap()
    }

    #[test]
    fn only_the_host_must_be_written() {
        assert_eq!(read("broker.lab"), BrokerAddress::new("broker.lab", 1883));
        assert_eq!(read("127.0.0.1:2000"), BrokerAddress::new("127.0.0.1", 2000));
        assert_eq!(read("mqtt://[::1]:2000/"), BrokerAddress::new("[::1]", 2000));
        assert_eq!(read("[::1]").authority(), "[::1]:1883");
        let tls = BrokerAddress { is_tls: true, ..BrokerAddress::new("broker.lab", 8883) };
        assert_eq!(read("mqtts://broker.lab"), tls);
        assert_eq!(read("mqtts://broker.lab:1/").to_string(), "mqtts://broker.lab:1");
        let login = read("mqtt://swarm:p@ss:word@host").login;
        assert_eq!(login, Some(("swarm".to_owned(), "p@ss:word".to_owned())));
    }

    #[test]
    fn a_password_is_never_shown() {
        let address = read("mqtt://swarm:secret@host:1");
        assert_eq!(format!("{address} {address:?}"), "mqtt://host:1 mqtt://host:1");
        let error = "mqtt://swarm:secret@:1".parse::<BrokerAddress>().unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "mqtt://",
            ":1883",
            "a b",
            "host:0",
            "host:99999",
            "http://host",
            "host/path",
            "::1",
            "mqtts://",
            "mqtts://host:a",
        ] {
            assert!(text.parse::<BrokerAddress>().is_err(), "{text}");
        }
    }
}
