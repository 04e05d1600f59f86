//! `/bags` and the like: files that a robot keeps of its work. A simulated chassis keeps none; the gateway's journal has what was said.

use serde_json::Value;

use super::holdings::is_simulated;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::place::Folder;
use crate::axbot::rest::problem::Problem;

const WHAT: &str = "requests for its files";

/// All of a kind: none.
pub(super) fn list(robot: &FacadeRobot, _: Folder) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    Ok(Reply::ok(&Vec::<Value>::new()))
}

/// Deletes all of a kind: there is nothing to be done.
pub(super) fn clear(robot: &FacadeRobot, _: Folder) -> Result<Reply, Problem> {
    is_simulated(robot, WHAT)?;
    Ok(Reply::deleted())
}

/// No file is there, whatever it is called.
pub(super) fn missing(robot: &FacadeRobot, folder: Folder, name: &str) -> Problem {
    if let Err(refusal) = is_simulated(robot, WHAT) {
        return refusal;
    }
    let name: String = name.chars().take(80).collect();
    let of_folder = Folder::ALL.iter().find(|(_, known, _)| *known == folder);
    let what = of_folder.map_or("file", |(.., what)| *what);
    Problem::NotFound(format!("there is no {what} {name:?}; {} keeps none", robot.robot))
}
