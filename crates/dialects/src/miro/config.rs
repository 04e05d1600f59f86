//! The dialect's table of the config file.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use latimer_core::RobotId;
use latimer_core::dialect::{ConfigError, Rules};
use serde::Deserialize;

use crate::config::{check_names, robot_id};

/// `[miro]`: MiRos at a ROS master.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MiroConfig {
    /// A folder of `.msg` files that replace those of this program.
    pub messages: Option<PathBuf>,
    /// What `bridge/stream` plays, numbered from 1.
    pub sounds: Vec<String>,
    /// Where the nodes listen.
    pub bind: IpAddr,
    /// The host that others are told to connect to; `bind` if not given.
    pub host: Option<String>,
    /// Serves every robot of the hub under its name, not only those of `serve`.
    pub serve_all: bool,
    /// The master that robots are served at.
    pub master: Master,
    /// Robots to connect to.
    pub connect: Vec<Connect>,
    /// Robots to serve.
    pub serve: Vec<Serve>,
}

impl Default for MiroConfig {
    fn default() -> Self {
        Self {
            messages: None,
            sounds: Vec::new(),
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            host: None,
            serve_all: false,
            master: Master::default(),
            connect: Vec::new(),
            serve: Vec::new(),
        }
    }
}

/// `[miro.master]`: one within, or another; that of `ROS_MASTER_URI` if neither is given.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Master {
    /// Where the one within listens.
    pub listen: Option<SocketAddr>,
    /// Where another is.
    pub url: Option<String>,
}

/// `[[miro.connect]]`: a MiRo at a master.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// The name it gets here.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// What ROS calls it; its name here if not given.
    pub name: Option<String>,
    /// Its master, as `host:port` or `http://host:port`.
    pub address: String,
}

/// `[[miro.serve]]`: a robot of any family, shown as a MiRo.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serve {
    /// Which robot.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// What ROS calls it; its name here if not given.
    pub name: Option<String>,
}

impl MiroConfig {
    pub(super) fn check(&self, _rules: &Rules) -> Result<(), ConfigError> {
        check_names(super::NAME, self.connect.iter().map(|connect| &connect.robot))
    }
}
