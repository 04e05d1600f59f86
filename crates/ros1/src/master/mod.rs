//! A master: who publishes and subscribes what, and a tree of parameters.
//!
//! ```text
//!  calls ──▶ xmlrpc ──▶ service ──▶ engine ── graph (nodes, topics, services)
//!  nodes ◀── notifier ◀───┘          └─────── params
//!
//!  /rosout ──▶ rosout ──▶ /rosout_agg, if it is wanted
//! ```
//!
//! The Master API and the Parameter Server API of ROS, in the words of its own master, so that `rostopic`, `rosnode`,
//! `rosparam`, rospy and roscpp find what they know. What differs: all that it holds is bounded, and what each node and each address may register; a name with control
//! characters is refused, because one of them makes the lists of all others unreadable; subscribers are notified when a
//! node's topics go because another took its name; a notification that a newer one overtakes is not sent; and `shutdown` is
//! refused, because a master belongs to the program that it runs in.

mod about;
mod arguments;
mod engine;
#[doc(hidden)]
pub mod fuzzing;
mod graph;
mod name;
mod notice;
mod notifier;
mod parameters;
mod params;
mod providers;
mod quota;
mod reply;
mod rosout;
mod service;
mod topics;
mod updates;

#[cfg(test)]
mod quota_tests;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_listen::ListenerPolicy;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::engine::Engine;
use self::notifier::Notifier;
pub use self::quota::Limits;
pub use self::rosout::NODE as ROSOUT_NODE;
use self::rosout::Rosout;
use self::service::Service;
use crate::msgs::Time;
use crate::xmlrpc::{MAX_CONNECTIONS, Value, port_guard, serve};

/// What the first programs on a master are reply_only, as `roscore` sets it.
const DEFAULTS: [(&str, &str); 2] = [("/rosdistro", "noetic\n"), ("/rosversion", "1.16.0\n")];
/// By what programs know that a master is the same one; `roscore` gives a new one at each start.
const RUN_ID: &str = "/run_id";

/// The wall clock.
pub type Clock = Arc<dyn Fn() -> Time + Send + Sync>;

/// A master that holds its port.
pub struct Master {
    listener: TcpListener,
    host: String,
    /// Further names by which nodes may call it, and bounds on connections.
    policy: ListenerPolicy,
    engine: Arc<Mutex<Engine>>,
    /// For a gatherer of logs, if there is to be one.
    clock: Option<Clock>,
}

impl fmt::Debug for Master {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { listener, host, policy, engine: _, clock: _ } = self;
        f.debug_struct("Master")
            .field("listener", listener)
            .field("host", host)
            .field("policy", policy)
            .finish_non_exhaustive()
    }
}

/// How much there is on a master.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes.
    pub nodes: usize,
    /// Topics with publishers or subscribers.
    pub topics: usize,
    /// Services.
    pub services: usize,
}

/// Tells how much there is on a master, while it runs elsewhere.
#[derive(Clone, Debug)]
pub struct GraphCounts {
    engine: Arc<Mutex<Engine>>,
}

impl GraphCounts {
    /// How much there is now.
    pub fn counts(&self) -> Counts {
        let engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        Self::counts_of(&engine)
    }

    fn counts_of(engine: &Engine) -> Counts {
        let (nodes, topics, services) = engine.graph.counts();
        Counts { nodes, topics, services }
    }
}

impl Master {
    /// Binds; `host` is the name by which nodes reach it.
    pub async fn bind(address: SocketAddr, host: impl Into<String>) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let host = host.into();
        let uri = uri(&host, listener.local_addr()?.port());
        let mut engine = Engine::new(format!("{uri}/"));
        let run_id = uuid::Uuid::new_v4().to_string();
        for (key, value) in DEFAULTS.into_iter().chain([(RUN_ID, run_id.as_str())]) {
            set(&mut engine, key, Value::String(value.to_owned()));
        }
        Ok(Self {
            listener,
            host,
            policy: ListenerPolicy::default(),
            engine: Arc::new(Mutex::new(engine)),
            clock: None,
        })
    }

    /// What it shares with other listeners: further names, beside its host, by which nodes may call it, and bounds on
    /// connections.
    pub fn with_doors(self, policy: ListenerPolicy) -> Self {
        self.engine().refusals.policy = policy.clone();
        Self { policy, ..self }
    }

    /// How many registrations nodes of other programs may have.
    pub fn with_limits(self, limits: Limits) -> Self {
        self.engine().graph.quota.limits = limits;
        self
    }

    /// Nodes of this program, by their full names: what they register on this machine is not bounded.
    pub fn with_own_nodes(self, names: impl IntoIterator<Item = String>) -> Self {
        self.engine().own.extend(names);
        self
    }

    fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A parameter that is set from the start, before any node can look for it.
    pub fn with_param(self, key: &str, value: Value) -> Self {
        set(&mut self.engine(), key, value);
        self
    }

    /// Lets a node `/rosout` run beside it, as `roscore` does, which gathers all logs on `/rosout_agg`.
    pub fn with_rosout(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self.with_own_nodes([rosout::NODE.to_owned()]) }
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What `ROS_MASTER_URI` is set to.
    pub fn uri(&self) -> io::Result<String> {
        Ok(uri(&self.host, self.address()?.port()))
    }

    /// Tells how much there is, also while it runs.
    pub fn graph_counts(&self) -> GraphCounts {
        GraphCounts { engine: self.engine.clone() }
    }

    /// Serves until `shutdown`, or until dropped.
    pub async fn run(self, shutdown: CancellationToken) {
        // Notifier are tasks, which would outlive what is dropped here.
        let shutdown = shutdown.child_token();
        let _end = shutdown.clone().drop_guard();
        let notifier = Notifier::new(shutdown.clone());
        let (guard, gathering) = match self.address() {
            Ok(address) => {
                tracing::info!(uri = uri(&self.host, address.port()), "the ROS master runs");
                let guard = port_guard(address.ip(), &self.host, &self.policy.names());
                (guard, gather(self.clock, (self.host, self.policy.clone()), address, shutdown.clone()))
            }
            Err(error) => {
                tracing::error!(%error, "the ROS master has lost its port");
                return;
            }
        };
        let listener = self.policy.listener(self.listener, "the ROS master", MAX_CONNECTIONS);
        let service = Service { engine: self.engine, notifier };
        // One that unregisters at its end finds the master still there or not; it waits a second at most.
        tokio::join!(serve(listener, Arc::new(service), guard, shutdown), gathering);
    }
}

/// Gathers logs if there is a clock to do it by.
async fn gather(
    clock: Option<Clock>,
    (host, policy): (String, ListenerPolicy),
    master: SocketAddr,
    shutdown: CancellationToken,
) {
    let Some(clock) = clock else { return };
    match Rosout::bind(uri(&host, master.port()), master.ip(), (host, policy), clock).await {
        Ok(Some(rosout)) => rosout.run(shutdown).await,
        Ok(None) => tracing::warn!("the logs of nodes are not gathered: their layout is unknown"),
        Err(error) => tracing::warn!(%error, "the logs of nodes are not gathered"),
    }
}

/// An address of IPv6 needs brackets.
fn set(engine: &mut Engine, key: &str, value: Value) {
    if let Err(error) = engine.params.set(key, value) {
        tracing::warn!(%error, "a parameter of the master itself is not set");
    }
}

fn uri(host: &str, port: u16) -> String {
    if host.contains(':') && !host.starts_with('[') {
        format!("http://[{host}]:{port}")
    } else {
        format!("http://{host}:{port}")
    }
}
