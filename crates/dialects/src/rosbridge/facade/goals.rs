//! Drives to a goal by the names that programs know: actionlib's `move_base`, and the action `navigate_to_pose`.
//!
//! ```text
//! goal ──▶ Goals::give ──number──▶ robot ──navigation, by that number──▶ status, feedback, result
//! ```

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use latimer_core::model::Kind;
use latimer_core::model::signal::{Navigation, NavigationState, Pose};
use latimer_core::{Hub, RobotId, Signal, Timestamp};
use serde_json::{Value as Json, json};

use super::frames::Frames;
use crate::describe::Translate;
use crate::per_robot::PerRobot;
use crate::rosbridge::limits::MAX_KEPT_GOALS;
use crate::rosbridge::messages::{Context, PoseStamped};

/// What is published and taken below a robot's name for actionlib's clients, with the types.
pub(super) const GOAL: (&str, &str) = ("move_base/goal", "move_base_msgs/MoveBaseActionGoal");
pub(super) const CANCEL: (&str, &str) = ("move_base/cancel", "actionlib_msgs/GoalID");
/// Where actionlib's clients hear how a goal ended.
pub(super) const RESULT: &str = "move_base/result";
/// The action of rosbridge 2.1, and its type.
pub(super) const ACTION: (&str, &str) = ("navigate_to_pose", "nav2_msgs/NavigateToPose");

/// What actionlib calls a goal that is under way, and one that was cancelled.
pub(super) const ACTIVE: u8 = 1;
pub(super) const PREEMPTED: u8 = 2;
/// How a goal of an action of ROS 2 ended.
pub(super) const UNKNOWN: u8 = 0;
const SUCCEEDED: u8 = 4;
const CANCELED: u8 = 5;
const ABORTED: u8 = 6;

/// A goal that a client gave.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    /// The robot's number for it.
    pub(super) number: i64,
    /// The client's name for it.
    pub(super) id: String,
    stamp: Json,
    at: Timestamp,
    /// The robot has told of it.
    is_known: bool,
}

/// The goals that clients gave, of which a robot tells by a number.
pub(super) struct Goals {
    hub: Hub,
    kept: PerRobot<Mutex<VecDeque<Given>>>,
}

impl Goals {
    pub(super) fn new(hub: Hub) -> Self {
        Self { kept: PerRobot::new(hub.clone()), hub }
    }

    fn of<T>(&self, robot: &RobotId, with: impl FnOnce(&mut VecDeque<Given>) -> T) -> T {
        let kept = self.kept.get(robot, Mutex::default);
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        with(&mut kept)
    }

    /// Numbers a goal. A client that has no name for it gets one.
    pub(super) fn give(&self, robot: &RobotId, id: &str, stamp: &Json) -> Given {
        let at = self.hub.clock().now();
        self.of(robot, |kept| {
            let after = kept.back().map_or(0, |it| it.number.wrapping_add(1));
            let number = after.max(at.as_nanos() / 1_000_000);
            let id = if id.is_empty() { named(number) } else { id.to_owned() };
            let stamp = if stamp.is_object() { stamp.clone() } else { time(at) };
            let given = Given { number, id, stamp, at, is_known: false };
            kept.push_back(given.clone());
            if kept.len() > MAX_KEPT_GOALS {
                kept.pop_front();
            }
            given
        })
    }

    /// Whether a goal is the last one that the robot was given.
    pub(super) fn is_last(&self, robot: &RobotId, id: &str) -> bool {
        self.of(robot, |kept| kept.back().is_some_and(|it| it.id == id))
    }

    /// The goal that a robot tells of. One that numbers its drives itself begins the last one that was given.
    pub(super) fn told(
        &self,
        robot: &RobotId,
        navigation: &Navigation,
        received: Timestamp,
    ) -> Option<Given> {
        self.of(robot, |kept| {
            let known = kept.iter().position(|it| it.number == navigation.id);
            let begins = navigation.state == NavigationState::Moving;
            let last = || {
                let last = kept.back().filter(|it| begins && !it.is_known && it.at <= received)?;
                kept.iter().position(|it| it == last)
            };
            let given = kept.get_mut(known.or_else(last)?)?;
            (given.number, given.is_known) = (navigation.id, true);
            Some(given.clone())
        })
    }
}

fn named(number: i64) -> String {
    format!("/latimer-{number}")
}

fn time(at: Timestamp) -> Json {
    let nanos = at.as_nanos();
    json!({"secs": nanos.div_euclid(1_000_000_000), "nsecs": nanos.rem_euclid(1_000_000_000)})
}

/// What actionlib calls a state: active, preempted, succeeded, aborted; `None` if there is no goal.
fn actionlib_state(state: NavigationState) -> Option<u8> {
    Some(match state {
        NavigationState::Idle => return None,
        NavigationState::Moving => ACTIVE,
        NavigationState::Cancelled => PREEMPTED,
        NavigationState::Succeeded => 3,
        NavigationState::Failed => 4,
    })
}

