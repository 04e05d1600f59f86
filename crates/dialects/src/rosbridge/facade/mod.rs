//! The gateway as a rosbridge: every robot of the hub below its own name, or one with root names, on one socket a client.
//!
//! ```text
//! client ──subscribe, publish, call_service──▶ Client ──▶ hub
//! client ◀──publish, service_response, status── Client ◀── Sink::receive, outcomes
//!                                                 ◀──▶ Relay ◀──▶ other clients; /rosout
//! ```

mod actions;
mod calls;
mod cbor;
mod client;
mod error;
mod extra;
mod following;
mod frames;
mod goals;
mod graph;
mod names;
mod outgoing;
mod parameters;
mod relay;
#[cfg(test)]
mod relay_tests;
mod republisher;
mod rosapi;
mod rosout;
mod typedefs;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{Extensions, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use latimer_core::access::Caller;
use latimer_core::hub::{Encoding, Shared};
use latimer_core::model::KindSet;
use latimer_core::{Author, Hub, RobotId, Update};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(super) use self::names::NameTaken;

use self::client::{Client, LARGEST_BYTES, MAX_MESSAGE_BYTES};
use self::goals::Goals;
use self::names::Names;
use self::parameters::Parameters;
use self::relay::Relay;
pub(super) use self::rosapi::add_types;
use self::rosout::ROSOUT;
use super::NAME;
use super::RosbridgeConfig;
use super::topics::Topic;
use crate::socket::{self, PendingWrite};

/// The node that clients are, as ROS's tools list it.
const BRIDGE_NODE: &str = "/rosbridge_websocket";
/// The node that answers what there is.
const ROSAPI_NODE: &str = "/rosapi";

/// The node that computes transforms for pages.
const REPUBLISHER_NODE: &str = "/tf2_web_republisher";

/// All that clients share.
#[derive(Clone)]
pub(super) struct Facade {
    pub(super) hub: Hub,
    names: Arc<Names>,
    goals: Arc<Goals>,
    /// The one robot that is shown, with root names.
    alone: Option<RobotId>,
    relay: Arc<Relay>,
    parameters: Arc<Parameters>,
    stop: CancellationToken,
    /// The tasks of the clients.
    pub(super) clients: TaskTracker,
}

impl Facade {
    pub(super) fn new(hub: Hub, config: Arc<RosbridgeConfig>, stop: CancellationToken) -> Self {
        let names = Arc::new(Names::new(hub.clone(), config));
        let goals = Arc::new(Goals::new(hub.clone()));
        Self {
            hub,
            names,
            goals,
            alone: None,
            relay: Arc::default(),
            parameters: Arc::default(),
            stop,
            clients: TaskTracker::new(),
        }
    }

    /// Keeps the names of robots that register and leave, until `stop`.
    pub(super) fn follow_names(&self, stop: CancellationToken) -> impl Future<Output = ()> + use<> {
        let names = self.names.clone();
        async move { names.follow(stop).await }
    }

    /// A socket at any address, as rosbridge's own server has it.
    pub(super) fn router(&self) -> Router {
        Router::new().fallback(open).with_state(self.clone())
    }

    /// The same for one robot alone.
    pub(super) fn own_port(&self, robot: RobotId, stop: CancellationToken) -> Router {
        let (relay, parameters) = (Arc::default(), Arc::default());
        Self { alone: Some(robot), stop, relay, parameters, ..self.clone() }.router()
    }

    /// The same on the common port.
    pub(super) fn common_port(&self) -> Router {
        let routes = Router::new().route("/rosbridge", any(open));
        routes.route("/robots/{robot}/rosbridge", any(open_alone)).with_state(self.clone())
    }

