//! The dialect at work: a master, a node for all served robots, and one for each robot that is connected to.

use std::collections::{BTreeMap, BTreeSet};
use std::future::pending;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::contract::{BuildContext, Built, Endpoint};
use futures_util::future::BoxFuture;
use latimer_core::access::{Gate, Role};
use latimer_core::hub::Origin;
use latimer_core::service::{BuildError, ConfigError, Service};
use latimer_core::sessions::{ClientSession, Sessions};
use latimer_listen::{Listed, ListenerPolicy, Reception, from_here};
use latimer_ros1::master::{Master, ROSOUT_NODE};
use latimer_simulator_api::SimulatorHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::NAME;
use super::config::{Connect, MiroConfig, Serve, master_uri};
use super::facade::{self, Facade, USE_SIM_TIME, true_value};
use super::lines;
use super::node::{NodeAddress, Now, time_from_timestamp, wall};
use super::session::{self, MiroSession};
use super::topic::Topic;
use super::types::Types;
use crate::running::Connected;

/// Where ROS programs find their master, if nothing else is said.
const MASTER_VARIABLE: &str = "ROS_MASTER_URI";

/// The dialect at work: a master and served robots.
struct Running {
    master: Option<Master>,
    facade: Option<Facade>,
}

fn types(config: &MiroConfig) -> Result<Types, BuildError> {
    Types::load(config.layouts, config.messages.as_deref())
        .map_err(|error| BuildError::Other(format!("miro.messages: {error}")))
}

/// Where a node of this gateway is, and who may connect to it.
fn place(config: &MiroConfig, context: &BuildContext, policy: ListenerPolicy, master: String) -> NodeAddress {
    NodeAddress {
        master,
        bind: config.bind,
        host: config.host.clone(),
        policy,
        gate: context.ports.gate().cloned(),
    }
}

/// For the nodes and the tools of clients; `own` are the gateway's nodes.
fn policy(config: &MiroConfig, context: &BuildContext) -> ListenerPolicy {
    let own = config.own_nodes().into_iter().chain([ROSOUT_NODE.to_owned()]).collect();
    let gate = context.ports.gate().cloned();
    context.ports.policy.only(Clients {
        gate,
        sessions: context.hub.sessions().clone(),
        own,
        nodes: Mutex::default(),
    })
}

/// Nodes show nothing but their addresses.
struct Clients {
    gate: Option<Arc<dyn Gate>>,
    sessions: Sessions,
    /// Names of the gateway's nodes, which are no clients.
    own: BTreeSet<String>,
    /// Those that are connected, by address and name: a node opens a connection for each topic, and all are one session.
    nodes: Mutex<BTreeMap<(IpAddr, String), Weak<ClientSession>>>,
}

impl Reception for Clients {
    fn admits(&self, address: IpAddr) -> bool {
        may_connect(self.gate.as_ref(), address)
    }

    fn list(&self, peer: SocketAddr, client: &str) -> Listed {
        if peer.ip().to_canonical().is_loopback() && self.own.contains(client) {
            return Box::pin(pending());
        }
        let mut nodes = self.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        nodes.retain(|_, session| session.strong_count() > 0);
        let node = nodes.entry((peer.ip(), client.to_owned())).or_default();
        let session = node.upgrade().unwrap_or_else(|| {
            let session = Arc::new(self.sessions.open(NAME, peer, None).called(client.into()));
            *node = Arc::downgrade(&session);
            session
        });
        Box::pin(async move { session.ended().await })
    }
}

/// Those of this machine are let in, as the gateway's own come from there.
fn may_connect(gate: Option<&Arc<dyn Gate>>, address: IpAddr) -> bool {
    gate.is_none_or(|gate| {
        address.to_canonical().is_loopback() || gate.of_address(address).may_everywhere(Role::See, NAME)
    })
}

/// Takes in a robot that is connected to.
pub(super) fn connect(
    config: &MiroConfig,
    connect: &Connect,
    context: &BuildContext,
) -> Result<Box<dyn Service>, BuildError> {
    let leaving = TaskTracker::new();
    let gate = context.ports.gate().cloned();
    let policy = context.ports.policy.only(move |address| may_connect(gate.as_ref(), address));
    let settings = session::Settings {
        node: config.node_of(connect),
        // What connects to this node, and what it connects to, is the robot.
        place: place(config, context, policy, master_uri(&connect.address)),
        name: connect.ros_name(),
        types: types(config)?,
        sounds: config.sounds.clone().into(),
        leaving: leaving.clone(),
    };
    let session = MiroSession::new(settings, context.clock);
    let info = super::ENTRY.robot(connect.robot.clone(), Origin::Connected(connect.address.clone()));
    Connected::register_leaving(context, info, session, leaving)
}

