//! What surrounds the software of a simulated chassis: its network, its host names, its clock's servers, its USB devices.
//!
//! There is no such thing beneath a simulated robot: settings are kept and returned, and have no other
//! effect. A connected robot has its own, which this gateway neither reads nor changes.

use latimer_core::hub::Origin;

use super::chrony::Servers;
use super::hostnames::Hostnames;
use super::network::Network;
use super::usb::SavedDevices;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::problem::Problem;

/// What is kept for one robot. Nothing of it outlives the gateway.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    pub(super) hostnames: Hostnames,
    pub(super) network: Network,
    pub(super) usb: SavedDevices,
    pub(super) servers: Servers,
}

/// The address of a robot that is connected; `None` of a simulated one.
pub(super) fn connected_at(robot: &FacadeRobot) -> Option<String> {
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
