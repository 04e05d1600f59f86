//! Which commands the clients of each dialect give, as the dialect declares it.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use super::Hub;
use crate::model::{Author, Command};

/// The words of the commands of each dialect that declares them.
#[derive(Debug, Default)]
pub(super) struct Declared(RwLock<BTreeMap<&'static str, Vec<&'static str>>>);

impl Declared {
    /// Whether a dialect's clients give a command; those of one that declares nothing, such as the gateway's API, give any.
    fn has(&self, dialect: &str, word: &str) -> bool {
        let declared = self.0.read().unwrap_or_else(PoisonError::into_inner);
        declared.get(dialect).is_none_or(|words| words.contains(&word))
    }
}

impl Hub {
    /// Declares the commands that the clients of a dialect give, by their names ([`Command::name`]). Documents are made of this, so a
    /// debug build panics at another command of such a client.
    pub fn declare_commands(&self, dialect: &'static str, words: Vec<&'static str>) {
        let mut declared = self.0.commands.declared.0.write().unwrap_or_else(PoisonError::into_inner);
        declared.insert(dialect, words);
    }

    pub(super) fn check_declared(&self, author: &Author, command: &Command) {
        debug_assert!(
            self.0.commands.declared.has(author.dialect, command.name()),
            "a client of {} gives {}, which the dialect does not declare",
            author.dialect,
            command.name(),
        );
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Clock, RobotId};

    fn give(dialect: &'static str) {
        let hub = Hub::new(Clock::system());
        hub.declare_commands("declaring", vec!["stop"]);
        let driver = hub.command_client(Author::new(dialect, ""));
        let robot = RobotId::new("robot-1").unwrap();
        drop(driver.command(&robot, Command::Stop { hold: false }, Duration::ZERO));
        drop(driver.command(&robot, Command::Volume(0.5), Duration::ZERO));
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "declaring gives volume"))]
    fn a_command_that_its_dialect_does_not_declare_is_a_mistake_of_the_program() {
        give("declaring");
    }

    #[test]
    fn a_client_of_no_dialect_gives_any_command() {
        give("api");
    }
}
