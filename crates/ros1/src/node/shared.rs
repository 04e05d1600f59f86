//! What all parts of a node know: its topics, and how to reach it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_listen::ListenerPolicy;
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::MasterLink;
use super::following::Following;
use super::publication::Publication;
use super::rosout::Level;
use super::services::Service;
use crate::msgs::Time;
use crate::xmlrpc::Client;

/// What all parts of a node share.
pub(super) struct Shared {
    /// The node's name.
    pub name: Arc<str>,
    /// Where it answers calls.
    pub uri: String,
    /// The host that others connect to.
    pub host: String,
    /// Where it takes connections.
    pub port: u16,
    /// Its master.
    pub master: Client,
    /// Who may connect, and the list of who is connected.
    pub policy: ListenerPolicy,
    /// Names that are others.
    pub remap: BTreeMap<String, String>,
    /// The wall clock.
    pub now: Arc<dyn Fn() -> Time + Send + Sync>,
    /// How it stands with its master.
    pub link: watch::Sender<MasterLink>,
    /// Notified when topics come or go.
    pub changed: Notify,
    /// Somebody asked over the network that it ends.
    pub shut_down: mpsc::Sender<String>,
    /// The node has ended, or will never run.
    pub ended: CancellationToken,
    /// Its tasks.
    pub tasks: TaskTracker,
    ids: AtomicU64,
    topics: Mutex<Topics>,
    log_level: Mutex<Level>,
}

/// The topics of a node, by name.
#[derive(Default)]
pub(super) struct Topics {
    /// What it offers.
    pub offered: BTreeMap<String, Arc<Publication>>,
    /// What it follows.
    pub followed: BTreeMap<String, Arc<Following>>,
    /// The services that it offers.
    pub services: BTreeMap<String, Arc<Service>>,
}

/// What a [`Shared`] is made of.
pub(super) struct Parts {
    pub name: String,
    pub host: String,
    pub calls_port: u16,
    pub port: u16,
    pub master: String,
    pub policy: ListenerPolicy,
    pub remap: BTreeMap<String, String>,
    pub now: Arc<dyn Fn() -> Time + Send + Sync>,
    pub shut_down: mpsc::Sender<String>,
}

impl Shared {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { name, host, calls_port, port, master, policy, remap, now, shut_down } = parts;
        let waiting = MasterLink::Waiting("not asked yet".to_owned());
        Self {
            name: name.into(),
            uri: format!("http://{host}:{calls_port}/"),
            host,
            port,
            master: Client::for_master(master),
            policy,
            remap,
            now,
            link: watch::Sender::new(waiting),
            changed: Notify::new(),
            shut_down,
            ended: CancellationToken::new(),
            tasks: TaskTracker::new(),
            ids: AtomicU64::new(0),
            topics: Mutex::default(),
            log_level: Mutex::new(Level::Info),
        }
    }

    /// Where its services are, as the master tells callers.
    pub(super) fn rosrpc(&self) -> String {
        format!("rosrpc://{}:{}", self.host, self.port)
    }

    /// A number that nothing else of this node has.
    pub(super) fn id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }

    /// What is less is not said on `/rosout`.
    pub(super) fn log_level(&self) -> Level {
        *self.log_level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_log_level(&self, level: Level) {
        *self.log_level.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    /// Its topics, for a moment.
    pub(super) fn topics(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("name", &self.name).field("uri", &self.uri).finish_non_exhaustive()
    }
}
