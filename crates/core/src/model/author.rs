//! Who gives a command.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::SocketAddr;
use std::sync::Arc;

use crate::access::{Caller, Role};
use crate::model::RobotId;

/// Who gives a command: a client by its dialect and its name there. Two with the same words are one author.
#[derive(Clone, Debug)]
pub struct Author {
    /// Through which dialect or part of the gateway, e.g. `page`, `api`, `gateway`.
    pub dialect: &'static str,
    /// What it is called there: a user, a node, an address. Empty if the dialect does not tell clients apart.
    pub name: Arc<str>,
    /// What it may do; a part of the gateway, or a client of one without users, may do everything.
    caller: Option<Caller>,
    /// A user has logged in there, so that it is what it says that it is.
    has_logged_in: bool,
    /// Its own connection, if its commands come by one.
    connection: Option<ConnectionId>,
}

/// A connection of a client, unique in the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConnectionId(pub(crate) u64);

impl Author {
    /// A client of a dialect.
    pub fn new(dialect: &'static str, name: impl Into<Arc<str>>) -> Self {
        Self { dialect, name: name.into(), caller: None, has_logged_in: false, connection: None }
    }

    /// A client that was let in as a user, or by its address.
    pub fn of(dialect: &'static str, caller: &Caller) -> Self {
        Self { caller: Some(caller.clone()), ..Self::new(dialect, caller.name().clone()) }
    }

    /// The same where a user has logged in.
    #[must_use]
    pub fn logged_in(self) -> Self {
        Self { has_logged_in: true, ..self }
    }

    /// The same by a connection of its own.
    pub(crate) fn connected_by(self, connection: ConnectionId) -> Self {
        Self { connection: Some(connection), ..self }
    }

    /// Its own connection, if its commands come by one.
    pub(crate) const fn connection(&self) -> Option<ConnectionId> {
        self.connection
    }

    /// The same with another name, such as that of a node.
    #[must_use]
    pub fn called(self, name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Who was let in, if the gateway has users.
    pub const fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// Whether it has a role for all of a robot.
    pub fn may(&self, role: Role, robot: &RobotId) -> bool {
        self.caller.as_ref().is_none_or(|caller| caller.may(role, self.granted_by(), robot))
    }

    /// Whether it has a role for every robot.
    pub fn may_everywhere(&self, role: Role) -> bool {
        self.caller.as_ref().is_none_or(|caller| caller.may_everywhere(role, self.granted_by()))
    }

    /// What grants call its dialect: the page and the command line are clients of the gateway's API.
    pub(crate) fn granted_by(&self) -> &'static str {
        match self.dialect {
            "page" | "cli" => "api",
            dialect => dialect,
        }
    }

    /// What it is as far as that can be known: any client of the API may say that it is the page.
    pub(crate) fn proven_dialect(&self) -> &'static str {
        if self.has_logged_in { self.dialect } else { self.granted_by() }
    }

    fn words(&self) -> (&'static str, &str) {
        (self.dialect, &self.name)
    }

    /// Its name without the port, if it is an address.
    pub fn host(&self) -> &str {
        let is_address = self.name.parse::<SocketAddr>().is_ok();
        let host = self.name.rsplit_once(':').filter(|_| is_address).map_or(&*self.name, |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// The gateway itself.
    pub fn gateway() -> Self {
        Self::new("gateway", "")
    }
}

impl PartialEq for Author {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Eq for Author {}

impl Hash for Author {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

impl PartialOrd for Author {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Author {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words().cmp(&other.words())
    }
}

/// For people: `api 127.0.0.1`.
impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dialect)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}
