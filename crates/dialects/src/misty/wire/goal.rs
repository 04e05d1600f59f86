//! `currentGoal` in SelfState: what the robot is trying to do. Reserved by the specification.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Extra, number::whole};
use crate::misty::messages::pose::Pose;

/// `currentGoal`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CurrentGoal {
    /// The motion towards the goal.
    pub directed_motion: Option<DirectedMotion>,
    /// `Update` in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directed_motion_behavior: Option<String>,
    /// Whether running actions are to stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halt_action_sequence: Option<bool>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `directedMotion`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DirectedMotion {
    /// The commands that make up the motion.
    pub command_groups: Option<Vec<CommandGroup>>,
    /// Number of the motion.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `commandGroups`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CommandGroup {
    /// What the command works with.
    pub arguments: Option<CommandArguments>,
    /// Name of the action, `Misty2.AffectiveHeadEyeAction` in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `arguments` of a command group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CommandArguments {
    /// REST command that does the same, `MoveHead` in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_command: Option<String>,
    /// Reserved.
    pub change_display_image_gesture: Option<Value>,
    /// Where to look.
    pub look_parameters: Option<LookParameters>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `lookParameters`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LookParameters {
    /// Wait before the motion, s.
    pub action_delay_in_seconds: Option<f64>,
    /// Length of the motion, s.
    pub action_duration_in_seconds: Option<f64>,
    /// How far the eyes may move instead of the head.
    pub fractional_pupil_use_limit: Option<f64>,
    /// Tilt of the head, rad.
    pub roll_in_radians: Option<f64>,
    /// How near to the target is near enough, m.
    pub spatial_precision_in_meters: Option<f64>,
    /// Where to look.
    pub target_pose: Option<Pose>,
    /// What to look at, an `id` of WorldState.
    #[serde(deserialize_with = "whole")]
    pub world_object_id: Option<i64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
