//! The gateway as a rosbridge: every robot of the hub below its own name, on one socket a client.
//!
//! ```text
//! client ──subscribe, publish, call_service──▶ Client ──▶ hub
//! client ◀──publish, service_response, status── Client ◀── Sink::receive, outcomes
//! ```

mod client;
mod error;
mod rosapi;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, State};
use axum::http::Extensions;
use axum::response::Response;
use axum::routing::any;
use latimer_core::access::Caller;
use latimer_core::hub::{Encoding, Shared};
use latimer_core::model::KindSet;
use latimer_core::{Author, Hub, RobotId, Update};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::client::{Client, LARGEST_BYTES, MAX_MESSAGE_BYTES};
use super::NAME;
use super::RosbridgeConfig;
use super::topics::Topic;
use crate::socket::{self, PendingWrite};

/// All that clients share.
#[derive(Clone)]
pub(super) struct Facade {
    pub(super) hub: Hub,
    config: Arc<RosbridgeConfig>,
    stop: CancellationToken,
    /// The tasks of the clients.
    pub(super) clients: TaskTracker,
}

impl Facade {
    pub(super) fn new(hub: Hub, config: Arc<RosbridgeConfig>, stop: CancellationToken) -> Self {
        Self { hub, config, stop, clients: TaskTracker::new() }
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
        robots.map(|robot| (robot.clone(), self.config.prefix(&robot)))
    }

    /// The robot that a topic or service is of, and what `of` finds by its path below the robot's name.
    pub(super) fn find<T>(&self, name: &str, of: impl Fn(&str) -> Option<T>) -> Option<(RobotId, T)> {
        self.robots().find_map(|(robot, prefix)| {
            let path = name.strip_prefix(&prefix).or_else(|| name.strip_prefix(&prefix[1..]))?;
            Some((robot, of(path)?))
        })
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

/// An update as a message of a topic, without the kinds that are withheld.
#[derive(PartialEq)]
struct AsMessage(&'static str, KindSet);

impl Encoding for AsMessage {
    const DIALECT: &'static str = NAME;
    type Output = Option<String>;
}

/// The message of a topic for the client of a hub, encoded once for all who see the same of it.
fn message(hub: &Hub, topic: &'static Topic, update: &Shared) -> Option<String> {
    let withheld = topic.withheld(hub, &update.robot);
    let encode = |plain: &Update| topic.encode(&hub.unfiltered(), plain, withheld);
    (*update.derived(AsMessage(topic.path, withheld), encode)).clone()
}
