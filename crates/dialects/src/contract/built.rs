//! What a dialect is built with, and what comes of it.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use futures_util::future::BoxFuture;
use latimer_core::service::Service;
use latimer_core::{BrokerAddress, Clock, Hub, RobotId};
use latimer_listen::Trust;
use latimer_mqtt::broker::Watchers;
use latimer_simulator_api::SimulatorHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::listen::Ports;
use crate::running::Running;
use crate::served_port::OwnPorts;

/// What a dialect is built with.
#[derive(Clone, Debug)]
pub struct BuildContext {
    /// The exchange to publish into and to serve from.
    pub hub: Hub,
    /// The gateway's clock.
    pub clock: Clock,
    /// Where the common HTTP port is reached, e.g. `127.0.0.1:8080`.
    pub http: SocketAddr,
    /// The simulated world, if there is one.
    pub simulator: Option<SimulatorHandle>,
    /// The MQTT broker of the gateway, its own or another, if there is one.
    pub broker: Option<BrokerAddress>,
    /// Where to learn who sends what at that broker, if it is the gateway's own.
    pub watchers: Option<Watchers>,
    /// What all listeners share.
    pub ports: Ports,
    /// Which servers are trusted, robots and brokers.
    pub trust: Trust,
}

impl BuildContext {
    /// Of a hub alone: without a world, a broker, users and a common port.
    pub fn new(hub: &Hub) -> Self {
        Self {
            hub: hub.clone(),
            clock: hub.clock(),
            http: (Ipv4Addr::LOCALHOST, 0).into(),
            simulator: None,
            broker: None,
            watchers: None,
            ports: Ports::default(),
            trust: Trust::default(),
        }
    }
}

/// Where something can be reached, and a line that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Which robot is served; `None` if any.
    pub robot: Option<RobotId>,
    /// In which dialect.
    pub dialect: &'static str,
    /// The address, e.g. `ws://127.0.0.1:8081/pubsub`.
    pub url: String,
    /// A line to paste into a terminal.
    pub try_line: String,
}

/// A dialect that holds its ports and is ready to run.
pub struct Built {
    /// Where it can be reached.
    pub endpoints: Vec<Endpoint>,
    /// What it serves on the common HTTP port.
    pub mount: Option<Router>,
    /// What runs, apart from the units.
    pub service: Box<dyn Service>,
    /// What serves robots on ports of their own; `None` if its robots share one.
    pub own_ports: Option<OwnPorts>,
    /// What runs for single robots.
    pub units: Vec<Unit>,
}

impl Built {
    /// A dialect whose robots share what they are served on.
    pub(crate) fn new(
        endpoints: Vec<Endpoint>,
        mount: Option<Router>,
        service: impl Service + 'static,
    ) -> Self {
        Self { endpoints, mount, service: Box::new(service), own_ports: None, units: Vec::new() }
    }

    /// A dialect over HTTP whose robots have ports of their own; `clients` are the tasks of those, `mount` is on the common port.
    pub(crate) fn on_own_ports(mount: Option<Router>, clients: TaskTracker, ports: OwnPorts) -> Self {
        let running = Running { port: None, clients, stop: ports.stop.clone() };
        Self { own_ports: Some(ports), ..Self::new(Vec::new(), mount, running) }
    }

    /// The same with all units in its one service and their addresses in its list, where no robot goes before the others.
    #[must_use]
    pub fn whole(mut self) -> Self {
        let mut units = Vec::new();
        for Unit { endpoint, service, .. } in self.units {
            self.endpoints.extend(endpoint);
            units.push(service);
        }
        let service = Box::new(WithUnits { units, service: self.service });
        Self { service, units: Vec::new(), ..self }
    }
}

/// What runs for one robot of the config, and can come and go while the gateway runs.
pub struct Unit {
    /// Which entry of the dialect's table it is.
    pub key: UnitKey,
    /// Where the robot is reached by it.
    pub endpoint: Option<Endpoint>,
    /// What runs.
    pub service: Box<dyn Service>,
}

/// An entry of a dialect's table for one robot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitKey {
    /// The dialect.
    pub dialect: &'static str,
    /// Its list.
    pub list: UnitList,
    /// The robot.
    pub robot: RobotId,
    /// Where it is served, as the entry says it: a robot may have several ports.
    pub listen: Option<SocketAddr>,
}

/// A list of a dialect's table, of which each entry is of one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitList {
    /// Robots that are connected to.
    Connect,
    /// Robots that are served on ports of their own.
    Serve,
}

impl UnitList {
    /// Its key in the dialect's table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Serve => "serve",
        }
    }
}

/// A dialect with its units, which end first.
struct WithUnits {
    units: Vec<Box<dyn Service>>,
    service: Box<dyn Service>,
}

impl Service for WithUnits {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let tasks = TaskTracker::new();
            for unit in self.units {
                tasks.spawn(unit.run(shutdown.clone()));
            }
            tasks.close();
            let end = CancellationToken::new();
            let units = async {
                shutdown.cancelled().await;
                tasks.wait().await;
                end.cancel();
            };
            tokio::join!(self.service.run(end.clone()), units);
        })
    }
}
