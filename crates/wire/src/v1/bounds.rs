//! Who may move a robot, and how, by the config.

use std::collections::BTreeMap;

use latimer_core::authority::{Beyond, Envelope, Equals, Policy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who may move a robot, and how. What is not given is not bounded.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Bounds {
    /// Greatest speed forward and backward.
    pub linear_mps: Option<f64>,
    /// Greatest speed of a turn.
    pub angular_radps: Option<f64>,
    /// Greatest acceleration.
    pub linear_mps2: Option<f64>,
    /// Greatest acceleration of a turn.
    pub angular_radps2: Option<f64>,
    /// What becomes of a higher speed: `limit` or `refuse`.
    pub beyond: String,
    /// Corners of the area where it may be.
    pub area_m: Option<Vec<[f64; 2]>>,
    /// The only commands that may be given, by their words; all if empty.
    pub commands: Vec<String>,
    /// Priorities of dialects and clients; 0 of those that are not here.
    pub priorities: BTreeMap<String, i32>,
    /// Which of two clients with the same priority drives: the `newest`, or the `first`.
    pub equals: String,
    /// Dialects and clients that never command.
    pub observers: Vec<String>,
    /// Dialects and clients that release an emergency stop that somebody else pressed.
    pub releasers: Vec<String>,
    /// How long a client keeps the robot after its last command.
    pub hold_s: f64,
    /// How long a drive without an end goes on after its client was seen last; `null` if until it is stopped.
    pub drive_timeout_s: Option<f64>,
}

impl From<&Policy> for Bounds {
    fn from(policy: &Policy) -> Self {
        let Envelope { linear_mps, angular_radps, linear_mps2, angular_radps2, beyond, gap_m: _ } =
            policy.envelope;
        let words = |words: &std::collections::BTreeSet<String>| words.iter().cloned().collect();
        Self {
            linear_mps,
            angular_radps,
            linear_mps2,
            angular_radps2,
            beyond: match beyond {
                Beyond::Limit => "limit",
                Beyond::Refuse => "refuse",
            }
            .to_owned(),
            area_m: policy.area.as_ref().map(|area| area.corners().to_vec()),
            commands: words(&policy.commands),
            priorities: policy.priorities.clone(),
            equals: match policy.equals {
                Equals::Newest => "newest",
                Equals::First => "first",
            }
            .to_owned(),
            observers: words(&policy.observers),
            releasers: words(&policy.releasers),
            hold_s: policy.hold.as_secs_f64(),
            drive_timeout_s: (!policy.drive_until_stopped).then_some(policy.drive_timeout.as_secs_f64()),
        }
    }
}
