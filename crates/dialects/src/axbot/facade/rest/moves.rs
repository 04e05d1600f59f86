//! `/chassis/moves`

use latimer_core::Command;
use latimer_core::model::{Kind, NavigationGoal, Signal};
use serde_json::json;

use super::abilities;
use super::call::{Call, Which};
use super::dispatch::dispatch;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::move_object::MoveObject;
use crate::axbot::rest::moves::MoveRequest;
use crate::axbot::rest::problem::Problem;

/// Takes in the robot's last words, which may be newer than what its requests were sent.
fn catch_up(robot: &FacadeRobot) {
    if let Some(last) = robot.last(Kind::Navigation)
        && let Signal::Navigation(navigation) = &last.signal
    {
        robot.rest_state.moves().observe(navigation, last.received);
    }
}

/// All drives in short.
pub(super) fn list(robot: &FacadeRobot) -> Reply {
    catch_up(robot);
    Reply::ok(&robot.rest_state.moves().list())
}

/// One drive.
pub(super) fn get(robot: &FacadeRobot, which: Which) -> Result<Reply, Problem> {
    Ok(Reply::ok(&find(robot, which)?))
}

fn find(robot: &FacadeRobot, which: Which) -> Result<MoveObject, Problem> {
    catch_up(robot);
    let moves = robot.rest_state.moves();
    let (found, missing) = match which {
        Which::Current => (moves.current(), "the robot is on no move now".to_owned()),
        Which::Id(id) => {
            (moves.get(id), format!("there is no move {id}; GET /chassis/moves lists those that there are"))
        }
    };
    found.cloned().ok_or(Problem::NotFound(missing))
}

/// Sends the robot somewhere.
pub(super) async fn create(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    let request = MoveRequest::read(&call.fields, &abilities::of(robot).moves())?;
    catch_up(robot);
    let clock = robot.hub.clock();
    let id = robot.rest_state.moves().open(&request, clock.now());
    let goal = NavigationGoal {
        id: Some(id),
        destination: request.destination.clone(),
        accuracy_m: request.accuracy_m,
        zone: request.use_target_zone == Some(true),
    };
    if let Err(problem) = dispatch(robot, &call.author, Command::Navigate(goal)).await {
        robot.rest_state.moves().withdraw(id);
        return Err(problem);
    }
    robot.rest_state.moves().begin(id, clock.now());
    catch_up(robot);
    let object = robot.rest_state.moves().get(id).cloned();
    Ok(Reply::created(&object))
}

/// Calls a drive off.
pub(super) async fn change(robot: &FacadeRobot, which: Which, call: &Call) -> Result<Reply, Problem> {
    match call.fields.text("state")?.as_deref() {
        Some("cancelled") => {}
        Some(other) => {
            let other: String = other.chars().take(40).collect();
            return Err(Problem::Bad(format!(
                "a move cannot be made {other:?}; send {{\"state\": \"cancelled\"}}"
            )));
        }
        None => return Err(Problem::Bad("\"state\" is required; send {\"state\": \"cancelled\"}".into())),
    }
    let object = find(robot, which)?;
    if !object.is_active() {
        let MoveObject { id, state, .. } = object;
        return Err(Problem::Bad(format!("move {id} is over: {state}; there is nothing to cancel")));
    }
    dispatch(robot, &call.author, Command::CancelNavigation).await?;
    robot.rest_state.moves().cancel(object.id, robot.hub.clock().now());
    Ok(Reply::ok(&json!({"state": "cancelled"})))
}
