//! Whether the robot boots, and how far it got. While it boots it answers nothing else.

use latimer_core::Timestamp;
use latimer_core::model::signal::LinkState;
use serde_json::{Value, json};

use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::rest::problem::Problem;

/// Refuses while the robot boots, and before its first message.
pub(super) fn is_ready(robot: &FacadeRobot) -> Result<(), Problem> {
    if robot.rest_state.is_booting(robot.hub.clock().now()) {
        let text = "the robot boots; GET /device/boot_progress tells how far it got";
        return Err(Problem::Unavailable(text.into()));
    }
    match unreachable(robot) {
        Some(why) => Err(Problem::Unavailable(why)),
        None => Ok(()),
    }
}

/// Why nothing is known of the robot yet.
fn unreachable(robot: &FacadeRobot) -> Option<String> {
    let name = &robot.robot;
    let Some(report) = robot.hub.robot(name) else {
        return Some(format!(
            "there is no robot {name} now; GET /api/v1/robots of the gateway lists those that there are"
        ));
    };
    // A robot that was received once is remembered while it is away.
    if report.link.state == LinkState::Up || report.received > 0 {
        return None;
    }
    let why = report.link.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    Some(format!("{name} was not heard yet{why}; the gateway goes on trying"))
}

/// `GET /device/boot_progress`: always answered.
pub(super) fn progress(robot: &FacadeRobot) -> Reply {
    let now = robot.hub.clock().now();
    let boot = robot.rest_state.boot();
    let mut logs = vec![log(boot.began, 0.0, "starting")];
    let mut progress = boot.progress(now);
    if !boot.is_on(now) {
        match unreachable(robot) {
            Some(why) => {
                progress = 0.9;
                logs.push(log(boot.began.after(boot.takes), progress, &why));
            }
            None => logs.push(log(boot.began.after(boot.takes), 1.0, "ready")),
        }
    }
    Reply::ok(&json!({"start_time": seconds(boot.began), "progress": progress, "logs": logs}))
}

fn log(at: Timestamp, progress: f64, message: &str) -> Value {
    json!({"stamp": seconds(at), "progress": progress, "msg": message})
}

/// Unix time to the millisecond.
fn seconds(at: Timestamp) -> f64 {
    (at.as_nanos() / 1_000_000) as f64 / 1e3
}
