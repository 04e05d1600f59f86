//! The dialect's table of the config file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use latimer_core::service::{ConfigError, Rules};
use latimer_ros1::master::Limits;
use latimer_ros1::name::{base_name, is_base_name};
use serde::Deserialize;

use super::NAME;
use super::running::{check_echo, reachable};
use crate::config::{Table, check_connected, entries, table};

/// What the node of the served robots is called by default.
const NODE: &str = "latimer";
/// Where masters listen.
pub(super) const MASTER_PORT: u16 = 11311;
/// Longest name of something in ROS, bytes.
const MAX_NAME: usize = 64;
/// Most sounds that the bridge loads.
const MAX_SOUNDS: usize = 1_000;

table! {
    /// `[miro]`: MiRos at a ROS master.
    MiroConfig {
        /// The layouts of `miro_msgs`.
        pub layouts: Layouts,
        /// A folder of `.msg` files that replace those.
        pub messages: Option<PathBuf>,
        /// What `bridge/stream` plays, numbered from 1.
        pub sounds: Vec<String>,
        /// What the node of the served robots is called; those of robots to connect to add the robot's name.
        pub node: String = NODE.to_owned(),
        /// Where the nodes listen.
        pub bind: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST),
        /// The host that other nodes connect to; `bind` if not given.
        pub host: Option<String>,
        /// Serves every robot of the hub under its name, not only those of `serve`.
        pub serve_all: bool,
        /// Tells the simulated world's time on `/clock`, and sets `/use_sim_time` at the master.
        pub sim_time: bool,
        /// The master that robots are served at.
        pub master: Master,
        /// Robots to connect to.
        pub connect: Vec<Connect>,
        /// Robots to serve.
        pub serve: Vec<Serve>,
    }
}

/// Layouts of the messages of `miro_msgs`, which decide their MD5 sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layouts {
    /// Those of the maker's development kit.
    #[default]
    Maker,
    /// Those that this program inferred of the names before the maker's were known.
    Inferred,
}

table! {
    /// `[miro.master]`: one within, or another; that of `ROS_MASTER_URI` if neither is given.
    Master {
        /// Where the one within listens.
        pub listen: Option<SocketAddr>,
        /// Where another is.
        pub url: Option<String>,
        /// Registrations that a node may have at the one within.
        pub registrations_per_node: Option<usize>,
        /// Registrations that the nodes of an address may have at the one within.
        pub registrations_per_address: Option<usize>,
    }
}

entries! {
    /// `[[miro.connect]]`: a MiRo at a master.
    Connect {
        /// What ROS calls it; its name here if not given.
        name: Option<String>,
        /// Its master, as `host:port` or `http://host:port`.
        address: String,
    }

    /// `[[miro.serve]]`: a robot of any family, shown as a MiRo.
    Serve {
        /// What ROS calls it; its name here if not given.
        name: Option<String>,
    }
}

impl Master {
    /// What nodes of other programs may register.
    pub(super) fn limits(&self) -> Limits {
        let Limits { registrations_per_node, registrations_per_address } = Limits::default();
        Limits {
            registrations_per_node: self.registrations_per_node.unwrap_or(registrations_per_node),
            registrations_per_address: self.registrations_per_address.unwrap_or(registrations_per_address),
        }
    }

    fn check_limits(&self) -> Result<(), ConfigError> {
        for (key, given) in [
            ("miro.master.registrations_per_node", self.registrations_per_node),
            ("miro.master.registrations_per_address", self.registrations_per_address),
        ] {
            let Some(given) = given else { continue };
            let advice = format!("write a number from 1 to {}", Limits::MOST);
            if given == 0 {
                return Err(ConfigError::new(key, "0 registrations serve no node", advice));
            }
            if given > Limits::MOST {
                return Err(ConfigError::new(key, format!("{given} are more than a master holds"), advice));
            }
            if self.listen.is_none() {
                let advice = "set miro.master.listen, or leave the key out";
                return Err(ConfigError::new(key, "there is no master within, which could keep it", advice));
            }
        }
        Ok(())
    }
}