/// Reads the messages, binds the master and the node of the served robots.
pub(super) async fn build(config: MiroConfig, context: &BuildContext) -> Result<Built, BuildError> {
    let clock = context.clock;
    let types = types(&config)?;
    let world = context.simulator.as_ref().map(SimulatorHandle::world_clock);
    // One for the master and the nodes, which the same clients connect to.
    let policy = policy(&config, context);
    if config.sim_time && world.is_none() {
        return Err(BuildError::Other(
            "miro.sim_time: there is no simulated world with a time to publish; simulate a robot, or leave the key out"
                .to_owned(),
        ));
    }
    let master = match config.master.listen {
        Some(listen) => {
            let now = match &world {
                Some(world) if config.sim_time => {
                    let world = world.clone();
                    Arc::new(move || world.now()) as Now
                }
                _ => wall(clock),
            };
            let master = bind_master(listen, config.host.as_deref(), now).await?;
            let master = master
                .with_doors(policy.clone())
                .with_limits(config.master.limits())
                .with_own_nodes(config.own_nodes());
            // From the start, since nodes look but once.
            Some(if config.sim_time { master.with_param(USE_SIM_TIME, true_value()) } else { master })
        }
        None => None,
    };
    let mut endpoints = Vec::new();
    let uri = match &master {
        Some(master) => {
            Some(master.uri().map_err(|error| BuildError::Other(format!("miro.master.listen: {error}")))?)
        }
        None => config.master.url.as_deref().map(master_uri).or_else(|| std::env::var(MASTER_VARIABLE).ok()),
    };
    if let (Some(_), Some(uri)) = (&master, &uri) {
        let below = if config.serve_all { lines::SERVE_ALL } else { "" };
        endpoints.push(endpoint(None, uri, format!("rostopic list -v {below}").trim_end().to_owned()));
    }
    let mut facade = None;
    if config.serve_all || !config.serve.is_empty() {
        let uri = uri.ok_or_else(|| {
            BuildError::Other(format!(
                "miro.serve: there is no master to serve robots at; set miro.master.listen, miro.master.url or the variable {MASTER_VARIABLE}"
            ))
        })?;
        check_echo(&config, &uri).map_err(|error| BuildError::Other(error.to_string()))?;
        for serve in &config.serve {
            // Of a common type, so that it shows something where the maker's messages are not known.
            let line = format!("rostopic echo -n1 {}", Topic::Odom.of(&serve.ros_name()));
            endpoints.push(endpoint(Some(serve), &uri, line));
        }
        if config.serve_all && master.is_none() {
            endpoints.push(endpoint(None, &uri, format!("rostopic list -v {}", lines::SERVE_ALL)));
        }
        let settings = facade::Settings {
            node: config.node.clone(),
            place: place(&config, context, policy, uri.clone()),
            serve: config.serve.clone(),
            serve_all: config.serve_all,
            taken: taken_at(&config, &uri).map(|it| it.ros_name()).collect(),
            sounds: config.sounds.clone().into(),
            types,
            world,
            sim_time: config.sim_time,
        };
        facade = Some(Facade::bind(context, settings).await?);
    }
    Ok(Built::new(endpoints, None, Running { master, facade }))
}

/// A master as `roscore` is one, with what gathers the logs.
async fn bind_master(listen: SocketAddr, host: Option<&str>, now: Now) -> Result<Master, BuildError> {
    let host = host.map_or_else(|| reachable(listen.ip()), str::to_owned);
    let master = Master::bind(listen, host).await.map_err(|source| BuildError::Bind {
        address: listen,
        key: "miro.master.listen".to_owned(),
        source,
    })?;
    Ok(master.with_rosout(Arc::new(move || time_from_timestamp(now()))))
}

/// An address as it stands in a URI; of all addresses that of this machine.
pub(super) fn reachable(listen: IpAddr) -> String {
    match from_here(listen) {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// A robot that is connected to and served at one master under one name would hear itself for ever.
pub(super) fn check_echo(config: &MiroConfig, uri: &str) -> Result<(), ConfigError> {
    for connect in taken_at(config, uri) {
        let name = connect.ros_name();
        if let Some(at) = config.serve.iter().position(|serve| serve.ros_name() == name) {
            return Err(ConfigError::new(
                format!("miro.serve[{at}].robot"),
                format!("{uri} has a robot {name:?} already, to which {} is connected", connect.robot),
                "serve under another name there",
            ));
        }
    }
    Ok(())
}

/// Robots that are connected to at a master.
fn taken_at<'a>(config: &'a MiroConfig, uri: &str) -> impl Iterator<Item = &'a Connect> {
    // The two names of this machine that people write.
    let place = |address: &str| master_uri(address).replace("//localhost:", "//127.0.0.1:");
    let uri = place(uri);
    config.connect.iter().filter(move |it| place(&it.address) == uri)
}

fn endpoint(serve: Option<&Serve>, uri: &str, line: String) -> Endpoint {
    Endpoint {
        robot: serve.map(|it| it.robot.clone()),
        dialect: NAME,
        url: uri.to_owned(),
        try_line: format!("{MASTER_VARIABLE}={uri} {line}"),
    }
}

impl Service for Running {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Self { master, facade } = *self;
            let tasks = TaskTracker::new();
            if let Some(facade) = facade {
                tasks.spawn(facade.run(shutdown.clone()));
            }
            tasks.close();
            // The master is the last to go, so that nodes can take their leave.
            let stop_master = CancellationToken::new();
            let master = master.map(|master| tokio::spawn(master.run(stop_master.clone())));
            shutdown.cancelled().await;
            tasks.wait().await;
            stop_master.cancel();
            if let Some(master) = master
                && let Err(error) = master.await
            {
                tracing::error!(%error, "the master broke");
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_is_not_served_where_it_is_heard_under_the_same_name() {
        let text =
            "[[connect]]\nrobot='a'\nname='rob01'\naddress='localhost'\n[[serve]]\nrobot='a'\nname='rob01'";
        let config: MiroConfig = toml::from_str(text).unwrap();
        for (uri, echoes) in [
            ("http://127.0.0.1:11311", true),
            ("http://localhost:11311/", true),
            ("http://127.0.0.1:11312", false),
        ] {
            assert_eq!(check_echo(&config, uri).is_err(), echoes, "{uri}");
        }
    }
}
