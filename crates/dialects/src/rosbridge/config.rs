//! The dialect's table of the config file.

use std::net::SocketAddr;

use latimer_core::RobotId;
use latimer_core::service::{ConfigError, Rules};
use latimer_ros1::name::{base_name, is_base_name};

use super::NAME;
use crate::config::{Table, check_address, check_connected, check_origins, entries, table};

/// Port of rosbridge's own server.
pub(super) const ROSBRIDGE_PORT: u16 = 9090;

table! {
    /// `[rosbridge]`: the port for all robots, and bridges to connect to.
    RosbridgeConfig {
        /// Where to listen; nothing is served without.
        pub listen: Option<SocketAddr>,
        /// Origins of web pages, apart from this machine's, that may call it.
        pub allow_origins: Vec<String>,
        /// Robots that have another name there than their own.
        pub serve: Vec<Serve>,
        /// Robots to connect to.
        pub connect: Vec<Connect>,
    }
}

entries! {
    /// `[[rosbridge.serve]]`: what a robot's topics begin with.
    Serve {
        /// The first level of its topics.
        name: Option<String>,
    }

    /// `[[rosbridge.connect]]`: a robot behind a rosbridge.
    Connect {
        /// `host` or `host:port`, or a URL such as `wss://host/path`.
        address: String,
        /// What its topics begin with; empty for a robot whose topics are `/odom`, `/cmd_vel` and so on.
        name: Option<String>,
    }
}

fn check_ros_name(key: String, name: &str) -> Result<(), ConfigError> {
    if name.split('/').all(is_base_name) {
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
            None => format!("/{}/", base_name(self.robot.as_str())),
        }
    }
}

impl RosbridgeConfig {
    /// What a robot's topics begin with: `/rover_1/`. A robot that has no name of its own at its bridge has one here.
    pub(super) fn prefix(&self, robot: &RobotId) -> String {
        let name = |it: &Serve| (it.robot == *robot).then(|| it.name.clone()).flatten();
        let served = self.serve.iter().rev().find_map(name).map(|name| format!("/{name}/"));
        let connected = || self.connect.iter().find(|it| it.robot == *robot).map(Connect::prefix);
        let given = served.or_else(|| connected().filter(|prefix| prefix.len() > 1));
        given.unwrap_or_else(|| format!("/{}/", base_name(robot.as_str())))
    }
}

impl Table for RosbridgeConfig {
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        if let Some(listen) = self.listen {
            rules.check_tls_listen("rosbridge.listen", listen)?;
        }
        check_origins("rosbridge.allow_origins", &self.allow_origins)?;
        for (i, serve) in self.serve.iter().enumerate() {
            let name = |serve: &Serve| serve.name.clone().unwrap_or_else(|| base_name(serve.robot.as_str()));
            let key = format!("rosbridge.serve[{i}].name");
            check_ros_name(key.clone(), &name(serve))?;
            if self.serve[..i].iter().any(|other| name(other) == name(serve)) {
                let problem = format!("two robots are called {}", name(serve));
                return Err(ConfigError::new(key, problem, "give each a name of its own"));
            }
        }
        check_connected(NAME, &self.connect, |it, key| {
            check_address(key("address"), &it.address, true)?;
            match it.prefix().trim_matches('/') {
                "" => Ok(()),
                name => check_ros_name(key("name"), name),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(crate::config::problem::<RosbridgeConfig>(text).starts_with(key), "{text}");
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
