//! The end of a client that commands robots.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::{Hub, HubInner};
use crate::clock::Timestamp;
use crate::model::{Author, Command, Outcome, RobotId};

/// Commands robots as one author. A client that keeps a connection is there as long as a clone of its driver is.
#[derive(Clone)]
pub struct Driver {
    hub: Hub,
    author: Author,
    here: Option<Arc<Here>>,
}

/// A connection of an author.
struct Here {
    hub: Weak<HubInner>,
    author: Author,
}

/// What is known of an author that is connected.
#[derive(Debug, Default)]
struct Connected {
    connections: usize,
    /// When one of them gave a sign last, if any does that.
    heard: Option<Timestamp>,
}

/// Authors that are connected.
#[derive(Debug, Default)]
pub(super) struct Presence(Mutex<HashMap<Author, Connected>>);

impl Presence {
    fn all(&self) -> MutexGuard<'_, HashMap<Author, Connected>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, author: &Author) {
        self.all().entry(author.clone()).or_default().connections += 1;
    }

    fn leave(&self, author: &Author) {
        let mut all = self.all();
        let Some(connected) = all.get_mut(author) else { return };
        connected.connections = connected.connections.saturating_sub(1);
        if connected.connections == 0 {
            all.remove(author);
        }
    }

    fn heard(&self, author: &Author, now: Timestamp) {
        if let Some(connected) = self.all().get_mut(author) {
            connected.heard = Some(now);
        }
    }

    /// When an author was there last, if it is connected: now, unless its connections give signs.
    pub(super) fn seen(&self, author: &Author, now: Timestamp) -> Option<Timestamp> {
        self.all().get(author).map(|connected| connected.heard.unwrap_or(now))
    }
}

impl Hub {
    /// Commands robots as an author whose connection is not known of, such as one that posts: what it drives without an
    /// end goes on for a while after its last command.
    pub fn driver(&self, author: Author) -> Driver {
        Driver { hub: self.clone(), author, here: None }
    }

    /// The same for an author that is connected: what it drives without an end goes on while it is.
    pub fn connected_driver(&self, author: Author) -> Driver {
        self.0.presence.enter(&author);
        let here = Here { hub: Arc::downgrade(&self.0), author: author.clone() };
        Driver { hub: self.clone(), author, here: Some(Arc::new(here)) }
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        if let Some(hub) = self.hub.upgrade() {
            hub.presence.leave(&self.author);
            hub.watched.look_now(hub.clock.now());
        }
    }
}

impl Driver {
    /// Who commands.
    pub const fn author(&self) -> &Author {
        &self.author
    }

    /// Its connection gave a sign of life. From the first one on, a drive without an end goes on only while they come.
    pub fn heard(&self) {
        if self.here.is_some() {
            self.hub.0.presence.heard(&self.author, self.hub.clock().now());
        }
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