impl Connect {
    /// What ROS calls it.
    pub(super) fn ros_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| base_name(self.robot.as_str()))
    }
}

impl Serve {
    /// What ROS calls it.
    pub(super) fn ros_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| base_name(self.robot.as_str()))
    }
}

/// The address of a master as `ROS_MASTER_URI` has it, of `host`, `host:port` or that.
pub(super) fn master_uri(address: &str) -> String {
    let authority = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
    format!("http://{}", with_port(authority, MASTER_PORT))
}

/// A host with its port, which need not be written.
fn with_port(authority: &str, port: u16) -> String {
    let has_port = authority.rsplit_once(':').is_some_and(|(host, port)| {
        port.parse::<u16>().is_ok() && (!host.contains(':') || host.ends_with(']'))
    });
    if has_port { authority.to_owned() } else { format!("{authority}:{port}") }
}

impl MiroConfig {
    /// The node of a robot to connect to.
    pub(super) fn node_of(&self, connect: &Connect) -> String {
        format!("{}_{}", self.node, base_name(connect.robot.as_str()))
    }

    /// All nodes of this program, by their full names.
    pub(super) fn own_nodes(&self) -> Vec<String> {
        let nodes = self.connect.iter().map(|connect| self.node_of(connect));
        nodes.chain([self.node.clone()]).map(|node| format!("/{node}")).collect()
    }

    fn check_place(&self, rules: &Rules) -> Result<(), ConfigError> {
        let everywhere = |key: &str, ip: IpAddr| match (ip.is_unspecified(), &self.host) {
            (true, None) => Err(ConfigError::new(
                key,
                format!("{ip} is no address that other nodes can connect to"),
                "set miro.host to the name or address of this machine",
            )),
            _ => Ok(()),
        };
        rules.check_listen("miro.bind", (self.bind, 0).into())?;
        everywhere("miro.bind", self.bind)?;
        self.master.check_limits()?;
        if let Some(listen) = self.master.listen {
            rules.check_listen("miro.master.listen", listen)?;
            everywhere("miro.master.listen", listen.ip())?;
            if self.master.url.is_some() {
                return Err(ConfigError::new(
                    "miro.master",
                    "listen and url are both given",
                    "write listen for a master within, or url for another",
                ));
            }
        }
        if let Some(url) = &self.master.url {
            check_master("miro.master.url", url)?;
        }
        match &self.host {
            Some(host) if !is_host(host) => {
                let problem = format!("{host:?} is no name of a machine");
                Err(ConfigError::new("miro.host", problem, "write a host or an address, without a port"))
            }
            _ => Ok(()),
        }
    }
}

impl Table for MiroConfig {
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.check_place(rules)?;
        check_name("miro.node", &self.node)?;
        if self.sounds.len() > MAX_SOUNDS {
            let problem = format!("{} sounds are too many", self.sounds.len());
            return Err(ConfigError::new("miro.sounds", problem, format!("name at most {MAX_SOUNDS}")));
        }
        if self.sim_time && self.serve.is_empty() && !self.serve_all {
            return Err(ConfigError::new(
                "miro.sim_time",
                "no robot is served, so there is no node that could tell the time",
                "serve a simulated robot, or leave the key out",
            ));
        }
        check_connected(NAME, &self.connect, |it, key| {
            check_name(&key("name"), &it.ros_name())?;
            check_master(&key("address"), &it.address)
        })?;
        let own = self.master.listen.filter(|listen| listen.port() != 0);
        let own = own.map(|listen| {
            let host = self.host.clone().unwrap_or_else(|| reachable(listen.ip()));
            format!("http://{host}:{}", listen.port())
        });
        if let Some(uri) = own.or_else(|| self.master.url.as_deref().map(master_uri)) {
            check_echo(self, &uri)?;
        }
        for (i, serve) in self.serve.iter().enumerate() {
            check_name(&format!("miro.serve[{i}].name"), &serve.ros_name())?;
            let twin = |other: &&Serve| other.robot == serve.robot || other.ros_name() == serve.ros_name();
            if let Some(other) = self.serve.iter().take(i).find(twin) {
                let (name, first) = (serve.ros_name(), &other.robot);
                return Err(ConfigError::new(
                    format!("miro.serve[{i}].robot"),
                    format!("{first} and {} are one robot, or are both {name:?} in ROS", serve.robot),
                    "name each robot once, and give each a name of its own",
                ));
            }
        }
        Ok(())
    }
}