    /// Every robot that has a name, with what its topics begin with.
    pub(super) fn robots(&self) -> Vec<(RobotId, String)> {
        if let Some(robot) = &self.alone {
            return self.hub.has(robot).then(|| (robot.clone(), "/".to_owned())).into_iter().collect();
        }
        let robots = self.hub.robots().into_iter().map(|it| it.info.robot);
        robots.filter_map(|robot| Some((robot.clone(), self.names.prefix(&robot)?))).collect()
    }

    /// The robot that a topic or service is of, and what `of` finds by its path below the robot's name.
    pub(super) fn find<T>(&self, name: &str, of: impl Fn(&str) -> Option<T>) -> Option<(RobotId, T)> {
        let (robot, path) = match &self.alone {
            Some(robot) => (robot.clone(), name.strip_prefix('/').unwrap_or(name)),
            None => self.names.find(name)?,
        };
        self.hub.has(&robot).then(|| Some((robot, of(path)?)))?
    }

    /// Why nothing has a name, if it is that of a robot that has none here.
    pub(super) fn taken(&self, name: &str) -> Option<NameTaken> {
        let taken = self.names.taken(name).filter(|_| self.alone.is_none())?;
        self.hub.has(&taken.robot).then_some(taken)
    }
}

/// The socket of one robot, on the common port.
async fn open_alone(
    State(facade): State<Facade>,
    Path(name): Path<String>,
    peer: ConnectInfo<SocketAddr>,
    extensions: Extensions,
    upgrade: WebSocketUpgrade,
) -> Response {
    let seen = match extensions.get::<Caller>() {
        Some(caller) => facade.hub.seen_by(&Author::of(NAME, caller)),
        None => facade.hub.clone(),
    };
    match name.parse::<RobotId>() {
        Ok(robot) if seen.has(&robot) => {
            open(State(Facade { alone: Some(robot), ..facade }), peer, extensions, upgrade).await
        }
        Ok(robot) => {
            let absent =
                format!("there is no robot {robot}; GET /api/v1/robots lists those that there are\n");
            (StatusCode::NOT_FOUND, absent).into_response()
        }
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
    }
}

async fn open(
    State(facade): State<Facade>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    extensions: Extensions,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Each socket is a client of its own.
    let author = match extensions.get::<Caller>() {
        Some(caller) => Author::of(NAME, caller),
        None => Author::new(NAME, peer.to_string()),
    };
    let clients = facade.clients.clone();
    let session = facade.hub.sessions().of(&author, peer);
    socket::served(upgrade, LARGEST_BYTES, MAX_MESSAGE_BYTES).on_upgrade(move |socket| {
        clients.track_future(socket::serve_session(session, serve(socket, facade, peer, author)))
    })
}

async fn serve(mut stream: WebSocket, facade: Facade, peer: SocketAddr, author: Author) {
    let clock = facade.hub.clock();
    let unread = PendingWrite::new(facade.hub.memory(), &author, &facade.stop);
    let mut client = Client::new(facade, peer, author);
    if let Some(reason) = socket::run(&mut stream, &mut client, &unread, clock).await {
        tracing::info!(%peer, %reason, "closes a client of the bridge");
    }
}

/// An update as a message of a topic, without the kinds that are withheld, with frames below the robot's name or not.
#[derive(PartialEq)]
struct AsMessage(&'static str, KindSet, bool);

impl Encoding for AsMessage {
    const DIALECT: &'static str = NAME;
    type Output = Option<String>;
}

/// The message of a topic for a client, encoded once for all who see the same of it.
fn message(facade: &Facade, topic: &'static Topic, update: &Shared) -> Option<String> {
    let hub = &facade.hub;
    let withheld = topic.withheld(hub, &update.robot);
    let encode = |plain: &Update| {
        let message = topic.encode(&hub.unfiltered(), plain, withheld)?;
        let prefix = facade.frame_prefix(&plain.robot);
        Some(frames::prefixed(&message, &prefix).filter(|_| !prefix.is_empty()).unwrap_or(message))
    };
    (*update.derived(AsMessage(topic.path, withheld, facade.alone.is_some()), encode)).clone()
}
