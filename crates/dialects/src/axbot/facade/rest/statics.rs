//! `/static-files/…`: pictures that topics tell the address of.

use bytes::Bytes;

use super::call::Call;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::problem::Problem;

/// A picture by its name, which ends with the hash of what is in it.
pub(super) fn get(robot: &FacadeRobot, name: &str, call: &Call) -> Result<Reply, Problem> {
    let Some(png) = find(robot, name) else {
        let shown: String = name.chars().take(120).collect();
        let text =
            format!("there is no file {shown:?} any more; the topic tells the address of the newest one");
        return Err(Problem::NotFound(text));
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let hash = stem.rsplit_once('-').map_or(stem, |(_, hash)| hash);
    Ok(Reply::lasting("image/png", png, hash, &call.headers))
}

fn find(robot: &FacadeRobot, name: &str) -> Option<Bytes> {
    robot.statics.get(name)
}
