//! Where the robot is, and who drives.

use latimer_core::Command;
use latimer_core::model::signal::{Alerts, Control, ControlMode, Hazard, HazardItem, HazardSource, Pose};
use latimer_core::model::{Kind, Signal};
use serde_json::{Value, json};

use super::call::Call;
use super::dispatch::dispatch;
use super::reply::{Reply, done};
use crate::axbot::NAME;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::fields::{FieldError, needed};
use crate::axbot::rest::problem::Problem;

/// The vendor's number for wheels that push in vain.
const WHEELS_OVERLOADED: i64 = 2002;

/// Refuses while the robot is not connected: its last state is not its present one.
fn is_reachable(robot: &FacadeRobot) -> Result<(), Problem> {
    if robot.is_reachable() {
        return Ok(());
    }
    Err(Problem::Unavailable(format!("{} is not heard now; try again when it is", robot.robot)))
}

/// `GET /chassis/status`
pub(super) fn status(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_reachable(robot)?;
    match robot.record() {
        Some(Control { mode, emergency_stop, wheels_released, power: _ }) => {
            let mut status = json!({"control_mode": mode.as_str(), "emergency_stop_pressed": emergency_stop});
            if let Some(overloaded) = wheels_overloaded(robot) {
                status["wheel_overloaded"] = overloaded.into();
            }
            if let Some(released) = wheels_released {
                status["wheels_released"] = released.into();
            }
            Ok(Reply::ok(&status))
        }
        None => Err(Problem::NotFound(format!("{} does not tell who drives it", robot.robot))),
    }
}

/// `PATCH /chassis/status`, which is out of use: who drives, and the emergency stop.
pub(super) async fn change(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    let mode = call.fields.text("control_mode")?;
    let mode = mode.map(|word| {
        ControlMode::from_word(&word)
            .ok_or_else(|| FieldError::new("control_mode", "is none of auto, manual and remote"))
    });
    let mode = mode.transpose()?;
    let stop = call.fields.boolean("emergency_stop_pressed")?;
    if mode.is_none() && stop.is_none() {
        let problem = "is required, or emergency_stop_pressed";
        return Err(FieldError::new("control_mode", problem).into());
    }
    if let Some(pressed) = stop {
        dispatch(robot, &call.author, Command::EmergencyStop(pressed)).await?;
    }
    if let Some(mode) = mode {
        dispatch(robot, &call.author, Command::ControlMode(mode)).await?;
    }
    Ok(Reply::ok(&done()))
}

/// Whether its wheels push in vain: an alert of a chassis, a hazard of others; `None` of a robot that tells neither.
fn wheels_overloaded(robot: &FacadeRobot) -> Option<bool> {
    let chassis = robot.hub.family(&robot.robot) == Some(NAME);
    if chassis {
        return Some(robot.record::<Alerts>()?.active.iter().any(|it| it.code == WHEELS_OVERLOADED));
    }
    let stalls = |it: &HazardItem| it.source == HazardSource::MotorStall && it.active;
    Some(robot.record::<Hazard>()?.items.iter().any(stalls))
}

/// `GET /chassis/pose`
pub(super) fn pose(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_reachable(robot)?;
    match pose_on_map(robot) {
        Some(Pose { x_m, y_m, z_m, yaw_rad, .. }) => {
            Ok(Reply::ok(&json!({"position": [x_m, y_m, z_m], "ori": yaw_rad})))
        }
        None => Err(Problem::NotFound(format!("{} does not tell where it is on a map", robot.robot))),
    }
}

/// Where the robot is on the map that its clients know, if it tells.
pub(super) fn pose_on_map(robot: &FacadeRobot) -> Option<Pose> {
    match &robot.last(Kind::Pose)?.signal {
        Signal::Pose(pose) => robot.hub.on_map(&robot.robot, pose),
        _ => None,
    }
}

/// `POST /chassis/pose`
pub(super) async fn set_pose(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    let position = needed("position", call.fields.value("position"))?;
    let numbers: Option<Vec<f64>> =
        position.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    let Some([x_m, y_m] | [x_m, y_m, _]) = numbers.as_deref() else {
        return Err(FieldError::new("position", "is not two or three numbers, [x, y, z] in metres").into());
    };
    let (x_m, y_m) = (*x_m, *y_m);
    let yaw_rad = needed("ori", call.fields.number("ori")?)?;
    call.fields.boolean("adjust_position")?;
    dispatch(robot, &call.author, Command::SetPose { x_m, y_m, yaw_rad }).await?;
    Ok(Reply::ok(&done()))
}
