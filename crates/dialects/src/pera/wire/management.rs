//! `mgt/*`, `service/*` and `test`: words between the simulator and those who watch.

use serde::{Deserialize, Serialize};

use super::number::Number;
use super::reality::{self, Reality};
use super::{id, text};
use crate::pera::roster::SwarmId;

/// `mgt/robots/?`: all that is known of a robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// What it is.
    #[serde(default, deserialize_with = "reality::optional", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
    /// Where it is.
    pub coordinates: Coordinates,
    /// When it was heard last, `HH:MM:SS`.
    #[serde(default, deserialize_with = "text::read")]
    pub live: String,
    /// What its sensors read last, by the sensor's word.
    #[serde(default)]
    pub data: serde_json::Map<String, serde_json::Value>,
}

/// A pose; centimetres and degrees. `test` holds one, too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coordinates {
    /// East.
    pub x: Number,
    /// North.
    pub y: Number,
    /// Counter-clockwise from +x.
    pub heading: Number,
}

/// `service/discovery`: a simulator shows that it is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Discovery {
    /// Its own name.
    #[serde(deserialize_with = "text::read")]
    pub uuid: String,
    /// When, as ISO 8601.
    #[serde(default, deserialize_with = "text::read")]
    pub timestamp: String,
}
