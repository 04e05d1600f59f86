//! Gateways of this dialect, robots to serve, and nodes that look.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::service::{BuildError, ConfigError};
use latimer_core::{Clock, Hub};
use latimer_dialects::miro::ENTRY;
use latimer_dialects::miro::node::time_from_timestamp;
use latimer_dialects::{AnyDialect, BuildContext, Built};
use latimer_ros1::node::{Node, Settings, Subscription as Followed};
use latimer_simulator_api::{RequestQueue, SimulatorHandle};
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::rig::{self, Running};
pub(crate) use crate::rig::{Observer, PATIENCE, in_time, play, publish};

/// Waits for a condition of which nothing else tells.
pub(crate) async fn until(what: &str, condition: impl Fn() -> bool) {
    let wait = async {
        while !condition() {
            // Neither the hub nor a node tells of this when it comes about.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("not in time: {what}"));
}

/// What the dialect makes of a table.
pub(crate) async fn build(hub: &Hub, table: &str) -> Result<Built, BuildError> {
    build_in(hub, None, table).await
}

/// The dialect with its table, or what is wrong with that.
pub(crate) fn checked(table: &str) -> Result<AnyDialect, ConfigError> {
    rig::checked(&ENTRY, table)
}

/// The same in a gateway with a simulated world.
pub(crate) async fn build_in(
    hub: &Hub,
    simulator: Option<SimulatorHandle>,
    table: &str,
) -> Result<Built, BuildError> {
    let dialect = checked(table).unwrap();
    let context = BuildContext { simulator, ..BuildContext::new(hub) };
    Ok(dialect.build(context).await?.whole())
}

/// A gateway that runs.
pub(crate) struct Gateway(Running);

impl Gateway {
    pub(crate) async fn start(hub: &Hub, table: &str) -> Self {
        Self(Running::of(build(hub, table).await.unwrap()))
    }

    /// A master within, at which robots of a world are served, which the test moves.
    pub(crate) async fn in_world(hub: &Hub, table: &str) -> (Self, RequestQueue) {
        let (simulator, world) = SimulatorHandle::new(hub.clock());
        let table = format!("{table}\n[master]\nlisten = \"127.0.0.1:0\"\n");
        (Self(Running::of(build_in(hub, Some(simulator), &table).await.unwrap())), world)
    }

    /// A master within, at which robots are served.
    pub(crate) async fn serving(hub: &Hub, serve: &str) -> Self {
        Self::start(hub, &format!("{serve}\n[master]\nlisten = \"127.0.0.1:0\"\n")).await
    }

    /// The master's address.
    pub(crate) fn master(&self) -> &str {
        &self.0.endpoints[0].url
    }

    pub(crate) async fn stop(self) {
        self.0.stop().await;
    }
}

/// A node that looks.
pub(crate) struct Looker {
    pub(crate) node: Node,
    stop: CancellationToken,
    running: JoinHandle<latimer_ros1::node::Ended>,
}

impl Looker {
    pub(crate) async fn at(master: &str, name: &str) -> Self {
        let clock = Clock::system();
        let settings = Settings {
            name: name.to_owned(),
            master: master.to_owned(),
            bind: [127, 0, 0, 1].into(),
            host: None,
            policy: Default::default(),
            remap: std::collections::BTreeMap::new(),
            now: Arc::new(move || time_from_timestamp(clock.now())),
        };
        let (node, running) = Node::bind(settings).await.unwrap();
        let stop = CancellationToken::new();
        let running = tokio::spawn(running.run(stop.clone()));
        Self { node, stop, running }
    }

    pub(crate) fn follow(&self, topic: &str) -> Followed {
        self.node.subscribe(topic, None, 100).unwrap()
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        in_time(self.running).await.unwrap();
    }
}

/// The next message of a sort.
pub(crate) async fn next<T: DeserializeOwned>(followed: &mut Followed, wanted: impl Fn(&T) -> bool) -> T {
    in_time(async {
        loop {
            let read: T = followed.next().await.unwrap().decode().unwrap();
            if wanted(&read) {
                return read;
            }
        }
    })
    .await
}
