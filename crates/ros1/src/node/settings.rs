//! How a node is made, how it stands, and why it cannot do something.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use latimer_listen::ListenerPolicy;

use crate::message::TypeError;
use crate::msgs::Time;
use crate::name::BadName;
use crate::xmlrpc::CallError;

/// How a node is made.
#[derive(Clone)]
pub struct Settings {
    /// Its name, e.g. `/latimer`.
    pub name: String,
    /// Where its master is, e.g. `http://127.0.0.1:11311`.
    pub master: String,
    /// Where it listens, for calls and for connections.
    pub bind: IpAddr,
    /// The host that other nodes connect to; `bind` if not given.
    pub host: Option<String>,
    /// What it shares with other listeners: further names by which others may call it, and bounds on connections.
    pub policy: ListenerPolicy,
    /// Topics and services that are called otherwise: from one full name to another.
    pub remap: BTreeMap<String, String>,
    /// The wall clock.
    pub now: Arc<dyn Fn() -> Time + Send + Sync>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, master, bind, host, policy, remap, now: _ } = self;
        let mut fields = f.debug_struct("Settings");
        fields
            .field("name", name)
            .field("master", master)
            .field("bind", bind)
            .field("host", host)
            .field("policy", policy)
            .field("remap", remap);
        fields.finish_non_exhaustive()
    }
}

impl Settings {
    /// The host that other nodes connect to, as it stands in an address.
    pub(super) fn advertised(&self) -> Result<String, NodeError> {
        match (&self.host, self.bind) {
            (Some(host), _) if host.parse::<Ipv6Addr>().is_ok() => Ok(format!("[{host}]")),
            (Some(host), _) => Ok(host.clone()),
            (None, address) if address.is_unspecified() => Err(NodeError::NoHost { address }),
            (None, IpAddr::V4(address)) => Ok(address.to_string()),
            (None, IpAddr::V6(address)) => Ok(format!("[{address}]")),
        }
    }
}

/// Why a node cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// A name is none.
    #[error(transparent)]
    Name(#[from] BadName),
    /// The name of a type is none.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// It cannot listen.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// Where.
        address: IpAddr,
        /// What the system said.
        source: io::Error,
    },
    /// It listens on every address, and nobody knows which one others reach.
    #[error("it listens on {address}; give the host that other nodes connect to")]
    NoHost {
        /// Where it listens.
        address: IpAddr,
    },
    /// A topic is advertised already with another type or layout, or a service is offered already.
    #[error("{topic} is advertised already")]
    Taken {
        /// Which.
        topic: String,
    },
    /// The master gave no answer.
    #[error(transparent)]
    Master(#[from] CallError),
    /// The master refused.
    #[error("the master refused {method}: {reason}")]
    Refused {
        /// What was asked.
        method: &'static str,
        /// What it said.
        reason: String,
    },
}

/// How a node stands with its master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MasterLink {
    /// Not registered, and why.
    Waiting(String),
    /// Registered.
    Up,
}

/// How a node ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its own program stopped it.
    Stopped,
    /// Somebody shut it down over the network, as the master does when another node takes its name.
    ShutDown(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_the_address_unless_that_is_every() {
        let at = |bind: &str, host: Option<&str>| Settings {
            name: "/n".to_owned(),
            master: "http://127.0.0.1:11311".to_owned(),
            bind: bind.parse().unwrap(),
            host: host.map(str::to_owned),
            policy: ListenerPolicy::default(),
            remap: BTreeMap::new(),
            now: Arc::new(Time::default),
        };
        assert_eq!(at("127.0.0.1", None).advertised().unwrap(), "127.0.0.1");
        assert_eq!(at("::1", None).advertised().unwrap(), "[::1]");
        assert_eq!(at("0.0.0.0", Some("robot")).advertised().unwrap(), "robot");
        assert_eq!(at("::", Some("fd00::1")).advertised().unwrap(), "[fd00::1]");
        assert_eq!(at("::", Some("[fd00::1]")).advertised().unwrap(), "[fd00::1]");
        let error = at("0.0.0.0", None).advertised().unwrap_err().to_string();
        assert_eq!(error, "it listens on 0.0.0.0; give the host that other nodes connect to");
    }
}