fn check_name(key: &str, name: &str) -> Result<(), ConfigError> {
    if is_base_name(name) && name.len() <= MAX_NAME {
        return Ok(());
    }
    let advice = format!("write 1 to {MAX_NAME} letters, digits and underscores");
    Err(ConfigError::new(key, format!("{name:?} is no name in ROS"), advice))
}

fn check_master(key: &str, address: &str) -> Result<(), ConfigError> {
    let authority = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse::<u16>().is_ok_and(|it| it != 0)),
        _ => (authority, true),
    };
    if is_host(host) && port {
        return Ok(());
    }
    let problem = format!("{address:?} is no address of a ROS master");
    Err(ConfigError::new(key, problem, "write host:port or http://host:port"))
}

/// A name, an IPv4 address, or an IPv6 address in brackets.
fn is_host(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    match inner {
        Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_');
            !host.is_empty() && host.len() <= 253 && host.chars().all(allowed)
        }
    }
}

#[cfg(test)]
mod tests {
    use latimer_core::service::Insecure;

    use super::*;

    #[test]
    fn refuses_what_cannot_work() {
        for (text, key) in [
            ("[[serve]]\nrobot='a'\nname='a-b'", "miro.serve[0].name"),
            ("[[serve]]\nrobot='a.b'\n[[serve]]\nrobot='a-b'", "miro.serve[1].robot"),
            ("[[serve]]\nrobot='a'\n[[serve]]\nrobot='a'\nname='b'", "miro.serve[1].robot"),
            ("[[connect]]\nrobot='a'\naddress='x y'", "miro.connect[0].address"),
            ("[[connect]]\nrobot='a'\naddress='x:70000'", "miro.connect[0].address"),
            (
                "[[connect]]\nrobot='a'\naddress='x'\n[[connect]]\nrobot='a'\naddress='y'",
                "miro.connect[1].robot",
            ),
            ("[master]\nlisten='127.0.0.1:0'\nurl='x'", "miro.master"),
            ("[master]\nlisten='0.0.0.0:11311'", "miro.master.listen"),
            ("bind='192.168.1.2'", "miro.bind"),
            (
                "[master]\nlisten='127.0.0.1:0'\nregistrations_per_node=0",
                "miro.master.registrations_per_node",
            ),
            (
                "[master]\nlisten='127.0.0.1:0'\nregistrations_per_address=100000",
                "miro.master.registrations_per_address",
            ),
            ("[master]\nregistrations_per_node=1", "miro.master.registrations_per_node"),
            ("[master]\nurl='https://x'", "miro.master.url"),
            ("node=''", "miro.node"),
            ("sim_time=true", "miro.sim_time"),
            ("host='a/b'", "miro.host"),
        ] {
            let problem = crate::config::problem::<MiroConfig>(text);
            assert!(problem.starts_with(key), "{text}: {problem}");
        }
        let everywhere: MiroConfig = toml::from_str("bind='0.0.0.0'").unwrap();
        let problem = everywhere
            .validate(&Rules { insecure: Insecure::new(vec![Insecure::ALL.to_owned()]), ..Rules::default() })
            .unwrap_err()
            .to_string();
        assert!(problem.contains("miro.host"), "{problem}");
    }

    #[test]
    fn a_master_s_port_need_not_be_written() {
        for (address, uri) in [
            ("10.0.0.1", "http://10.0.0.1:11311"),
            ("robot.local:11312", "http://robot.local:11312"),
            ("http://robot:1/", "http://robot:1"),
            ("[::1]", "http://[::1]:11311"),
        ] {
            assert_eq!(master_uri(address), uri);
        }
    }
}
