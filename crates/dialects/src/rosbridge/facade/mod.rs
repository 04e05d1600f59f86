//! The gateway as a rosbridge: every robot of the hub below its own name, on one socket a client.
//!
//! ```text
//! client ──subscribe, publish, call_service──▶ Client ──▶ hub
//! client ◀──publish, service_response, status── Client ◀── Sink::receive, outcomes
//! ```

mod client;
mod error;
mod rosapi;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::response::Response;
use axum::routing::any;
use bytes::Bytes;
use latimer_core::hub::{Form, Shared};
use latimer_core::{Hub, RobotId, Update};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::client::{Client, LARGEST_BYTES, MAX_MESSAGE_BYTES};
use super::NAME;
use super::config::{RosbridgeConfig, ros_name};
use super::topics::Topic;
use crate::socket;

/// Room for what a client sends at a time, bytes; larger messages make it grow.
const READ_BUFFER_BYTES: usize = 4 << 10;

/// What robots are called.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Arc<BTreeMap<RobotId, String>>);

impl Names {
    /// The names that the config gives.
    pub(super) fn of(config: &RosbridgeConfig) -> Self {
        let served =
            config.serve.iter().filter_map(|it| Some((it.robot.clone(), format!("/{}/", it.name.as_ref()?))));
        let connected = config.connect.iter().map(|it| (it.robot.clone(), it.prefix()));
        Self(Arc::new(connected.chain(served).collect()))
    }

    /// What a robot's topics begin with: `/rover_1/`.
    pub(super) fn prefix(&self, robot: &RobotId) -> String {
        self.0.get(robot).cloned().unwrap_or_else(|| format!("/{}/", ros_name(robot)))
    }
}

/// All that clients share.
#[derive(Clone)]
pub(super) struct Facade {
    pub(super) hub: Hub,
    names: Names,
    stop: CancellationToken,
    clients: TaskTracker,
}

impl Facade {
    pub(super) fn new(hub: Hub, names: Names, stop: CancellationToken) -> Self {
        // A robot that is connected to without a name of its own there has one here.
        let served = names.0.iter().filter(|(_, prefix)| prefix.len() > 1);
        let names = Names(Arc::new(served.map(|(robot, name)| (robot.clone(), name.clone())).collect()));
        Self { hub, names, stop, clients: TaskTracker::new() }
    }

    /// The tasks of the clients.
    pub(super) fn clients(&self) -> TaskTracker {
        self.clients.clone()
    }

    /// A socket at any address, as rosbridge's own server has it.
    pub(super) fn router(&self) -> Router {
        Router::new().fallback(open).with_state(self.clone())
    }

    /// The same on the common port.
    pub(super) fn common_port(&self) -> Router {
        Router::new().route("/rosbridge", any(open)).with_state(self.clone())
    }

    /// Every robot, with what its topics begin with.
    pub(super) fn robots(&self) -> impl Iterator<Item = (RobotId, String)> {
        let robots = self.hub.robots().into_iter().map(|it| it.info.robot);
        robots.map(|robot| (robot.clone(), self.names.prefix(&robot)))
    }

    /// The robot that a topic or service is of, and its path below the robot's name.
    pub(super) fn find<'a>(&self, name: &'a str) -> Option<(RobotId, &'a str)> {
        self.robots().find_map(|(robot, prefix)| {
            let path = name.strip_prefix(&prefix).or_else(|| name.strip_prefix(&prefix[1..]))?;
            Some((robot, path))
        })
    }
}

async fn open(
    State(facade): State<Facade>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let clients = facade.clients.clone();
    socket::served(upgrade, LARGEST_BYTES)
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .on_upgrade(move |socket| clients.track_future(socket::serve_one(serve(socket, facade, peer))))
}

async fn serve(mut stream: WebSocket, facade: Facade, peer: SocketAddr) {
    let (clock, stop) = (facade.hub.clock(), facade.stop.clone());
    let mut client = Client::new(facade, peer);
    if let Some(reason) = socket::run(&mut stream, &mut client, clock, &stop).await {
        tracing::info!(%peer, %reason, "closes a client of the bridge");
    }
}

/// An update as a message of a topic.
#[derive(PartialEq)]
struct AsMessage(&'static str);

impl Form for AsMessage {
    const DIALECT: &'static str = NAME;
    type Output = Option<String>;
}

/// The message of a topic, encoded once however many clients there are.
fn message(hub: &Hub, topic: &'static Topic, update: &Shared) -> Option<String> {
    let text = update.derived(AsMessage(topic.path), |plain| match native(plain) {
        Some(native) => String::from_utf8(native.to_vec()).ok(),
        None => topic.encode(hub, plain),
    });
    (*text).clone()
}

/// What a robot behind a bridge said passes through as it said it.
pub(super) fn native(update: &Update) -> Option<Bytes> {
    update.native.as_ref().filter(|native| native.dialect == NAME).map(|native| native.payload.clone())
}
