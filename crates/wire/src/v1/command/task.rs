//! Tasks, and who drives.

use std::collections::BTreeMap;

use latimer_core::model::TaskRequest;
use latimer_core::model::signal::ControlMode as ModelControlMode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::field::{InvalidField, not_blank};

const fn priority() -> u8 {
    Task::DEFAULT_PRIORITY
}

/// A task to be done and reported on.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Its name; the same name again adds what was missing.
    pub id: String,
    /// What to do, e.g. `bring`.
    pub kind: String,
    /// What with, what from, where to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<String>,
    /// 1 is urgent, 5 can wait.
    #[serde(default = "priority")]
    pub priority: u8,
}

impl Task {
    /// How urgent a task is, by default.
    pub const DEFAULT_PRIORITY: u8 = 3;
}

impl TryFrom<Task> for TaskRequest {
    type Error = InvalidField;

    fn try_from(task: Task) -> Result<Self, InvalidField> {
        let Task { id, kind, parameters, asker, priority } = task;
        if !(1..=5).contains(&priority) {
            let problem = format!("is {priority}");
            return Err(InvalidField::new("priority", problem, "write 1, urgent, to 5, can wait"));
        }
        Ok(Self {
            id: not_blank("id", id)?,
            kind: not_blank("kind", kind)?,
            parameters: parameters.into_iter().collect(),
            asker,
            priority,
        })
    }
}

/// Who drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlMode {
    /// The robot itself.
    Auto,
    /// Somebody pushes it.
    Manual,
    /// Somebody far away.
    Remote,
}

impl From<ControlMode> for ModelControlMode {
    fn from(mode: ControlMode) -> Self {
        match mode {
            ControlMode::Auto => Self::Auto,
            ControlMode::Manual => Self::Manual,
            ControlMode::Remote => Self::Remote,
        }
    }
}
