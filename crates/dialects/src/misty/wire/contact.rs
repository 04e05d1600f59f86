//! BumpSensor and TouchSensor.

use serde::{Deserialize, Serialize};

use super::Extra;
use crate::misty::messages::pose::Pose;

/// Section "BumpSensor": a bumper of the base was pressed or released.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BumpSensor {
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when the reading is good, 125 ms later in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Pressed (true) or released (false).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_contacted: Option<bool>,
    /// Where the bumper sits on the robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<Box<Pose>>,
    /// One of [`BUMP_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// One of [`BUMP_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// Place of the bumper, against which robots evaluate conditions; not in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_position: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "TouchSensor": a capacitive sensor of the head was touched or released.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TouchSensor {
    /// When it happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when the reading is good, 1 s later in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Touched (true) or released (false).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_contacted: Option<bool>,
    /// Where the sensor sits on the robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<Box<Pose>>,
    /// `cap`, for every touch sensor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// One of [`TOUCH_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// One of [`TOUCH_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_position: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The names of a contact sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactPlace {
    /// `sensorId`.
    pub sensor_id: &'static str,
    /// `sensorName`.
    pub sensor_name: &'static str,
    /// `sensorPosition`.
    pub sensor_position: &'static str,
}

const fn place(
    sensor_id: &'static str,
    sensor_name: &'static str,
    sensor_position: &'static str,
) -> ContactPlace {
    ContactPlace { sensor_id, sensor_name, sensor_position }
}

/// The four bumpers of the base, in the order of HazardNotification.
pub const BUMP_SENSORS: [ContactPlace; 4] = [
    place("bfr", "Bump_FrontRight", "FrontRight"),
    place("bfl", "Bump_FrontLeft", "FrontLeft"),
    place("brr", "Bump_RearRight", "RearRight"),
    place("brl", "Bump_RearLeft", "RearLeft"),
];

/// The six touch sensors of the head, in the specification's order; all share one id.
pub const TOUCH_SENSORS: [ContactPlace; 6] = [
    place("cap", "CapTouch_Chin", "Chin"),
    place("cap", "CapTouch_HeadLeft", "HeadLeft"),
    place("cap", "CapTouch_HeadRight", "HeadRight"),
    place("cap", "CapTouch_HeadBack", "HeadBack"),
    place("cap", "CapTouch_HeadFront", "HeadFront"),
    place("cap", "CapTouch_Scruff", "Scruff"),
];
