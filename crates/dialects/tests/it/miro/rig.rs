//! Gateways of this dialect, robots to serve, and nodes that look.

use std::sync::Arc;
use std::time::Duration;

use latimer_core::hub::{Delivery, MailboxLimits, Origin, RobotInfo, Sink, Source, Subscription};
use latimer_core::model::Update;
use latimer_core::model::signal::LinkState;
use latimer_core::service::{BuildError, ConfigError, Rules};
use latimer_core::{Clock, Hub, PartName, RobotId, Signal};
use latimer_dialects::miro::ENTRY;
use latimer_dialects::miro::node::time_from_timestamp;
use latimer_dialects::{AnyDialect, BuildContext, Built, Endpoint};
pub(crate) use latimer_e2e::PATIENCE;
use latimer_ros1::node::{Node, Settings, Subscription as Followed};
use latimer_simulator_api::{RequestQueue, SimulatorHandle};
use serde::de::DeserializeOwned;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("what must come, comes")
}

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
    let table: toml::Table = toml::from_str(table).unwrap();
    let table = toml::Value::Table(table).to_string();
    let dialect = toml::de::ValueDeserializer::parse(&table).map(ENTRY.from_toml).unwrap().unwrap();
    dialect.validate(&Rules::default()).map(|()| dialect)
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
pub(crate) struct Gateway {
    pub(crate) endpoints: Vec<Endpoint>,
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Gateway {
    pub(crate) async fn start(hub: &Hub, table: &str) -> Self {
        Self::of(build(hub, table).await.unwrap())
    }

    /// A master within, at which robots of a world are served, which the test moves.
    pub(crate) async fn in_world(hub: &Hub, table: &str) -> (Self, RequestQueue) {
        let (simulator, world) = SimulatorHandle::new(hub.clock());
        let table = format!("{table}\n[master]\nlisten = \"127.0.0.1:0\"\n");
        (Self::of(build_in(hub, Some(simulator), &table).await.unwrap()), world)
    }

    fn of(built: Built) -> Self {
        let stop = CancellationToken::new();
        let running = tokio::spawn(built.service.run(stop.clone()));
        Self { endpoints: built.endpoints, stop, running }
    }

    /// A master within, at which robots are served.
    pub(crate) async fn serving(hub: &Hub, serve: &str) -> Self {
        Self::start(hub, &format!("{serve}\n[master]\nlisten = \"127.0.0.1:0\"\n")).await
    }

    /// The master's address.
    pub(crate) fn master(&self) -> &str {
        &self.endpoints[0].url
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        in_time(self.running).await.unwrap();
    }
}

/// A robot that is heard.
pub(crate) fn play(hub: &Hub, robot: &str, family: &'static str) -> Source {
    let info = robot_info(RobotId::new(robot).unwrap(), family);
    let source = hub.register(info).unwrap();
    source.link(LinkState::Up, None);
    source
}

/// Something that a robot says.
pub(crate) fn tell(source: &Source, part: &str, signal: impl Into<Signal>) {
    let update = Update::now(source.robot(), Clock::system().now(), signal.into());
    source.publish(if part.is_empty() { update } else { update.of_part(PartName::of(part)) });
}

/// Whoever looks at a hub.
pub(crate) struct Observer(Sink);

impl Observer {
    pub(crate) fn of(hub: &Hub, select: &str) -> Self {
        let sink = hub.sink("test", "observer", MailboxLimits::default());
        sink.subscribe(Subscription::to(select.parse().unwrap()));
        Self(sink)
    }

    /// The next update of a sort.
    pub(crate) async fn received(&self, what: &str, wanted: impl Fn(&Update) -> bool) -> Update {
        let wait = async {
            loop {
                let mut deliveries = Vec::new();
                self.0.receive(&mut deliveries).await;
                for delivery in deliveries {
                    if let Delivery::Update(_, update) = delivery
                        && wanted(&update)
                    {
                        return Update::clone(&update);
                    }
                }
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("not in time: {what}"))
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

/// A robot of a family, with what every one of it has; of a family that is none nothing is declared.
fn robot_info(robot: RobotId, family: &'static str) -> RobotInfo {
    match latimer_dialects::find(family) {
        Some(entry) => entry.robot(robot, Origin::Simulated),
        None => RobotInfo::new(robot, family, Origin::Simulated),
    }
}
