//! The gateway as a chassis: any robot of the hub, served so that AutoXing's clients see one of their own.
//!
//! | file | holds |
//! |---|---|
//! | `guard` | who may ask |
//! | `request` | what a client sends on the socket |
//! | `encode` | one update as the message of a topic, written once |
//! | `enabled` | the topics of one socket: which, and their changes |
//! | `change_filter` | which messages of a topic are changes to one client |
//! | `label` | the names of topics in the old version of the socket |
//! | `orders` | what one client asks of the robot, one after the other |
//! | `cameras` | which cameras of somebody else's are wished for |
//! | `socket` | one task per client |
//! | `statics` | pictures to be fetched |
//! | `rest` | the requests |
//! | `state` | what requests keep between them: drives, maps, mappings |

mod cameras;
mod change_filter;
mod enabled;
mod encode;
mod guard;
mod label;
mod orders;
pub mod request;
mod rest;
mod robot;
mod socket;
mod state;
mod statics;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::extract::{ConnectInfo, FromRequestParts, Path, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use latimer_core::access::Role;
use latimer_core::{Author, Hub, RobotId};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::NAME;
use crate::entrance;
use crate::per_robot::PerRobot;
pub(super) use encode::translate;
pub(super) use rest::stops;

use robot::FacadeRobot;
pub(super) use robot::Settings;
use socket::Version;

/// All robots, served as chassis.
#[derive(Clone)]
pub(super) struct Facade(Arc<Inner>);

struct Inner {
    hub: Hub,
    settings: Arc<Settings>,
    stop: CancellationToken,
    /// Sockets and desks.
    tasks: TaskTracker,
    robots: PerRobot<FacadeRobot>,
}

impl Facade {
    pub(super) fn new(hub: Hub, settings: Settings, stop: CancellationToken) -> Self {
        let settings = Arc::new(settings);
        let robots = PerRobot::new(hub.clone());
        Self(Arc::new(Inner { hub, settings, stop, tasks: TaskTracker::new(), robots }))
    }

    /// What this robot's clients share, on its own port and on the common one.
    fn robot(&self, robot: &RobotId) -> Arc<FacadeRobot> {
        self.0
            .robots
            .get(robot, || FacadeRobot::new(robot.clone(), self.0.hub.clone(), self.0.settings.clone()))
    }

    /// The same, with the task that updates its REST state.
    fn synced(&self, robot: &RobotId) -> Arc<FacadeRobot> {
        let robot = self.robot(robot);
        if !robot.synced.swap(true, Ordering::AcqRel) {
            let (rest_state, stop) = (robot.clone(), self.0.stop.clone());
            self.0.tasks.spawn(async move {
                rest::sync(rest_state.clone(), stop).await;
                rest_state.synced.store(false, Ordering::Release);
            });
        }
        robot
    }

    /// The tasks of the clients.
    pub(super) fn clients(&self) -> TaskTracker {
        self.0.tasks.clone()
    }

    /// The routes of one robot on a port of its own.
    pub(super) fn own_port(&self, robot: RobotId, stop: CancellationToken) -> Router {
        let state = One { facade: self.clone(), robot, stop };
        Router::new().fallback(own).with_state(state)
    }

    /// The routes of all robots on the common port.
    pub(super) fn common_port(&self) -> Router {
        Router::new().route("/robots/{robot}/axbot/{*path}", any(common)).with_state(self.clone())
    }

    /// The robot that an address names, if the hub has it.
    fn find(&self, name: &str) -> Result<Arc<FacadeRobot>, (StatusCode, String)> {
        let robot: RobotId = name.parse().map_err(|error| (StatusCode::BAD_REQUEST, format!("{error}\n")))?;
        match self.0.hub.robot(&robot) {
            Some(_) => Ok(self.synced(&robot)),
            None => Err((
                StatusCode::NOT_FOUND,
                format!("there is no robot {robot}; GET /api/v1/robots lists those that there are\n"),
            )),
        }
    }

    /// Answers a request for a path of a robot, which has no slash in front.
    async fn answer(
        &self,
        robot: Arc<FacadeRobot>,
        path: &str,
        request: Request,
        peer: SocketAddr,
        stop: CancellationToken,
    ) -> Response {
        let author = entrance::author(NAME, request.extensions());
        let role = if request.method().is_safe() || rest::may_stop(path) { Role::See } else { Role::Drive };
        // OPTIONS tells of the port, not of the robot.
        if request.method() != Method::OPTIONS
            && let Err(forbidden) = entrance::permit(&author, role, &robot.robot)
        {
            return forbidden.into_response();
        }
        let version = match path.trim_end_matches('/') {
            "ws/v2/topics" => Version::V2,
            "ws/topics" => Version::V1,
            _ => return rest::handle(robot, path, request).await,
        };
        let (mut parts, _) = request.into_parts();
        if !guard::may(&self.0.settings, &parts.headers) {
            return guard::refusal();
        }
        if robot.rest_state.is_booting(self.0.hub.clock().now()) {
            return guard::booting();
        }
        match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => self.upgrade(robot, upgrade, peer, author, version, stop),
            Err(refusal) => refusal.into_response(),
        }
    }

    fn upgrade(
        &self,
        robot: Arc<FacadeRobot>,
        upgrade: WebSocketUpgrade,
        peer: SocketAddr,
        author: Author,
        version: Version,
        stop: CancellationToken,
    ) -> Response {
        let tasks = self.0.tasks.clone();
        let session = self.0.hub.sessions().of(&author, peer);
        crate::socket::served(upgrade, socket::LARGEST_BYTES, socket::MAX_MESSAGE_BYTES).on_upgrade(
            move |socket| {
                let client = socket::serve(socket, robot, peer, author, version, stop);
                tasks.track_future(crate::socket::serve_session(session, client))
            },
        )
    }
}

impl fmt::Debug for Facade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facade").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}

/// One robot on a port of its own.
#[derive(Clone)]
struct One {
    facade: Facade,
    robot: RobotId,
    stop: CancellationToken,
}

async fn own(
    State(one): State<One>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let robot = one.facade.synced(&one.robot);
    one.facade.answer(robot, &path, request, peer, one.stop).await
}

async fn common(
    State(facade): State<Facade>,
    Path((robot, path)): Path<(String, String)>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    match facade.find(&robot) {
        Ok(robot) => {
            let stop = facade.0.stop.clone();
            facade.answer(robot, &path, request, peer, stop).await
        }
        Err(refusal) => refusal.into_response(),
    }
}

#[cfg(test)]
mod tests;
