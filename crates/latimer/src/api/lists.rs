//! Lists: robots, addresses, who looks.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::StatusCode;
use latimer_core::RobotId;
use latimer_core::hub::RobotReport;
use latimer_dialects::Endpoint as ModelEndpoint;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::NoRobot;
use super::client::Api;
use super::extract::{NoParameters, RobotName};
use super::{ApiState, Rejection};
use latimer_wire::v1::{Endpoint, Robot, Sink};

/// All robots.
#[derive(Debug, ToSchema, Serialize, Deserialize)]
pub(crate) struct Robots {
    /// By name.
    pub(crate) robots: Vec<Robot>,
}

#[derive(Debug, ToSchema, Serialize)]
pub(super) struct Endpoints {
    endpoints: Vec<Endpoint>,
}

#[derive(Debug, ToSchema, Serialize)]
pub(super) struct Sinks {
    sinks: Vec<Sink>,
}

#[utoipa::path(
    get,
    path = "/robots",
    tag = "robots",
    summary = "All robots",
    responses((status = 200, description = "All robots, by name", body = Robots))
)]
pub(super) async fn robots(Api { state, .. }: Api, _: NoParameters) -> Json<Robots> {
    let (robots, endpoints) = (state.hub.robots(), state.endpoints.all(&state.hub));
    let mut of_each: BTreeMap<Option<&RobotId>, Vec<Endpoint>> = BTreeMap::new();
    for endpoint in &endpoints {
        of_each.entry(endpoint.robot.as_ref()).or_default().push(endpoint.into());
    }
    let listed = robots
        .iter()
        .map(|report| Robot::new(report, of_each.remove(&Some(&report.info.robot)).unwrap_or_default()));
    Json(Robots { robots: listed.collect() })
}

#[utoipa::path(
    get,
    path = "/robots/{robot}",
    tag = "robots",
    summary = "One robot",
    description = "How its link stands, where it can be reached, and what it has and can: cameras, joints, sensors, maps, abilities; who may move it, and how.",
    params(("robot" = String, Path, description = "Its name", example = "misty-1")),
    responses((status = 200, description = "The robot", body = Robot), NoRobot)
)]
pub(super) async fn robot(
    Api { state, .. }: Api,
    RobotName(robot): RobotName,
    _: NoParameters,
) -> Result<Json<Robot>, Rejection> {
    let robot = known_robot(&state, &robot)?;
    let profile = Some((&*robot.info.profile).into());
    let bounds = Some(state.hub.policies().get(&robot.info.robot).into());
    let endpoints = state.endpoints.all(&state.hub);
    let own = endpoints.iter().filter(|endpoint| endpoint.robot.as_ref() == Some(&robot.info.robot));
    Ok(Json(Robot { profile, bounds, ..Robot::new(&robot, own.map(Into::into).collect()) }))
}

#[utoipa::path(
    get,
    path = "/endpoints",
    tag = "gateway",
    summary = "Where to reach what",
    description = "Every address that the gateway serves, with a line to paste into a terminal.",
    responses((status = 200, description = "The addresses", body = Endpoints))
)]
pub(super) async fn endpoints(Api { state, .. }: Api, _: NoParameters) -> Json<Endpoints> {
    Json(Endpoints {
        endpoints: state
            .endpoints
            .all(&state.hub)
            .iter()
            .filter(|it| is_shown(&state, it))
            .map(Into::into)
            .collect(),
    })
}

#[utoipa::path(
    get,
    path = "/sinks",
    tag = "gateway",
    summary = "Who looks",
    responses((status = 200, description = "All subscribers, over any dialect", body = Sinks))
)]
pub(super) async fn sinks(Api { state, .. }: Api, _: NoParameters) -> Json<Sinks> {
    Json(Sinks { sinks: state.hub.sinks().iter().map(Into::into).collect() })
}

/// Whether a client may know of an address.
fn is_shown(state: &ApiState, endpoint: &ModelEndpoint) -> bool {
    endpoint.robot.as_ref().is_none_or(|robot| state.hub.shows(robot))
}

/// The robot of an address, or which ones there are.
pub(super) fn known_robot(state: &ApiState, given: &str) -> Result<RobotReport, Rejection> {
    let id = RobotId::new(given).map_err(|error| Rejection::bad(error.to_string()).at("robot"))?;
    state.hub.robot(&id).ok_or_else(|| {
        let robots = state.hub.robots();
        let known: Vec<&str> = robots.iter().map(|report| report.info.robot.as_str()).collect();
        let advice = latimer_wire::words::advice(given, known.iter().copied());
        Rejection::new(StatusCode::NOT_FOUND, format!("there is no robot {given}")).at("robot").advice(advice)
    })
}
