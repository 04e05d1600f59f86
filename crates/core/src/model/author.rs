//! Who gives a command.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

/// Who gives a command: a client by its dialect and its name there. Two with the same words are one author.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Author {
    /// Through which dialect or part of the gateway, e.g. `page`, `api`, `gateway`.
    pub dialect: &'static str,
    /// What it is called there: a user, a node, an address. Empty if the dialect does not tell clients apart.
    pub name: Arc<str>,
}

impl Author {
    /// A client of a dialect.
    pub fn new(dialect: &'static str, name: impl Into<Arc<str>>) -> Self {
        Self { dialect, name: name.into() }
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

/// For people: `api 127.0.0.1`.
impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dialect)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}
