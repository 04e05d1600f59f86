//! Whether the robot boots, and how far it got. While it boots it answers nothing else.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::signal::LinkState;
use serde_json::{Value, json};

use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::limits::RESTART_TIME;
use crate::axbot::rest::problem::Problem;

/// A boot, over or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boot {
    began: Timestamp,
    takes: Duration,
}

impl Boot {
    /// A boot that begins now.
    pub(super) fn new(began: Timestamp, takes: Duration) -> Self {
        Self { began, takes }
    }

    /// A boot that somebody asks for.
    pub(super) fn asked(began: Timestamp, usual: Duration) -> Self {
        Self { began, takes: if usual.is_zero() { RESTART_TIME } else { usual } }
    }

    /// Whether it goes on.
    pub(super) fn is_on(&self, now: Timestamp) -> bool {
        now < self.began.after(self.takes)
    }

    /// How much is done, 0..1.
    fn progress(&self, now: Timestamp) -> f64 {
        if self.is_on(now) { now.since(self.began).div_duration_f64(self.takes) } else { 1.0 }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boot_ends_by_itself() {
        let at = |s: u64| Timestamp::default().after(Duration::from_secs(s));
        let boot = Boot::new(at(10), Duration::from_secs(4));
        assert!(boot.is_on(at(10)) && boot.is_on(at(13)) && !boot.is_on(at(14)));
        assert_eq!([10, 11, 14, 99].map(|s| boot.progress(at(s))), [0.0, 0.25, 1.0, 1.0]);
        assert!(!Boot::new(at(10), Duration::ZERO).is_on(at(10)));
        assert!(Boot::asked(at(10), Duration::ZERO).is_on(at(12)));
    }
}
