//! The dialect's table of the config file.

use std::sync::{Arc, OnceLock};

use latimer_core::service::{ConfigError, Rules};
use latimer_core::{BrokerAddress, RobotId};
use serde::Deserialize;

use super::roster::{Roster, SwarmId, number_of};
use crate::broker::check_broker;
use crate::config::{check_names, robot_id};

/// How distances and colours are reckoned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Geometry {
    /// By rays in the simulated world.
    #[default]
    Exact,
    /// By the arithmetic of the reference simulator.
    Reference,
}

/// Which reality a request means that names none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum DefaultReality {
    /// The virtual one, as specified.
    #[default]
    #[serde(rename = "V")]
    Virtual,
    /// Both for a virtual robot, the virtual one for a real robot, as the reference simulator has it.
    #[serde(rename = "reference")]
    Reference,
}

/// `[pera]`: a swarm at a broker, and the gateway's places in it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PeraConfig {
    /// The broker, as `mqtt://user:password@host:port`; that of `[broker]` if not given.
    pub broker: Option<String>,
    /// The first level of every topic.
    pub channel: String,
    /// Takes the simulator's place: gives robots bodies in the world and answers what they ask.
    pub simulator: bool,
    /// Adds every robot with messages to the hub, as `NAME-ID`; a simulator does so anyway.
    pub observe: bool,
    /// What the names of such robots begin with.
    pub name: String,
    /// Most robots taken in; more get no answer.
    pub max_robots: usize,
    /// Most of them that one client of the broker within can bring; half of all if not given.
    pub max_robots_per_client: Option<usize>,
    /// The frame of the world in which robots tell their places; the map if the world has no such frame.
    pub frame: String,
    /// How distances and colours are reckoned.
    pub geometry: Geometry,
    /// Which reality a request means that names none.
    pub default_reality: DefaultReality,
    /// Whether a robot receives its own simple messages, as those of the reference simulator do.
    pub hears_itself: bool,
    /// QoS of what the simulator answers; the reference uses 2.
    pub reply_qos: u8,
    /// Between two calls of the roll, in seconds; 0 never calls it.
    pub heartbeat_s: f64,
    /// How long a robot may be silent until it is taken out, in seconds; 0 keeps it for ever.
    pub prune_s: f64,
    /// Serves every robot of the hub, with the number its name ends with or the next free one from 100.
    pub serve_all: bool,
    /// Whether served robots ask a simulator for readings, as real ones do.
    pub ask: bool,
    /// How long a served robot waits for the simulator's answer, in seconds.
    pub timeout_s: f64,
    /// Robots to connect to.
    pub connect: Vec<Connect>,
    /// Robots to serve.
    pub serve: Vec<Serve>,
    /// Which numbers are robots of this gateway, for all that comes of this config.
    #[serde(skip)]
    pub(super) roster: Roster,
    /// The broker at which all robots are served, known once this is built.
    #[serde(skip)]
    pub(super) all_at: Arc<OnceLock<BrokerAddress>>,
}

impl Default for PeraConfig {
    fn default() -> Self {
        Self {
            broker: None,
            channel: "v1".to_owned(),
            simulator: false,
            observe: false,
            name: "pera".to_owned(),
            max_robots: 2_000,
            max_robots_per_client: None,
            frame: "arena".to_owned(),
            geometry: Geometry::default(),
            default_reality: DefaultReality::default(),
            hears_itself: false,
            reply_qos: 2,
            heartbeat_s: 30.0,
            prune_s: 360.0,
            serve_all: false,
            ask: false,
            timeout_s: 1.0,
            connect: Vec::new(),
            serve: Vec::new(),
            roster: Roster::default(),
            all_at: Arc::default(),
        }
    }
}

/// `[[pera.connect]]`: one robot of a swarm.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// The name it gets here.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// Its number; the one that its name here ends with if not given.
    pub id: Option<SwarmId>,
    /// Its broker, as `mqtt://user:password@host:port`; only the host must be written.
    pub address: String,
}

/// `[[pera.serve]]`: a robot of any family, shown as one of the swarm.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serve {
    /// Which robot.
    #[serde(deserialize_with = "robot_id")]
    pub robot: RobotId,
    /// Its number; the one that its name ends with if not given.
    pub id: Option<SwarmId>,
    /// It is the body of a program of the swarm with this number: it goes where the program says that it is, and what it senses answers
    /// the program's questions.
    #[serde(default)]
    pub body: bool,
}

