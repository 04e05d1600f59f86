//! The end of a client that commands robots.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use super::{Hub, HubInner};
use crate::model::{Author, Command, Outcome, RobotId};

/// Commands robots as one author. A client that keeps a connection is there as long as a clone of its driver is.
#[derive(Clone)]
pub struct Driver {
    hub: Hub,
    author: Author,
    _here: Option<Arc<Here>>,
}

/// A connection of an author.
struct Here {
    hub: Weak<HubInner>,
    author: Author,
}

/// Connections of each author.
#[derive(Debug, Default)]
pub(super) struct Presence(Mutex<HashMap<Author, usize>>);

impl Presence {
    fn change(&self, author: &Author, change: impl FnOnce(usize) -> usize) {
        let mut connections = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = change(connections.get(author).copied().unwrap_or_default());
        match count {
            0 => drop(connections.remove(author)),
            count => drop(connections.insert(author.clone(), count)),
        }
    }

    pub(super) fn has(&self, author: &Author) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(author)
    }
}

impl Hub {
    /// Commands robots as an author whose connection is not known of, such as one that posts: what it drives without an
    /// end goes on for a while after its last command.
    pub fn driver(&self, author: Author) -> Driver {
        Driver { hub: self.clone(), author, _here: None }
    }

    /// The same for an author that is connected: what it drives without an end goes on while it is.
    pub fn connected_driver(&self, author: Author) -> Driver {
        self.0.presence.change(&author, |count| count + 1);
        let here = Here { hub: Arc::downgrade(&self.0), author: author.clone() };
        Driver { hub: self.clone(), author, _here: Some(Arc::new(here)) }
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        if let Some(hub) = self.hub.upgrade() {
            hub.presence.change(&self.author, |count| count.saturating_sub(1));
            hub.watched.look();
        }
    }
}

impl Driver {
    /// Who commands.
    pub const fn author(&self) -> &Author {
        &self.author
    }

    /// Asks a robot for something, now, and waits for the answer, at most for `patience`.
    ///
    /// A stop ([`Command::is_stop`]) overtakes: what was given before it and is not sent is answered that a stop came
    /// after it. A command whose patience is over is never sent.
    pub fn command(
        &self,
        robot: &RobotId,
        command: Command,
        patience: Duration,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        self.hub.give(&self.author, robot, command, None, patience)
    }

    /// The same, with what was changed of the command because it asked for more than the config allows.
    pub fn command_noted(
        &self,
        robot: &RobotId,
        command: Command,
        patience: Duration,
    ) -> (Option<String>, impl Future<Output = Outcome> + Send + use<>) {
        self.hub.give_noted(&self.author, robot, command, None, patience)
    }

    /// The same for a command that was decided on when the robot had been given `stops` stops ([`Hub::stops`]), and
    /// that waited elsewhere since: it is refused if a stop came meanwhile.
    pub fn command_since(
        &self,
        stops: u64,
        robot: &RobotId,
        command: Command,
        patience: Duration,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        self.hub.give(&self.author, robot, command, Some(stops), patience)
    }
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver").field("author", &self.author).finish_non_exhaustive()
    }
}
