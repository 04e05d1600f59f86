//! What the tables of all dialects have in common: who is served where, which names are taken, addresses.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::ops::RangeInclusive;

use latimer_core::RobotId;
use latimer_core::service::{BuildError, ConfigError, Rules};
use latimer_http_guard::{AllowedOrigin, BadOrigin};
use latimer_listen::Address;
use serde::{Deserialize as _, Deserializer};

/// A dialect's table.
pub trait Table {
    /// Checks what can be checked without I/O.
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError>;
}

/// An entry of a dialect's `connect` or `serve`.
pub trait OfRobot {
    /// The robot that it is of.
    fn robot(&self) -> &RobotId;
}

/// Declares entries of a dialect's lists: a robot, and the keys beside it. No other may stand there.
macro_rules! entries {
    ($($(#[$about:meta])* $name:ident { $($(#[$key_about:meta])* $key:ident: $type:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// Its name here.
            #[serde(deserialize_with = "crate::config::robot_id")]
            pub robot: latimer_core::RobotId,
            $($(#[$key_about])* pub $key: $type,)*
        }

        impl crate::config::OfRobot for $name {
            fn robot(&self) -> &latimer_core::RobotId {
                &self.robot
            }
        }
    )*};
}

/// Declares a dialect's table: its keys, each with its default unless that is the type's own.
macro_rules! table {
    ($(#[$about:meta])* $name:ident { $($(#[$key_about:meta])* $vis:vis $key:ident: $type:ty $(= $default:expr)?,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$key_about])* $vis $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: crate::config::default_of!($($default)?),)* }
            }
        }
    };
}

macro_rules! default_of {
    () => {
        Default::default()
    };
    ($value:expr) => {
        $value
    };
}

pub(crate) use {default_of, entries, table};

entries! {
    /// `[[NAME.connect]]`: a robot, or another gateway that serves one.
    Connect {
        /// `host` or `host:port`, or a URL such as `https://host`.
        address: String,
    }

    /// `[[NAME.serve]]`: a robot of any family, served on a port of its own.
    Serve {
        /// Where to listen.
        listen: SocketAddr,
        /// Origins of web pages, apart from this machine's, that may call it.
        #[serde(default)]
        allow_origins: Vec<String>,
    }
}

/// Reads a robot's name; the error tells what may stand in one.
pub fn robot_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RobotId, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// Refuses ports that others could reach unasked, those that are used twice, and origins that are none.
pub(crate) fn check_served(dialect: &str, served: &[Serve], rules: &Rules) -> Result<(), ConfigError> {
    check_ports(dialect, served.iter().cloned().enumerate(), rules)
}

/// The same of entries of which not each has a port, each with its place in the list.
pub(crate) fn check_ports(
    dialect: &str,
    served: impl Iterator<Item = (usize, Serve)>,
    rules: &Rules,
) -> Result<(), ConfigError> {
    let mut taken = BTreeSet::new();
    for (i, serve) in served {
        let key = format!("{dialect}.serve[{i}].listen");
        rules.check_tls_listen(&key, serve.listen)?;
        if serve.listen.port() != 0 && !taken.insert(serve.listen) {
            let problem = format!("{} is used twice", serve.listen);
            return Err(ConfigError::new(key, problem, "give each robot a port of its own"));
        }
        check_origins(&format!("{dialect}.serve[{i}].allow_origins"), &serve.allow_origins)?;
    }
    Ok(())
}

/// Refuses origins of web pages that are none; `key` is the list's.
pub(crate) fn check_origins(key: &str, origins: &[String]) -> Result<(), ConfigError> {
    AllowedOrigin::parse_all(origins)
        .map(drop)
        .map_err(|(at, error)| ConfigError::new(format!("{key}[{at}]"), error.to_string(), BadOrigin::ADVICE))
}

/// Refuses what is no address of a robot, and a path where its dialect has none.
pub(crate) fn check_address(key: String, address: &str, may_have_path: bool) -> Result<(), ConfigError> {
    let problem = match Address::parse(address, Some(1)) {
        Ok(address) if address.has_path() && !may_have_path => format!("{address} has a path"),
        Ok(_) => return Ok(()),
        Err(error) => error.to_string(),
    };
    Err(ConfigError::new(
        key,
        problem,
        "write a host or host:port, such as 192.168.1.20, or https://NAME:PASSWORD@host for TLS and a gateway with users",
    ))
}

/// The address of a robot in a dialect's table, whose port need not be written.
pub(crate) fn address_of(dialect: &str, address: &str, own_port: u16) -> Result<Address, BuildError> {
    Address::parse(address, Some(own_port))
        .map_err(|error| BuildError::Other(format!("{dialect}.connect: {error}")))
}

/// Refuses names that two robots to connect to would share, and what `check` refuses of each, which gets the place of a key.
pub(crate) fn check_connected<C: OfRobot>(
    dialect: &str,
    connected: &[C],
    check: impl Fn(&C, &dyn Fn(&str) -> String) -> Result<(), ConfigError>,
) -> Result<(), ConfigError> {
    let place = |i: usize, key: &str| format!("{dialect}.connect[{i}].{key}");
    for (i, connect) in connected.iter().enumerate() {
        let robot = connect.robot();
        if connected[..i].iter().any(|other| other.robot() == robot) {
            let problem = format!("{robot} is named twice");
            return Err(ConfigError::new(place(i, "robot"), problem, "give each robot a name of its own"));
        }
    }
    connected.iter().enumerate().try_for_each(|(i, connect)| check(connect, &|key| place(i, key)))
}

/// Refuses a number outside of a range.
pub(crate) fn check_range(
    key: &str,
    value: f64,
    range: RangeInclusive<f64>,
    what: &str,
) -> Result<(), ConfigError> {
    if range.contains(&value) {
        return Ok(());
    }
    let advice = format!("write seconds from {} to {}", range.start(), range.end());
    Err(ConfigError::new(key, format!("{value} is no {what}"), advice))
}

/// What is wrong with a dialect's table.
#[cfg(test)]
pub(crate) fn problem<D: Table + serde::de::DeserializeOwned>(table: &str) -> String {
    let config: D = toml::from_str(table).unwrap();
    config.validate(&Rules::default()).unwrap_err().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_that_is_none_is_named_with_its_place() {
        let serve: Serve = toml::from_str(
            "robot = 'a'\nlisten = '127.0.0.1:1'\nallow_origins = ['https://app.example', 'app.example']",
        )
        .unwrap();
        let error = check_served("test", &[serve], &Rules::default()).unwrap_err();
        assert_eq!(error.key, "test.serve[0].allow_origins[1]");
        assert!(error.advice.contains("https://app.example"), "{error}");
    }
}
