//! The dialect's table of the config file.

use std::net::SocketAddr;

use latimer_core::RobotId;
use latimer_core::service::{ConfigError, Rules};
use serde::Deserialize;

use crate::config::{check_address, check_names, check_origins, robot_id};

/// Port of rosbridge's own server.
pub(super) const ROSBRIDGE_PORT: u16 = 9090;

/// `[rosbridge]`: the port for all robots, and bridges to connect to.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RosbridgeConfig {
    /// Where to listen; nothing is served without.
    pub listen: Option<SocketAddr>,
    /// Origins of web pages, apart from this machine's, that may call it.
    pub allow_origins: Vec<String>,
    /// Robots that have another name there than their own.
    pub serve: Vec<Serve>,
    /// Robots to connect to.
    pub connect: Vec<Connect>,
}

/// `[[rosbridge.serve]]`: what a robot's topics begin with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serve {
    /// Which robot.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// The first level of its topics.
    #[serde(default)]
    pub name: Option<String>,
}

/// `[[rosbridge.connect]]`: a robot behind a rosbridge.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// The name it gets here.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// `host` or `host:port`, or a URL such as `wss://host/path`.
    pub address: String,
    /// What its topics begin with; empty for a robot whose topics are `/odom`, `/cmd_vel` and so on.
    #[serde(default)]
    pub name: Option<String>,
}

/// What topics of a robot begin with unless the config names it: `rover-1` is `rover_1`.
pub(super) fn ros_name(robot: &RobotId) -> String {
    robot.as_str().chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect()
}

fn check_ros_name(key: String, name: &str) -> Result<(), ConfigError> {
    let is_level = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    if name.split('/').all(is_level) {
        return Ok(());
    }
    let advice = "write letters, digits and `_`, with `/` between levels";
    Err(ConfigError::new(key, format!("{name:?} is no name in ROS"), advice))
}

impl Connect {
    /// What the robot's topics begin with, with a slash behind each level.
    pub(super) fn prefix(&self) -> String {
        match self.name.as_deref().map(|name| name.trim_matches('/')) {
            Some("") => "/".to_owned(),
            Some(name) => format!("/{name}/"),
            None => format!("/{}/", ros_name(&self.robot)),
        }
    }
}

impl RosbridgeConfig {
    pub(super) fn check(&self, rules: &Rules) -> Result<(), ConfigError> {
        if let Some(listen) = self.listen {
            rules.check_tls_listen("rosbridge.listen", listen)?;
        }
        check_origins("rosbridge.allow_origins", &self.allow_origins)?;
        for (i, serve) in self.serve.iter().enumerate() {
            let name = |serve: &Serve| serve.name.clone().unwrap_or_else(|| ros_name(&serve.robot));
            let key = format!("rosbridge.serve[{i}].name");
            check_ros_name(key.clone(), &name(serve))?;
            if self.serve[..i].iter().any(|other| name(other) == name(serve)) {
                let problem = format!("two robots are called {}", name(serve));
                return Err(ConfigError::new(key, problem, "give each a name of its own"));
            }
        }
        check_names(super::NAME, self.connect.iter().map(|connect| &connect.robot))?;
        for (i, connect) in self.connect.iter().enumerate() {
            check_address(format!("rosbridge.connect[{i}].address"), &connect.address, true)?;
            let name = connect.prefix();
            if name != "/" {
                check_ros_name(format!("rosbridge.connect[{i}].name"), name.trim_matches('/'))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RosbridgeConfig, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn the_reference_is_a_config() {
        let text = super::super::ENTRY.reference.replace("[rosbridge]", "").replace("rosbridge.", "");
        let config = read(&text.replace("# ", "#"));
        assert!(config.is_ok(), "{config:?}");
    }

    #[test]
    fn refuses_what_cannot_work() {
        for (text, key) in [
            ("listen = '0.0.0.0:9090'", "rosbridge.listen"),
            ("allow_origins = ['x']", "rosbridge.allow_origins[0]"),
            ("[[serve]]\nrobot='a'\nname='x y'", "rosbridge.serve[0].name"),
            ("[[serve]]\nrobot='a-b'\n[[serve]]\nrobot='c'\nname='a_b'", "rosbridge.serve[1].name"),
            ("[[connect]]\nrobot='a'\naddress='ws://h?a'", "rosbridge.connect[0].address"),
            ("[[connect]]\nrobot='a'\naddress='h'\nname='x y'", "rosbridge.connect[0].name"),
        ] {
            assert_eq!(read(text).unwrap().check(&Rules::default()).unwrap_err().key, key);
        }
    }

    #[test]
    fn topics_begin_with_the_robots_name_or_with_what_is_written() {
        let prefix = |name: Option<&str>| {
            let (robot, address) = ("rover-1".parse().unwrap(), "h".to_owned());
            Connect { robot, address, name: name.map(str::to_owned) }.prefix()
        };
        assert_eq!([None, Some(""), Some("/a/b")].map(prefix), ["/rover_1/", "/", "/a/b/"]);
    }
}