impl Connect {
    /// Its number.
    pub(super) fn number(&self) -> Option<SwarmId> {
        self.id.or_else(|| number_of(&self.robot))
    }
}

impl Serve {
    /// Its number.
    pub(super) fn number(&self) -> Option<SwarmId> {
        self.id.or_else(|| number_of(&self.robot))
    }
}

impl PeraConfig {
    /// Most robots that one client can bring.
    pub(super) fn max_robots_of_client(&self) -> usize {
        self.max_robots_per_client.unwrap_or(self.max_robots.div_ceil(2))
    }

    pub(super) fn check(&self, _rules: &Rules) -> Result<(), ConfigError> {
        if let Some(broker) = &self.broker {
            check_broker("pera.broker", broker)?;
        }
        let odd = |c: char| c.is_whitespace() || matches!(c, '#' | '+');
        if self.channel.trim_matches('/').is_empty() || self.channel.contains(odd) {
            let problem = format!("{:?} cannot begin a topic", self.channel);
            return Err(ConfigError::new("pera.channel", problem, "write a word such as \"v1\""));
        }
        if let Err(error) = RobotId::new(&format!("{}-1", self.name)) {
            return Err(ConfigError::new("pera.name", error.to_string(), "write a word such as \"pera\""));
        }
        if self.reply_qos > 2 {
            let problem = format!("there is no QoS {}", self.reply_qos);
            return Err(ConfigError::new("pera.reply_qos", problem, "write 0, 1 or 2"));
        }
        for (key, value, least) in [
            ("pera.heartbeat_s", self.heartbeat_s, 0.0),
            ("pera.prune_s", self.prune_s, 0.0),
            ("pera.timeout_s", self.timeout_s, 0.01),
        ] {
            if !(least..=86_400.0).contains(&value) {
                let problem = format!("{value} is no such time");
                return Err(ConfigError::new(key, problem, format!("write seconds from {least} to 86400")));
            }
        }
        if self.max_robots_per_client == Some(0) {
            let advice = "leave the key out, and a client can bring half of pera.max_robots";
            return Err(ConfigError::new("pera.max_robots_per_client", "0 robots are no swarm", advice));
        }
        check_names(super::NAME, self.connect.iter().map(|connect| &connect.robot))?;
        let no_number = "has no number, and its name ends with none";
        for (i, connect) in self.connect.iter().enumerate() {
            check_broker(format!("pera.connect[{i}].address"), &connect.address)?;
            if connect.number().is_none() {
                let problem = format!("{} {no_number}", connect.robot);
                return Err(ConfigError::new(format!("pera.connect[{i}].robot"), problem, "write id = 1"));
            }
        }
        for (i, serve) in self.serve.iter().enumerate() {
            let key = format!("pera.serve[{i}].robot");
            let Some(id) = serve.number() else {
                return Err(ConfigError::new(key, format!("{} {no_number}", serve.robot), "write id = 1"));
            };
            if self.serve[..i].iter().any(|other| other.number() == Some(id) || other.robot == serve.robot) {
                let problem = format!("{} or the number {id} is served twice", serve.robot);
                return Err(ConfigError::new(key, problem, "give each robot a number of its own"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let config: PeraConfig = toml::from_str(text).unwrap();
        config.check(&Rules::default()).unwrap_err().to_string()
    }

    #[test]
    fn the_reference_is_a_config() {
        let text =
            super::super::ENTRY.reference.replace("[pera]", "").replace("pera.", "").replace("# ", "#");
        assert!(toml::from_str::<PeraConfig>(&text).is_ok());
    }

    #[test]
    fn refuses_what_cannot_work() {
        assert!(problem("broker = 'http://x'").contains("pera.broker"));
        assert!(problem("channel = 'a/+'").contains("pera.channel"));
        assert!(problem("name = 'a b'").contains("pera.name"));
        assert!(problem("max_robots_per_client = 0").contains("leave the key out"));
        assert!(problem("reply_qos = 3").contains("0, 1 or 2"));
        assert!(problem("timeout_s = 0.0").contains("pera.timeout_s"));
        assert!(problem("[[connect]]\nrobot='a'\naddress='h'").contains("no number"));
        assert!(problem("[[connect]]\nrobot='a1'\naddress=''").contains("pera.connect[0].address"));
        assert!(problem("[[serve]]\nrobot='a1'\n[[serve]]\nrobot='b1'").contains("twice"));
        assert!(toml::from_str::<PeraConfig>("geometry = 'flat'").is_err());
    }
}
