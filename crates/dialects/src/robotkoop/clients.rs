//! What a program of a household sends: tasks. A robot that knows none is sent somewhere by one.

use latimer_core::RobotId;
use latimer_core::model::RobotProfile;
use latimer_core::model::profile::Ability;
use serde_json::json;

use crate::contract::{ClientMessage, Clients};

/// All of it.
pub(super) fn clients(robot: &RobotId) -> Clients {
    let task = |gives, kind: &str| {
        let task = json!({"target_id": robot.as_str(), "source_id": "SI_1", "timestamp": 1_630_000_000, "task_id": kind,
            "priority": 3, "type": kind, "parameter": {"to": "1.5, 2"}});
        ClientMessage::publication(gives, "/dialogue/task", task.to_string())
    };
    let profile = RobotProfile { abilities: vec![Ability::Navigate], ..RobotProfile::default() };
    Clients {
        robot: Some(profile),
        keys: "",
        messages: vec![task("task", "clean"), task("navigate", "goto")],
    }
}
