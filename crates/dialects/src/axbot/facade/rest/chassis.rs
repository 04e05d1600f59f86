//! Where the robot is, and who drives.

use latimer_core::Command;
use latimer_core::model::signal::{Control, Pose};
use latimer_core::model::{Kind, Signal};
use serde_json::{Value, json};

use super::call::Call;
use super::dispatch::dispatch;
use super::reply::{Reply, done};
use crate::axbot::facade::encode::is_mapless;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::messages::counts;
use crate::axbot::rest::fields::{FieldError, needed};
use crate::axbot::rest::problem::Problem;

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
    match robot.last(Kind::Control).map(|update| update.signal.clone()) {
        Some(Signal::Control(Control { mode, emergency_stop, wheels_released, power: _ })) => {
            let mut status = json!({"control_mode": mode.as_str(), "emergency_stop_pressed": emergency_stop});
            if let (Some(released), Some(status)) = (wheels_released, status.as_object_mut()) {
                status.insert("wheels_released".into(), released.into());
            }
            Ok(Reply::ok(&status))
        }
        _ => Err(Problem::NotFound(format!("{} does not tell who drives it", robot.robot))),
    }
}

/// `GET /chassis/pose`
pub(super) fn pose(robot: &FacadeRobot) -> Result<Reply, Problem> {
    is_reachable(robot)?;
    match robot.last(Kind::Pose).map(|update| update.signal.clone()) {
        Some(Signal::Pose(Pose { frame, x_m, y_m, z_m, yaw_rad, .. }))
            if counts(frame, is_mapless(&robot.hub.profile(&robot.robot))) =>
        {
            Ok(Reply::ok(&json!({"position": [x_m, y_m, z_m], "ori": yaw_rad})))
        }
        _ => Err(Problem::NotFound(format!("{} does not tell where it is on a map", robot.robot))),
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
    dispatch(robot, Command::SetPose { x_m, y_m, yaw_rad }).await?;
    Ok(Reply::ok(&done()))
}
