//! The dialect's table of the config file.

use std::sync::{Arc, OnceLock};

use latimer_core::service::{ConfigError, Rules};
use latimer_core::{BrokerAddress, RobotId};
use serde::Deserialize;

use super::NAME;
use super::roster::{Roster, SwarmId, number_of};
use crate::broker::check_broker;
use crate::config::{Table, check_connected, check_range, entries, table};

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

table! {
    /// `[pera]`: a swarm at a broker, and the gateway's places in it.
    PeraConfig {
        /// The broker, as `mqtt://user:password@host:port`; that of `[broker]` if not given.
        pub broker: Option<String>,
        /// The first level of every topic.
        pub channel: String = "v1".to_owned(),
        /// Takes the simulator's place: gives robots bodies in the world and answers what they ask.
        pub simulator: bool,
        /// Adds every robot with messages to the hub, as `NAME-ID`; a simulator does so anyway.
        pub observe: bool,
        /// What the names of such robots begin with.
        pub name: String = "pera".to_owned(),
        /// Most robots taken in; more get no answer.
        pub max_robots: usize = 2_000,
        /// Most of them that one client of the broker within can bring; half of all if not given.
        pub max_robots_per_client: Option<usize>,
        /// The frame of the world in which robots tell their places; the map if the world has no such frame.
        pub frame: String = "arena".to_owned(),
        /// How distances and colours are reckoned.
        pub geometry: Geometry,
        /// Which reality a request means that names none.
        pub default_reality: DefaultReality,
        /// Whether a robot receives its own simple messages, as those of the reference simulator do.
        pub hears_itself: bool,
        /// QoS of what the simulator answers; the reference uses 2.
        pub reply_qos: u8 = 2,
        /// Between two calls of the roll, in seconds; 0 never calls it.
        pub heartbeat_s: f64 = 30.0,
        /// How long a robot may be silent until it is taken out, in seconds; 0 keeps it for ever.
        pub prune_s: f64 = 360.0,
        /// Serves every robot of the hub, with the number its name ends with or the next free one from 100.
        pub serve_all: bool,
        /// Whether served robots ask a simulator for readings, as real ones do.
        pub ask: bool,
        /// How long a served robot waits for the simulator's answer, in seconds.
        pub timeout_s: f64 = 1.0,
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
}

entries! {
    /// `[[pera.connect]]`: one robot of a swarm.
    Connect {
        /// Its number; the one that its name here ends with if not given.
        id: Option<SwarmId>,
        /// Its broker, as `mqtt://user:password@host:port`; only the host must be written.
        address: String,
    }

    /// `[[pera.serve]]`: a robot of any family, shown as one of the swarm.
    Serve {
        /// Its number; the one that its name ends with if not given.
        id: Option<SwarmId>,
        /// It is the body of a program of the swarm with this number: it goes where the program says that it is, and what it senses answers
        /// the program's questions.
        #[serde(default)]
        body: bool,
    }
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
}

impl Table for PeraConfig {
    fn validate(&self, _: &Rules) -> Result<(), ConfigError> {
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
            check_range(key, value, least..=86_400.0, "such time")?;
        }
        if self.max_robots_per_client == Some(0) {
            let advice = "leave the key out, and a client can bring half of pera.max_robots";
            return Err(ConfigError::new("pera.max_robots_per_client", "0 robots are no swarm", advice));
        }
        let no_number = |key: String, robot: &RobotId| {
            let problem = format!("{robot} has no number, and its name ends with none");
            ConfigError::new(key, problem, "write id = 1")
        };
        check_connected(NAME, &self.connect, |it, key| {
            check_broker(key("address"), &it.address)?;
            it.number().map(drop).ok_or_else(|| no_number(key("robot"), &it.robot))
        })?;
        for (i, serve) in self.serve.iter().enumerate() {
            let key = format!("pera.serve[{i}].robot");
            let Some(id) = serve.number() else { return Err(no_number(key, &serve.robot)) };
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

    #[test]
    fn refuses_what_cannot_work() {
        let problem = crate::config::problem::<PeraConfig>;
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
