//! What the tables of all dialects have in common: who is served where, which names are taken, addresses.

use std::net::SocketAddr;

use latimer_core::RobotId;
use latimer_core::service::{BuildError, ConfigError, Rules};
use latimer_http_guard::{AllowedOrigin, BadOrigin};
use latimer_listen::Address;
use serde::{Deserialize, Deserializer};

/// `[[NAME.serve]]`: a robot of any family, served on a port of its own.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serve {
    /// Which robot.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Origins of web pages, apart from this machine's, that may call it.
    #[serde(default)]
    pub allow_origins: Vec<String>,
}

/// Reads a robot's name; the error tells what may stand in one.
pub(crate) fn robot_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RobotId, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// Refuses ports that others could reach unasked, those that are used twice, and origins that are none.
pub(crate) fn check_served(dialect: &str, served: &[Serve], rules: &Rules) -> Result<(), ConfigError> {
    for (i, serve) in served.iter().enumerate() {
        let key = format!("{dialect}.serve[{i}].listen");
        rules.check_tls_listen(&key, serve.listen)?;
        if serve.listen.port() != 0 && served[..i].iter().any(|other| other.listen == serve.listen) {
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

/// Refuses names that two robots to connect to would share.
pub(crate) fn check_names<'a>(
    dialect: &str,
    robots: impl Iterator<Item = &'a RobotId> + Clone,
) -> Result<(), ConfigError> {
    for (i, robot) in robots.clone().enumerate() {
        if robots.clone().take(i).any(|other| other == robot) {
            let key = format!("{dialect}.connect[{i}].robot");
            let problem = format!("{robot} is named twice");
            return Err(ConfigError::new(key, problem, "give each robot a name of its own"));
        }
    }
    Ok(())
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