/// What ROS 2 calls the end of a goal; `None` if it goes on.
pub(super) fn end(state: NavigationState) -> Option<u8> {
    match state {
        NavigationState::Idle | NavigationState::Moving => None,
        NavigationState::Succeeded => Some(SUCCEEDED),
        NavigationState::Cancelled => Some(CANCELED),
        NavigationState::Failed => Some(ABORTED),
    }
}

/// Whether a goal of ROS 2 that ended so arrived.
pub(super) const fn is_success(status: u8) -> bool {
    status == SUCCEEDED
}

/// Why a drive ended that did not arrive.
pub(super) fn reason(navigation: &Navigation) -> String {
    let failure = navigation.failure.map(|it| it.to_string());
    navigation.reason.clone().or(failure).unwrap_or_default()
}

/// `actionlib_msgs/GoalStatus` of a robot's drive; `None` if there is none.
fn goal_status(goals: &Goals, robot: &RobotId, navigation: &Navigation, at: Timestamp) -> Option<Json> {
    let status = actionlib_state(navigation.state)?;
    let given = goals.told(robot, navigation, at);
    let (id, stamp) = given.map_or_else(|| (named(navigation.id), time(at)), |it| (it.id, it.stamp));
    Some(json!({"goal_id": {"stamp": stamp, "id": id}, "status": status, "text": reason(navigation)}))
}

pub(super) fn header(at: Timestamp) -> Json {
    json!({"seq": 0, "stamp": time(at), "frame_id": ""})
}

/// `actionlib_msgs/GoalStatusArray`: the drive that the robot is at, or was last.
pub(super) fn status(goals: &Goals, robot: &RobotId, navigation: &Navigation, at: Timestamp) -> Json {
    let list: Vec<Json> = goal_status(goals, robot, navigation, at).into_iter().collect();
    json!({"header": header(at), "status_list": list})
}

/// The same as far as it is known: no goal, of a robot that told of none.
pub(super) fn current(goals: &Goals, hub: &Hub, robot: &RobotId) -> Json {
    let at = hub.clock().now();
    let none = || json!({"header": header(at), "status_list": []});
    drive(hub, robot).map_or_else(none, |it| status(goals, robot, &it, at))
}

/// `move_base_msgs/MoveBaseActionResult` of a drive that ended.
pub(super) fn result(goals: &Goals, robot: &RobotId, navigation: &Navigation, at: Timestamp) -> Option<Json> {
    end(navigation.state)?;
    let status = goal_status(goals, robot, navigation, at)?;
    Some(json!({"header": header(at), "status": status, "result": {}}))
}

/// The same of a goal that the robot did not take: rejected.
pub(super) fn rejected(given: &Given, problem: &str) -> Json {
    let goal_id = json!({"stamp": given.stamp, "id": given.id});
    let status = json!({"goal_id": goal_id, "status": 5, "text": problem});
    json!({"header": header(given.at), "status": status, "result": {}})
}

/// `move_base_msgs/MoveBaseActionFeedback` of a robot that drives.
pub(super) fn feedback(goals: &Goals, frames: &Frames<'_>, pose: &Pose, at: Timestamp) -> Option<Json> {
    let navigation = drive(frames.hub, frames.robot).filter(|it| it.state == NavigationState::Moving)?;
    let status = goal_status(goals, frames.robot, &navigation, at)?;
    let base_position = placed(frames, pose, at)?;
    Some(json!({"header": header(at), "status": status, "feedback": {"base_position": base_position}}))
}

/// The feedback of `navigate_to_pose`.
pub(super) fn values(frames: &Frames<'_>, pose: &Pose, at: Timestamp, given: &Given) -> Option<Json> {
    let navigation = drive(frames.hub, frames.robot)
        .filter(|it| it.state == NavigationState::Moving && it.id == given.number);
    let took = at.since(given.at);
    Some(json!({
        "current_pose": placed(frames, pose, at)?,
        "navigation_time": {"sec": took.as_secs(), "nanosec": took.subsec_nanos()},
        "estimated_time_remaining": {"sec": 0, "nanosec": 0},
        "number_of_recoveries": 0,
        "distance_remaining": navigation?.remaining_m.unwrap_or_default(),
    }))
}

fn drive(hub: &Hub, robot: &RobotId) -> Option<Navigation> {
    match &hub.last(robot, Kind::Navigation, None)?.signal {
        Signal::Navigation(navigation) => Some(navigation.clone()),
        _ => None,
    }
}

fn placed(frames: &Frames<'_>, pose: &Pose, at: Timestamp) -> Option<Json> {
    let context = Context { at, frame: Some(pose.frame), ..Context::default() };
    let mut message = serde_json::to_value(PoseStamped::encode(pose, &context)?).ok()?;
    message["header"]["frame_id"] = format!("{}{}", frames.prefix, pose.frame).into();
    Some(message)
}
