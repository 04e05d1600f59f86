//! WorldState.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Extra, number::whole};
use crate::misty::messages::pose::Location;

/// Section "WorldState": what the robot perceives, by a timer. Many properties are reserved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WorldState {
    /// Reserved.
    pub characteristics: Option<Value>,
    /// Perceived objects.
    pub objects: Option<Vec<WorldObject>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One of `objects`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WorldObject {
    /// Kind of object; `null` in the sample.
    pub class: Option<Value>,
    /// Number of the object.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Which one of its kind; `null` in the sample.
    pub individual: Option<Value>,
    /// Whether it can be perceived now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_sensible: Option<bool>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// When it was perceived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<PerceptionStatistics>,
    /// Time of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_stamp: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `statistics` of an object.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PerceptionStatistics {
    /// `hh:mm:ss`, with days before and a fraction behind if need be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_continuously_perceived: Option<String>,
    /// First time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_perceived: Option<String>,
    /// Last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_recently_perceived: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
