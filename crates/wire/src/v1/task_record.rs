//! A task and what was reported of it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One report on a task.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct TaskReport {
    /// When the gateway received it.
    pub at: String,
    /// Its report on the task, as in `robot/task` or `robot/navigation`.
    pub state: String,
    /// What the robot does, while it goes on.
    #[schema(required)]
    pub action: Option<String>,
    /// What it does that to: a place, a thing, a person; metres on the map as `x, y`.
    #[schema(required)]
    pub target: Option<String>,
    /// Why, for a person to read.
    #[schema(required)]
    pub reason: Option<String>,
}

/// Something that a robot was asked to do; times are the gateway's.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct TaskRecord {
    /// Who does it.
    pub robot: String,
    /// Its source: `task`, or `navigation` for a drive to somewhere.
    pub source: String,
    /// Its name.
    pub id: String,
    /// What was asked for, e.g. `bring`, `goto`.
    pub kind: String,
    /// The last report.
    pub state: String,
    /// When the first report came.
    pub begun: String,
    /// When the last report came.
    pub updated: String,
    /// When it ended; `null` while it goes on.
    #[schema(required)]
    pub ended: Option<String>,
    /// What was reported, oldest first; a report without a change is left out.
    pub reports: Vec<TaskReport>,
    /// How many reports are left out after the first, because there were too many.
    pub left_out: u64,
}
