//! The dialect's table of the config file.

use latimer_core::service::{ConfigError, Rules};
use serde::{Deserialize as _, Deserializer};

use super::NAME;
use super::facade::Style;
use super::wire::Version;
use crate::config::{Connect, Serve, Table, check_address, check_connected, check_served, table};

/// Port of a Misty's own HTTP server.
pub(super) const MISTY_PORT: u16 = 80;

table! {
    /// `[misty]`: robots to connect to, and ports to serve robots on.
    MistyConfig {
        /// The version of the WebSocket system that clients see until one of them changes it.
        #[serde(deserialize_with = "version")]
        pub websocket_version: Version,
        /// Write events in PascalCase, as the samples of 2018 show.
        pub pascal_case: bool,
        /// Robots to connect to.
        pub connect: Vec<Connect>,
        /// Robots to serve on a port of their own.
        pub serve: Vec<Serve>,
    }
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl MistyConfig {
    /// How events are written.
    pub(super) fn style(&self) -> Style {
        Style { version: self.websocket_version, pascal_case: self.pascal_case }
    }
}

impl Table for MistyConfig {
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        check_served(NAME, &self.serve, rules)?;
        check_connected(NAME, &self.connect, |it, key| check_address(key("address"), &it.address, false))
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::service::Insecure;

    use super::*;

    fn read(text: &str) -> Result<MistyConfig, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn refuses_what_cannot_work() {
        assert!(read("[[serve]]\nrobot = 'a b'\nlisten = '127.0.0.1:1'").is_err());
        assert!(read("websocket_version = 'Newest'").unwrap_err().to_string().contains("Deprecated"));
        assert!(read("[[serve]]\nrobot = 'a'\nlisten = '127.0.0.1:1'\nport = 3").is_err());
        let open = read("[[serve]]\nrobot = 'a'\nlisten = '0.0.0.0:8081'").unwrap();
        let error = open.validate(&Rules::default()).unwrap_err().to_string();
        assert!(error.contains("misty.serve[0].listen") && error.contains("--insecure"), "{error}");
        assert!(
            open.validate(&Rules {
                insecure: Insecure::new(vec![Insecure::ALL.to_owned()]),
                ..Rules::default()
            })
            .is_ok()
        );
        let twice = read("[[connect]]\nrobot='a'\naddress='h'\n[[connect]]\nrobot='a'\naddress='g'").unwrap();
        assert!(twice.validate(&Rules::default()).is_err());
        let odd = read("[[connect]]\nrobot='a'\naddress='ws://h/pubsub'").unwrap();
        assert!(odd.validate(&Rules::default()).is_err());
    }
}
