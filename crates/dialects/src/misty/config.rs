//! The dialect's table of the config file.

use latimer_core::RobotId;
use latimer_core::service::{ConfigError, Rules};
use serde::{Deserialize, Deserializer};

use super::facade::Style;
use super::wire::Version;
use crate::config::{Serve, check_address, check_names, check_served, robot_id};

/// Port of a Misty's own HTTP server.
pub(super) const MISTY_PORT: u16 = 80;

/// `[misty]`: robots to connect to, and ports to serve robots on.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MistyConfig {
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

/// `[[misty.connect]]`: a Misty, or another gateway that serves one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// The name it gets here.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// `host` or `host:port`, or a URL such as `https://host`.
    pub address: String,
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl MistyConfig {
    /// How events are written.
    pub(super) fn style(&self) -> Style {
        Style { version: self.websocket_version, pascal_case: self.pascal_case }
    }

    pub(super) fn check(&self, rules: &Rules) -> Result<(), ConfigError> {
        check_served(super::NAME, &self.serve, rules)?;
        check_names(super::NAME, self.connect.iter().map(|connect| &connect.robot))?;
        for (i, connect) in self.connect.iter().enumerate() {
            check_address(format!("misty.connect[{i}].address"), &connect.address, false)?;
        }
        Ok(())
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
    fn the_reference_is_a_config() {
        let config = read(
            &super::super::ENTRY.reference.replace("[misty]", "").replace("misty.", "").replace("# ", "#"),
        );
        assert!(config.is_ok(), "{config:?}");
    }

    #[test]
    fn refuses_what_cannot_work() {
        assert!(read("[[serve]]\nrobot = 'a b'\nlisten = '127.0.0.1:1'").is_err());
        assert!(read("websocket_version = 'Newest'").unwrap_err().to_string().contains("Deprecated"));
        assert!(read("[[serve]]\nrobot = 'a'\nlisten = '127.0.0.1:1'\nport = 3").is_err());
        let open = read("[[serve]]\nrobot = 'a'\nlisten = '0.0.0.0:8081'").unwrap();
        let error = open.check(&Rules::default()).unwrap_err().to_string();
        assert!(error.contains("misty.serve[0].listen") && error.contains("--insecure"), "{error}");
        assert!(
            open.check(&Rules {
                insecure: Insecure::new(vec![Insecure::ALL.to_owned()]),
                ..Rules::default()
            })
            .is_ok()
        );
        let twice = read("[[connect]]\nrobot='a'\naddress='h'\n[[connect]]\nrobot='a'\naddress='g'").unwrap();
        assert!(twice.check(&Rules::default()).is_err());
        let odd = read("[[connect]]\nrobot='a'\naddress='ws://h/pubsub'").unwrap();
        assert!(odd.check(&Rules::default()).is_err());
    }
}
