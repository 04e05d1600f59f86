//! The dialect's table of the config file.

use std::collections::HashMap;
use std::net::SocketAddr;

use latimer_core::RobotId;
use latimer_core::service::{ConfigError, Rules};
use latimer_ros1::name::{base_name, is_base_name};

use super::NAME;
use super::described::{Described, PRESETS, Role, Roles};
use crate::config::{
    self, Table, check_address, check_connected, check_origins, check_ports, entries, table,
};

/// Port of rosbridge's own server.
pub(super) const ROSBRIDGE_PORT: u16 = 9090;

table! {
    /// `[rosbridge]`: the port for all robots, and bridges to connect to.
    RosbridgeConfig {
        /// Where to listen; nothing is served without.
        pub listen: Option<SocketAddr>,
        /// Origins of web pages, apart from this machine's, that may call it.
        pub allow_origins: Vec<String>,
        /// Robots that have another name there than their own, or a port of their own.
        pub serve: Vec<Serve>,
        /// Robots to connect to.
        pub connect: Vec<Connect>,
    }
}

entries! {
    /// `[[rosbridge.serve]]`: what a robot's topics begin with on the port for all, and a port of its own.
    Serve {
        /// The first level of its topics.
        name: Option<String>,
        /// Where it alone is served, with topics such as `/odom`.
        listen: Option<SocketAddr>,
        /// Origins of web pages, apart from this machine's, that may call that port.
        #[serde(default)]
        allow_origins: Vec<String>,
    }

    /// `[[rosbridge.connect]]`: a robot behind a rosbridge.
    Connect {
        /// `host` or `host:port`, or a URL such as `wss://host/path`.
        address: String,
        /// What its topics begin with; empty for a robot whose topics are `/odom`, `/cmd_vel` and so on.
        name: Option<String>,
        /// Of which make it is, for topics that others call otherwise.
        preset: Option<String>,
        /// Its topics by what they are for.
        #[serde(default)]
        topics: Roles,
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

impl Connect {
    /// What the config says of its topics.
    pub(super) fn described(&self) -> Described {
        Described::new(&self.prefix(), self.preset.as_deref(), &self.topics)
    }

    /// Refuses a preset that there is not, and topics that are none.
    fn check_topics(&self, key: &dyn Fn(&str) -> String) -> Result<(), ConfigError> {
        if let Some(preset) = self.preset.as_deref().filter(|name| !PRESETS.contains_key(*name)) {
            let names: Vec<_> = PRESETS.keys().map(String::as_str).collect();
            let advice = format!("write one of {}, or name the topics themselves", names.join(", "));
            return Err(ConfigError::new(key("preset"), format!("there is no preset {preset:?}"), advice));
        }
        let is_level = |level: &str| {
            !level.is_empty() && level.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        };
        let is_name = |name: &str| name.strip_prefix('/').unwrap_or(name).split('/').all(is_level);
        if let Some((role, name)) = self.topics.iter().find(|(_, name)| !is_name(name)) {
            let advice =
                "write letters, digits and `_`, with `/` between levels and at the beginning of a full name";
            return Err(ConfigError::new(
                key("topics"),
                format!("{role:?} = {name:?} is no name in ROS"),
                advice,
            ));
        }
        if [Role::CmdVel, Role::CmdVelStamped].iter().all(|role| self.topics.contains_key(role)) {
            let problem = "cmd_vel and cmd_vel_stamped are both there";
            return Err(ConfigError::new(key("topics"), problem, "write the one that the base takes"));
        }
        Ok(())
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

    /// The robots that the table names.
    pub(super) fn named(&self) -> impl Iterator<Item = &RobotId> {
        self.serve.iter().map(|it| &it.robot).chain(self.connect.iter().map(|it| &it.robot))
    }

    /// Whether an entry is of a port alone, and no name that clients of the port for all know.
    pub(super) fn is_port_alone(&self, number: usize) -> bool {
        self.serve.get(number).is_some_and(|it| it.name.is_none() && it.listen.is_some())
    }

    /// Ports of single robots, each with its place in the list.
    pub(super) fn own_ports(&self) -> impl Iterator<Item = (usize, config::Serve)> {
        self.serve.iter().enumerate().filter_map(|(i, it)| {
            let (robot, allow_origins) = (it.robot.clone(), it.allow_origins.clone());
            Some((i, config::Serve { robot, listen: it.listen?, allow_origins }))
        })
    }

    /// Refuses robots that would have one name.
    pub(super) fn check_names<'a>(
        &'a self,
        robots: impl Iterator<Item = &'a RobotId>,
    ) -> Result<(), ConfigError> {
        let mut holders = HashMap::new();
        for robot in self.named().chain(robots) {
            let prefix = self.prefix(robot);
            let Some(other) = holders.insert(prefix.clone(), robot).filter(|other| *other != robot) else {
                continue;
            };
            let problem = format!(
                "{other} and {robot} would both be {prefix} in ROS, where a speed for one moved the other"
            );
            let advice =
                format!("add [[rosbridge.serve]] with robot = \"{robot}\" and name = \"another_name\"");
            return Err(ConfigError::new("rosbridge.serve", problem, advice));
        }
        Ok(())
    }
}

impl Table for RosbridgeConfig {
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        if let Some(listen) = self.listen {
            rules.check_tls_listen("rosbridge.listen", listen)?;
        }
        check_origins("rosbridge.allow_origins", &self.allow_origins)?;
        for (i, serve) in self.serve.iter().enumerate() {
            let (key, robot) = (format!("rosbridge.serve[{i}].name"), &serve.robot);
            if serve.name.as_deref() == Some("") {
                let problem = "on the port for all robots each has a name before its topics";
                let advice = format!(
                    "for /odom and /cmd_vel give it a port of its own by listen = \"127.0.0.1:9091\", or let clients use /robots/{robot}/rosbridge"
                );
                return Err(ConfigError::new(key, problem, advice));
            }
            check_ros_name(key, &serve.name.clone().unwrap_or_else(|| base_name(robot.as_str())))?;
            if serve.listen.is_none() && !serve.allow_origins.is_empty() {
                let advice = "write it into [rosbridge] for the port of all, or add listen";
                return Err(ConfigError::new(
                    format!("rosbridge.serve[{i}].allow_origins"),
                    "there is no port that they may call",
                    advice,
                ));
            }
        }
        check_ports(NAME, self.own_ports(), rules)?;
        self.check_names(std::iter::empty())?;
        check_connected(NAME, &self.connect, |it, key| {
            check_address(key("address"), &it.address, true)?;
            it.check_topics(key)?;
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
            ("[[serve]]\nrobot='a'\nname=''", "rosbridge.serve[0].name"),
            ("[[serve]]\nrobot='a'\nlisten='0.0.0.0:9'", "rosbridge.serve[0].listen"),
            (
                "[[serve]]\nrobot='a'\n[[serve]]\nrobot='b'\nlisten='127.0.0.1:9'\nallow_origins=['x']",
                "rosbridge.serve[1].allow_origins[0]",
            ),
            ("[[serve]]\nrobot='a'\nallow_origins=['http://x']", "rosbridge.serve[0].allow_origins"),
            ("[[serve]]\nrobot='a-b'\n[[serve]]\nrobot='c'\nname='a_b'", "rosbridge.serve: a-b and c"),
            (
                "[[connect]]\nrobot='a-b'\naddress='h'\n[[connect]]\nrobot='a.b'\naddress='g'",
                "rosbridge.serve: a-b and a.b",
            ),
            ("[[connect]]\nrobot='a'\naddress='ws://h?a'", "rosbridge.connect[0].address"),
            ("[[connect]]\nrobot='a'\naddress='h'\nname='x y'", "rosbridge.connect[0].name"),
            ("[[connect]]\nrobot='a'\naddress='h'\npreset='x'", "rosbridge.connect[0].preset"),
            ("[[connect]]\nrobot='a'\naddress='h'\ntopics={odom='a//b'}", "rosbridge.connect[0].topics"),
            (
                "[[connect]]\nrobot='a'\naddress='h'\ntopics={cmd_vel='a',cmd_vel_stamped='b'}",
                "rosbridge.connect[0].topics",
            ),
        ] {
            assert!(crate::config::problem::<RosbridgeConfig>(text).starts_with(key), "{text}");
        }
    }

    #[test]
    fn topics_begin_with_the_robots_name_or_with_what_is_written() {
        let prefix = |name: Option<&str>| {
            let (robot, address) = ("rover-1".parse().unwrap(), "h".to_owned());
            Connect { robot, address, name: name.map(str::to_owned), preset: None, topics: Roles::new() }
                .prefix()
        };
        assert_eq!([None, Some(""), Some("/a/b")].map(prefix), ["/rover_1/", "/", "/a/b/"]);
    }
}
