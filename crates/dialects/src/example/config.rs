//! The dialect's table of the config file.

use latimer_core::RobotId;
use latimer_core::service::{ConfigError, Rules};
use serde::Deserialize;

use super::NAME;
use crate::config::{Serve, check_address, check_names, check_served, robot_id};

/// Port of such a robot.
pub(super) const EXAMPLE_PORT: u16 = 8765;

/// `[example]`: robots to connect to, and ports to serve robots on.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExampleConfig {
    /// Robots to connect to.
    pub connect: Vec<Connect>,
    /// Robots to serve on a port of their own.
    pub serve: Vec<Serve>,
}

/// `[[example.connect]]`: such a robot, or another gateway that serves one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// The name it gets here.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// `host` or `host:port`, or a URL such as `https://host`.
    pub address: String,
}

impl ExampleConfig {
    pub(super) fn check(&self, rules: &Rules) -> Result<(), ConfigError> {
        check_served(NAME, &self.serve, rules)?;
        check_names(NAME, self.connect.iter().map(|connect| &connect.robot))?;
        for (i, connect) in self.connect.iter().enumerate() {
            check_address(format!("{NAME}.connect[{i}].address"), &connect.address, false)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ExampleConfig, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn the_reference_is_a_config() {
        let keys = |line: &str| {
            let key = line.strip_prefix("# ").filter(|it| it.contains(" = ") || it.starts_with("[["))?;
            Some(key.replace("example.", ""))
        };
        let text: Vec<String> = super::super::ENTRY.reference.lines().filter_map(keys).collect();
        let config = read(&text.join("\n"));
        let found = config.as_ref().map(|it| (it.serve.len(), it.connect.len()));
        assert_eq!(found, Ok((1, 1)), "{config:?}");
    }

    #[test]
    fn refuses_what_cannot_work() {
        for (text, key) in [
            ("[[serve]]\nrobot='a'\nlisten='0.0.0.0:8765'", "example.serve[0].listen"),
            ("[[connect]]\nrobot='a'\naddress='h/path'", "example.connect[0].address"),
            (
                "[[connect]]\nrobot='a'\naddress='h'\n[[connect]]\nrobot='a'\naddress='g'",
                "example.connect[1].robot",
            ),
        ] {
            assert_eq!(read(text).unwrap().check(&Rules::default()).unwrap_err().key, key);
        }
    }
}
