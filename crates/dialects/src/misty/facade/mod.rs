//! The gateway as a Misty: any robot of the hub, served so that Misty's clients see one of their own.
//!
//! | file | holds |
//! |---|---|
//! | `request` | what a client asks on the socket |
//! | `subscriptions` | its subscriptions, from request to hub and from delivery to frame |
//! | `event` | one update as an event, encoded once |
//! | `compose` | SelfState and WorldState, put together from several signals |
//! | `socket` | one task per client |
//! | `rest` | the calls below `/api/` |
//! | `picture`, `picture_size` | the call for a picture |

mod answers;
mod compose;
mod device;
mod event;
mod names;
mod picture;
pub mod picture_size;
pub mod request;
mod rest;
mod robot;
mod socket;
mod subscriptions;
mod view;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Path, State, WebSocketUpgrade};
use axum::http::{Extensions, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use latimer_core::access::Role;
use latimer_core::hub::Shared;
use latimer_core::model::Kind;
use latimer_core::{Author, Hub, RobotId};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::contract::Translated;
use crate::entrance;
use crate::per_robot::PerRobot;
pub use event::Style;
pub(super) use rest::stops;
use robot::FacadeRobot;

use super::NAME;
use super::map::names::is_known;
use super::wire::EventType;

/// All robots, served as Mistys.
#[derive(Clone)]
pub(super) struct Facade(Arc<Inner>);

struct Inner {
    hub: Hub,
    style: Style,
    /// Where clients reach the robot, if it does not know its own address.
    ip: IpAddr,
    stop: CancellationToken,
    clients: TaskTracker,
    robots: PerRobot<FacadeRobot>,
}

impl Facade {
    pub(super) fn new(hub: Hub, style: Style, ip: IpAddr, stop: CancellationToken) -> Self {
        let robots = PerRobot::new(hub.clone());
        Self(Arc::new(Inner { hub, style, ip, stop, clients: TaskTracker::new(), robots }))
    }

    /// What this robot's clients share, on its own port and on the common one.
    fn robot(&self, robot: &RobotId) -> Arc<FacadeRobot> {
        self.0
            .robots
            .get(robot, || FacadeRobot::new(robot.clone(), self.0.hub.clone(), self.0.style, self.0.ip))
    }

    /// The tasks of the clients.
    pub(super) fn clients(&self) -> TaskTracker {
        self.0.clients.clone()
    }

    /// The routes of one robot on a port of its own.
    pub(super) fn own_port(&self, robot: RobotId, stop: CancellationToken) -> Router {
        let state = One { facade: self.clone(), robot, stop };
        Router::new()
            .route("/pubsub", get(own_pubsub))
            .route("/api/{*endpoint}", any(own_rest))
            .fallback(rest::not_found)
            .with_state(state)
    }

    /// The routes of all robots on the common port.
    pub(super) fn common_port(&self) -> Router {
        Router::new()
            .route("/robots/{robot}/misty/pubsub", get(pubsub))
            .route("/robots/{robot}/misty/api/{*endpoint}", any(rest_of_robot))
            .with_state(self.clone())
    }

    /// The robot that an address names, if the hub has it.
    fn find(&self, name: &str) -> Result<Arc<FacadeRobot>, (StatusCode, String)> {
        let robot: RobotId = name.parse().map_err(|error| (StatusCode::BAD_REQUEST, format!("{error}\n")))?;
        match self.0.hub.robot(&robot) {
            Some(_) => Ok(self.robot(&robot)),
            None => Err((
                StatusCode::NOT_FOUND,
                format!("there is no robot {robot}; GET /api/v1/robots lists those that there are\n"),
            )),
        }
    }

    fn upgrade(
        &self,
        robot: Arc<FacadeRobot>,
        upgrade: WebSocketUpgrade,
        peer: SocketAddr,
        author: Author,
        stop: CancellationToken,
    ) -> Response {
        if let Err(forbidden) = entrance::permit(&author, Role::See, &robot.robot) {
            return forbidden.into_response();
        }
        let clients = self.0.clients.clone();
        let session = self.0.hub.sessions().of(&author, peer);
        crate::socket::served(upgrade, socket::LARGEST_BYTES, socket::MAX_MESSAGE_BYTES).on_upgrade(
            move |socket| {
                let client = socket::serve(socket, robot, peer, author, stop);
                clients.track_future(crate::socket::serve_session(session, client))
            },
        )
    }
}

impl fmt::Debug for Facade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facade").field("style", &self.0.style).finish_non_exhaustive()
    }
}

/// One robot on a port of its own.
#[derive(Clone)]
struct One {
    facade: Facade,
    robot: RobotId,
    stop: CancellationToken,
}

async fn own_pubsub(
    State(one): State<One>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    extensions: Extensions,
    up: WebSocketUpgrade,
) -> Response {
    let One { facade, robot, stop } = one;
    facade.upgrade(facade.robot(&robot), up, peer, entrance::author(NAME, &extensions), stop)
}

async fn own_rest(
    State(one): State<One>,
    Path(endpoint): Path<String>,
    call: axum::extract::Request,
) -> Response {
    rest::handle(one.facade.robot(&one.robot), &endpoint, call).await
}

async fn pubsub(
    State(facade): State<Facade>,
    Path(robot): Path<String>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    extensions: Extensions,
    up: WebSocketUpgrade,
) -> Response {
    match facade.find(&robot) {
        Ok(robot) => {
            let (author, stop) = (entrance::author(NAME, &extensions), facade.0.stop.clone());
            facade.upgrade(robot, up, peer, author, stop)
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn rest_of_robot(
    State(facade): State<Facade>,
    Path((robot, endpoint)): Path<(String, String)>,
    call: axum::extract::Request,
) -> Response {
    match facade.find(&robot) {
        Ok(robot) => rest::handle(robot, &endpoint, call).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// An update as the body of a Misty event; what SelfState and WorldState are made of as those.
pub(super) fn translate(hub: &Hub, update: &Shared, style: Style) -> Option<Translated> {
    let composed = match update.kind() {
        Kind::Pose | Kind::Status => Some(EventType::SelfState),
        Kind::Objects => Some(EventType::WorldState),
        _ => None,
    };
    if let Some(event_type) = composed {
        let robot = FacadeRobot::new(update.robot.clone(), hub.clone(), style, Ipv4Addr::LOCALHOST.into());
        let payload = robot.composed(event_type).body.clone();
        return Some(Translated { topic: event_type.as_str().into(), payload });
    }
    let family = hub.family(&update.robot);
    if family.is_some_and(|family| family != NAME) && !is_known(update.kind(), update.part.as_ref()) {
        return None;
    }
    let topic = event::event_type(update)?.as_str().into();
    Some(Translated { topic, payload: event::body(update, style)?.as_ref().clone() })
}
