//! The end of a client that commands robots.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::trace::CommandAnswer;
use super::{Hub, HubInner};
use crate::access::Role;
use crate::authority::Seen;
use crate::clock::Timestamp;
use crate::model::{Author, Command, ConnectionId, RobotId};

/// Commands robots as one author. A client that keeps a connection is there as long as a clone of its driver is.
#[derive(Clone)]
pub struct CommandClient {
    hub: Hub,
    author: Author,
    here: Option<Arc<Here>>,
}

/// A connection of an author.
struct Here {
    hub: Weak<HubInner>,
    author: Author,
    /// The only robot that its client drives, though not by this connection.
    robot: Option<RobotId>,
    id: ConnectionId,
    has_left: AtomicBool,
}

/// What is known of authors that are connected.
#[derive(Debug, Default)]
struct Connected {
    authors: HashMap<Author, AuthorConnections>,
    /// When each gave a sign last, if it does that.
    connections: HashMap<ConnectionId, Option<Timestamp>>,
    next: u64,
}

#[derive(Debug, Default)]
struct AuthorConnections {
    count: usize,
    /// When one of them gave a sign last, if any does that.
    heard: Option<Timestamp>,
    /// When one of them ended last without a farewell, as that of a program that is killed does, by the robot that it was for.
    broke: HashMap<RobotId, Timestamp>,
}

/// Authors that are connected.
#[derive(Debug, Default)]
pub(super) struct Presence(Mutex<Connected>);

impl Presence {
    fn all(&self) -> MutexGuard<'_, Connected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, author: &Author) -> ConnectionId {
        let mut all = self.all();
        all.next += 1;
        let id = ConnectionId(all.next);
        all.connections.insert(id, None);
        all.authors.entry(author.clone()).or_default().count += 1;
        id
    }

    fn leave(&self, here: &Here, now: Timestamp) {
        let mut all = self.all();
        all.connections.remove(&here.id);
        let Some(author) = all.authors.get_mut(&here.author) else { return };
        author.count = author.count.saturating_sub(1);
        if let Some(robot) = here.robot.clone().filter(|_| !here.has_left.load(Ordering::Relaxed)) {
            author.broke.insert(robot, now);
        }
        if author.count == 0 {
            all.authors.remove(&here.author);
        }
    }

    fn received(&self, here: &Here, now: Timestamp) {
        let mut all = self.all();
        if let Some(heard) = all.connections.get_mut(&here.id) {
            *heard = Some(now);
        }
        if let Some(author) = all.authors.get_mut(&here.author) {
            author.heard = Some(now);
        }
    }

    /// What is known of who drives a robot: by its own connection, else by all of the same name.
    pub(super) fn seen(&self, author: &Author, robot: &RobotId, now: Timestamp) -> Seen {
        let all = self.all();
        let connected = all.authors.get(author);
        let heard = match author.connection() {
            Some(id) => all.connections.get(&id).copied(),
            None => connected.map(|it| it.heard),
        };
        Seen {
            at: heard.map(|it| it.unwrap_or(now)),
            broke: connected
                .and_then(|it| it.broke.get(robot).copied())
                .filter(|_| author.connection().is_none()),
            is_revoked: !author.may(Role::Drive, robot),
        }
    }
}

impl Hub {
    /// Commands robots as an author whose connection is not known of, such as one that posts: what it drives without an
    /// end goes on for a while after its last command.
    pub fn command_client(&self, author: Author) -> CommandClient {
        CommandClient { hub: self.clone(), author, here: None }
    }

    /// The same for an author that is connected: what it drives without an end goes on while it is.
    pub fn connected_client(&self, author: Author) -> CommandClient {
        self.client_here(author, None)
    }

    /// The same for a connection of a client that posts its commands to one robot: what anybody of its name drives that robot for ends, too,
    /// when the connection breaks.
    pub fn connected_client_of(&self, author: Author, robot: &RobotId) -> CommandClient {
        self.client_here(author, Some(robot.clone()))
    }

    fn client_here(&self, author: Author, robot: Option<RobotId>) -> CommandClient {
        let id = self.0.owners.presence.enter(&author);
        let has_left = AtomicBool::new(false);
        let here = Here { hub: Arc::downgrade(&self.0), author: author.clone(), robot, id, has_left };
        CommandClient { hub: self.clone(), author: author.connected_by(id), here: Some(Arc::new(here)) }
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        if let Some(hub) = self.hub.upgrade() {
            let now = hub.clock.now();
            hub.owners.presence.leave(self, now);
            hub.owners.watched.look_now(now);
        }
    }
}

impl CommandClient {
    /// Who commands.
    pub const fn author(&self) -> &Author {
        &self.author
    }

    /// Its connection gave a sign of life. From the first one on, a drive without an end goes on only while they come.
    pub fn received(&self) {
        if let Some(here) = &self.here {
            self.hub.0.owners.presence.received(here, self.hub.clock().now());
        }
    }

    /// Its client says farewell, so that the end of its connection is no sign of a program that was killed.
    pub fn leaves(&self) {
        if let Some(here) = &self.here {
            here.has_left.store(true, Ordering::Relaxed);
        }
    }

    /// Asks a robot for something, now, and waits for the answer, at most for `patience`.
    ///
    /// A stop ([`Command::is_stop`]) overtakes: what was given before it and is not sent is answered that a stop came
    /// after it. A command whose patience is over is never sent.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use latimer_core::hub::{Origin, RobotInfo};
    /// use latimer_core::{Author, Clock, Command, Hub, Outcome, RobotId};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let hub = Hub::new(Clock::system());
    /// # let robot: RobotId = "rover-1".parse()?;
    /// # let mut source = hub.register(RobotInfo::new(robot.clone(), "rover", Origin::Simulated))?;
    /// let ahead = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: None };
    /// let answer = hub.command_client(Author::new("example", "ada")).command(&robot, ahead, Duration::from_secs(1));
    ///
    /// // The robot's side: its session, or the simulated world.
    /// let request = source.next_command().await;
    /// assert_eq!(request.command.name(), "drive");
    /// request.answer(Outcome::Accepted);
    ///
    /// assert_eq!(answer.await, Outcome::Accepted);
    /// # Ok(())
    /// # }
    /// ```
    pub fn command(&self, robot: &RobotId, command: Command, patience: Duration) -> CommandAnswer {
        self.hub.give(&self.author, robot, command, None, patience)
    }

    /// The same for a command that was decided on when the robot had been given `stops` stops ([`Hub::stops`]), and
    /// that waited elsewhere since: it is refused if a stop came meanwhile.
    pub fn command_since(
        &self,
        stops: u64,
        robot: &RobotId,
        command: Command,
        patience: Duration,
    ) -> CommandAnswer {
        self.hub.give(&self.author, robot, command, Some(stops), patience)
    }
}

impl std::fmt::Debug for CommandClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandClient").field("author", &self.author).finish_non_exhaustive()
    }
}
