//! HazardNotification.

use serde::{Deserialize, Serialize};

use super::{Extra, number::whole};

/// Distance above which a downward sensor is in a hazard state unless set otherwise, m.
pub const EDGE_HAZARD_THRESHOLD_M: f64 = 0.06;
/// Turn rate above which the drive is in a hazard state, degrees/s.
pub const EXCESSIVE_TURN_DEG_PER_S: f64 = 100.0;

/// Section "HazardNotification": a hazard began or ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HazardNotification {
    /// The bumpers, [`BUMP_SENSORS`](super::contact::BUMP_SENSORS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bump_sensors_hazard_state: Option<Vec<HazardState>>,
    /// 0 none, 1 firmware and processor do not talk, 2 real-time controller lost.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub critical_internal_error: Option<i64>,
    /// The motor currents, [`CURRENT_SENSORS`]; reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_sensors_hazard: Option<Vec<HazardState>>,
    /// Zones in which driving is stopped, [`DRIVE_ZONES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drive_stopped: Option<Vec<HazardState>>,
    /// Motors that turn too fast; described, but not in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excessive_speed_hazard: Option<Vec<HazardState>>,
    /// Stalled motors, [`MOTORS`]; reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor_stall_hazard: Option<Vec<HazardState>>,
    /// The time-of-flight sensors, [`TOF_HAZARD_NAMES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_of_flight_sensors_hazard_state: Option<Vec<HazardState>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Whether one sensor, zone or motor is in a hazard state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HazardState {
    /// In a hazard state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_hazard: Option<bool>,
    /// Name of the sensor, zone or motor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Names in `currentSensorsHazard`, in the sample's order.
pub const CURRENT_SENSORS: [&str; 7] = [
    "CurrentSensor_RightTrack",
    "CurrentSensor_LeftTrack",
    "CurrentSensor_RightArm",
    "CurrentSensor_LeftArm",
    "CurrentSensor_HeadPitch",
    "CurrentSensor_HeadRoll",
    "CurrentSensor_HeadYaw",
];

/// Names in `driveStopped`, in the sample's order.
pub const DRIVE_ZONES: [&str; 6] = [
    "Front right hazard",
    "Front center hazard",
    "Front left hazard",
    "Back right hazard",
    "Back center hazard",
    "Back left hazard",
];

/// Names in `motorStallHazard`, in the sample's order.
pub const MOTORS: [&str; 7] =
    ["RightDrive", "LeftDrive", "RightArm", "LeftArm", "HeadPitch", "HeadRoll", "HeadYaw"];

/// Names in `timeOfFlightSensorsHazardState`, in the sample's order (not that of the sensor table).
pub const TOF_HAZARD_NAMES: [&str; 8] = [
    "TOF_Right",
    "TOF_Center",
    "TOF_Left",
    "TOF_Back",
    "TOF_DownFrontRight",
    "TOF_DownFrontLeft",
    "TOF_DownBackRight",
    "TOF_DownBackLeft",
];
