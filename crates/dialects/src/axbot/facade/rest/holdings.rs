//! What a simulated chassis keeps and what is not passed on to a connected robot.

use std::sync::MutexGuard;

use latimer_core::hub::Origin;

use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::surroundings::Surroundings;
use crate::axbot::rest::problem::Problem;

/// What surrounds the software of a simulated robot; refused for a connected one.
pub(super) fn surroundings<'r>(
    robot: &'r FacadeRobot,
    what: &str,
) -> Result<MutexGuard<'r, Surroundings>, Problem> {
    is_simulated(robot, what)?;
    Ok(robot.rest_state.surroundings())
}

/// The address of a robot that is connected; `None` of a simulated one.
fn connected_at(robot: &FacadeRobot) -> Option<String> {
    match robot.hub.robot(&robot.robot)?.info.origin.clone() {
        Origin::Connected(address) => Some(address),
        Origin::Simulated => None,
    }
}

/// Refuses what is not passed on to a connected robot.
pub(super) fn is_simulated(robot: &FacadeRobot, what: &str) -> Result<(), Problem> {
    match connected_at(robot) {
        None => Ok(()),
        Some(address) => Err(Problem::Needs(format!(
            "{} is connected, and this gateway does not pass on {what}; ask the robot itself at {address}",
            robot.robot
        ))),
    }
}

/// The refusal of a request that would need something.
pub(super) fn lacking(robot: &FacadeRobot, request: &str, needs: &str) -> Problem {
    match connected_at(robot) {
        None => Problem::Needs(format!("{request} needs {needs}, which {} does not have", robot.robot)),
        Some(address) => Problem::Needs(format!(
            "{request} needs {needs}; {} is connected, and this gateway does not pass it on; ask the robot itself at {address}",
            robot.robot
        )),
    }
}
