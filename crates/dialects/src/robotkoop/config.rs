//! The dialect's table of the config file.

use latimer_core::service::{ConfigError, Rules};

use super::NAME;
use crate::broker::check_broker;
use crate::config::{Table, check_connected, entries, table};

/// Longest name of somebody in a message, bytes.
const MAX_ID: usize = 100;

/// What the gateway and the dialogue system are called by default.
pub(super) const DIALOGUE: &str = "SI_1";

table! {
    /// `[robotkoop]`: household robots at a broker.
    RobotKoopConfig {
        /// The broker, as `mqtt://user:password@host:port`; that of `[broker]` if not given.
        pub broker: Option<String>,
        /// What the gateway is called where it sends tasks.
        pub sender: String = DIALOGUE.to_owned(),
        /// What the dialogue system is called that robots speak to.
        pub dialogue: String = DIALOGUE.to_owned(),
        /// Whether connected robots get a confirmation on `/dialogue/status` of what a person should know.
        pub acknowledge: bool = true,
        /// Serves every robot of the hub under its name, not only those of `serve`.
        pub serve_all: bool,
        /// Robots to connect to.
        pub connect: Vec<Connect>,
        /// Robots to serve.
        pub serve: Vec<Serve>,
    }
}

entries! {
    /// `[[robotkoop.connect]]`: a household robot at a broker.
    Connect {
        /// What it calls itself; its name here if not given.
        id: Option<String>,
        /// Its broker, as `mqtt://user:password@host:port`; only the host must be written.
        address: String,
    }

    /// `[[robotkoop.serve]]`: a robot of any family, shown as a household robot.
    Serve {
        /// What it calls itself; its name here if not given.
        id: Option<String>,
    }
}

impl Connect {
    /// What it calls itself.
    pub(super) fn source_id(&self) -> &str {
        self.id.as_deref().unwrap_or(self.robot.as_str())
    }
}

impl Serve {
    /// What it calls itself.
    pub(super) fn source_id(&self) -> &str {
        self.id.as_deref().unwrap_or(self.robot.as_str())
    }
}

impl Table for RobotKoopConfig {
    fn validate(&self, _: &Rules) -> Result<(), ConfigError> {
        let name = |key: String, text: &str| match text.is_empty() || text.len() > MAX_ID {
            true => Err(ConfigError::new(key, format!("{text:?} is no name"), "write 1 to 100 bytes")),
            false => Ok(()),
        };
        if let Some(broker) = &self.broker {
            check_broker("robotkoop.broker", broker)?;
        }
        name("robotkoop.sender".to_owned(), &self.sender)?;
        name("robotkoop.dialogue".to_owned(), &self.dialogue)?;
        check_connected(NAME, &self.connect, |it, key| {
            check_broker(key("address"), &it.address)?;
            name(key("id"), it.source_id())
        })?;
        for (i, serve) in self.serve.iter().enumerate() {
            name(format!("robotkoop.serve[{i}].id"), serve.source_id())?;
            let twin = |other: &Serve| other.robot == serve.robot || other.source_id() == serve.source_id();
            if self.serve[..i].iter().any(twin) {
                let problem = format!("{} or the id {:?} is served twice", serve.robot, serve.source_id());
                return Err(ConfigError::new(
                    format!("robotkoop.serve[{i}].robot"),
                    problem,
                    "give each robot an id of its own",
                ));
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
        let problem = crate::config::problem::<RobotKoopConfig>;
        assert!(problem("broker = ''").contains("robotkoop.broker"));
        assert!(problem("sender = ''").contains("robotkoop.sender"));
        assert!(problem("[[connect]]\nrobot='a'\naddress='a b'").contains("robotkoop.connect[0].address"));
        assert!(problem("[[serve]]\nrobot='a'\nid='x'\n[[serve]]\nrobot='b'\nid='x'").contains("twice"));
    }
}
