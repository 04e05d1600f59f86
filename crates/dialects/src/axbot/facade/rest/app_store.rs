//! `/app_store`: the packages of a robot's software. A simulated chassis consists of none, and no index has any for it.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::holdings::is_simulated;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::fields::needed;
use crate::axbot::rest::problem::Problem;

const WHAT: &str = "requests for its packages";

/// Most packages that are named at a time.
const MOST: usize = 64;

/// The packages, and the tasks that fetch them: none.
pub(super) fn none(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    Ok(Reply::ok(&Vec::<Value>::new()))
}

/// Downloads or installs packages; each that is named is explained in the vendor's words, as there is none.
pub(super) fn get(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    let named = needed("packages", call.fields.texts("packages")?)?;
    if named.is_empty() {
        return Ok(Reply::created(&json!({})));
    }
    let explained: Map<String, Value> = named
        .into_iter()
        .take(MOST)
        .map(|name| {
            let name: String = name.chars().take(80).collect();
            let why = format!("invalid module {name}, skip...");
            (name, why.into())
        })
        .collect();
    Ok(Reply::json(StatusCode::BAD_REQUEST, &explained))
}

/// There is no such task.
pub(super) fn missing(robot: &FacadeRobot, id: i64) -> Problem {
    match is_simulated(robot, WHAT) {
        Err(refusal) => refusal,
        Ok(()) => Problem::NotFound(format!("there is no task {id}; {} has none", robot.robot)),
    }
}
