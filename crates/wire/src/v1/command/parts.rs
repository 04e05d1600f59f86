//! What commands are made of.

use latimer_core::model::signal::Switch;
use latimer_core::model::{
    JointPosition, JointTarget as ModelJointTarget, LocalizationCommand as ModelLocalization, PartName,
    RelocateBy,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::field::InvalidField;
use super::super::quantity::{AngularSpeed, Checked as _, NonNegative, Radians, Seconds, Share, checked};

/// Where a joint shall go; exactly one of an angle and a share of its range.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointTarget {
    /// Which joint, e.g. `head_yaw`.
    pub part: String,
    /// The angle; REP-103 sense about its axis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_rad: Option<Radians>,
    /// A share of the joint's range: 0..1, or -1..1 about a neutral middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position_ratio: Option<Share>,
    /// How fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_radps: Option<AngularSpeed>,
    /// In what time; overrides the velocity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<Seconds>,
}

impl TryFrom<JointTarget> for ModelJointTarget {
    type Error = InvalidField;

    fn try_from(target: JointTarget) -> Result<Self, InvalidField> {
        let JointTarget { part, position_rad, position_ratio, velocity_radps, duration_s } = target;
        let position = match (position_rad, position_ratio) {
            (Some(rad), None) => JointPosition::Angle { rad: rad.checked("position_rad")? },
            (None, Some(ratio)) => JointPosition::Share { ratio: ratio.checked("position_ratio")? },
            (None, None) => {
                let problem = "is missing, and so is `position_ratio`";
                return Err(InvalidField::new("position_rad", problem, "write one of them"));
            }
            (Some(_), Some(_)) => {
                let problem = "and `position_ratio` are both given";
                return Err(InvalidField::new("position_rad", problem, "write one of them"));
            }
        };
        Ok(Self {
            part: PartName::of(&part),
            position,
            velocity_radps: checked!(velocity_radps),
            duration: checked!(duration_s),
        })
    }
}

/// A part that is switched: a bumper that may stop the robot, or a part of its own behaviour.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartSwitch {
    /// The part's name; one of a behaviour as in the `switches` of `behaviour_state`.
    pub part: String,
    /// Whether it is on.
    pub enabled: bool,
}

impl From<PartSwitch> for Switch {
    fn from(PartSwitch { part, enabled }: PartSwitch) -> Self {
        Self { part: part.into(), enabled }
    }
}

/// A range sensor's threshold.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HazardThreshold {
    /// The part's name.
    pub part: String,
    /// Distance past which it is a hazard; 0 switches it off.
    pub threshold_m: NonNegative,
}

/// What the localisation shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalizationAction {
    /// Begin making a map whose origin is where the robot stands.
    StartMapping,
    /// Begin making a map in the frame of the robot's present poses.
    StartMappingInFrame,
    /// End making a map.
    StopMapping,
    /// Begin following the robot on the map.
    StartTracking,
    /// End following the robot on the map.
    StopTracking,
    /// Switch the sensor's stream on.
    StartStreaming,
    /// Switch the sensor's stream off.
    StopStreaming,
    /// Forget everything.
    Reset,
    /// Look for the robot on the whole map.
    Relocate,
}

impl From<LocalizationAction> for ModelLocalization {
    fn from(action: LocalizationAction) -> Self {
        match action {
            LocalizationAction::StartMapping => Self::Mapping(true),
            LocalizationAction::StartMappingInFrame => Self::MappingInFrame,
            LocalizationAction::StopMapping => Self::Mapping(false),
            LocalizationAction::StartTracking => Self::Tracking(true),
            LocalizationAction::StopTracking => Self::Tracking(false),
            LocalizationAction::StartStreaming => Self::Streaming(true),
            LocalizationAction::StopStreaming => Self::Streaming(false),
            LocalizationAction::Reset => Self::Reset,
            LocalizationAction::Relocate => Self::Relocate(RelocateBy::ANY),
        }
    }
}
