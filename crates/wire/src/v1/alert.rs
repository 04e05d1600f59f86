//! Something that is or was wrong with a robot.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that is or was wrong with a robot; times are the gateway's.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Alert {
    /// With whom.
    pub robot: String,
    /// Its source: `alerts`, `hazard`, `link`, `control`, `battery`, `range` or `cliff`.
    pub source: String,
    /// The part of the robot that published it, if it has several.
    #[schema(required)]
    pub part: Option<String>,
    /// The robot's own number for it.
    #[schema(required)]
    pub code: Option<i64>,
    /// `warning` or `error`.
    pub severity: String,
    /// What it is, for a person to read.
    pub message: String,
    /// Since when.
    pub raised: String,
    /// Until when; `null` while it holds. A robot that goes takes its alerts with it.
    #[schema(required)]
    pub cleared: Option<String>,
}
