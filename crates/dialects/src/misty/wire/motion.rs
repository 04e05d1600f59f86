//! What moves: ActuatorPosition, DriveEncoders, HaltCommand, IMU and LocomotionCommand.

use serde::{Deserialize, Serialize};

use super::{Extra, number::whole};

/// Section "ActuatorPosition": where a joint of the head or an arm stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ActuatorPosition {
    /// Hardware id of the motor, one of [`ACTUATORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actuator_id: Option<String>,
    /// When the reading was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when the reading is good, 1 s later in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// One of [`ACTUATORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// One of [`ACTUATORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// Position, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The names of an actuator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actuator {
    /// `sensorId`.
    pub sensor_id: &'static str,
    /// `sensorName`.
    pub sensor_name: &'static str,
    /// `actuatorId`.
    pub actuator_id: &'static str,
}

const fn actuator(sensor_id: &'static str, sensor_name: &'static str, actuator_id: &'static str) -> Actuator {
    Actuator { sensor_id, sensor_name, actuator_id }
}

/// The five actuators, in the specification's order.
pub const ACTUATORS: [Actuator; 5] = [
    actuator("ahp", "Actuator_HeadPitch", "Awb61F"),
    actuator("ahy", "Actuator_HeadYaw", "2ABzJD"),
    actuator("ahr", "Actuator_HeadRoll", "QSygCx"),
    actuator("ala", "Actuator_LeftArm", "NBQEA0"),
    actuator("ara", "Actuator_RightArm", "dYV1Vt"),
];

/// Section "DriveEncoders": the two tracks. Rotation in degrees, angular velocity in degrees per second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DriveEncoders {
    /// When the reading was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when the reading is good; not in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Rotation of the left encoder, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_distance: Option<f64>,
    /// Angular velocity of the left encoder, degrees/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_velocity: Option<f64>,
    /// Rotation of the right encoder, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_distance: Option<f64>,
    /// Angular velocity of the right encoder, degrees/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_velocity: Option<f64>,
    /// `enc`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// Not in the samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "HaltCommand": the robot stopped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HaltCommand {
    /// When it stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Bits of the motors that stopped: 6 for the two tracks, 65535 for all.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub motor_mask: Option<i64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "IMU", every five seconds: attitude and acceleration of the torso, right-handed.
///
/// Yaw is 0 to 360 degrees from the heading at power-up. The specification calls the rates "force in meters per
/// second"; the figures fit degrees per second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Imu {
    /// When the reading was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Until when the reading is good, 0.4 s later in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Degrees; positive leans forward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Rate of `pitch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch_velocity: Option<f64>,
    /// Degrees; positive leans right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll: Option<f64>,
    /// Rate of `roll`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_velocity: Option<f64>,
    /// `imu`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// `null` in the sample.
    pub sensor_name: Option<String>,
    /// m/s²; positive accelerates forward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x_acceleration: Option<f64>,
    /// m/s²; positive accelerates left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y_acceleration: Option<f64>,
    /// Degrees; positive turns left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
    /// Rate of `yaw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw_velocity: Option<f64>,
    /// m/s²; the text says negative on level ground, the sample shows +9.80.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z_acceleration: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Section "LocomotionCommand": the commanded velocity changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LocomotionCommand {
    /// Number of the action that commanded it.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub action_id: Option<i64>,
    /// Commanded turn; the specification names no unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<f64>,
    /// When it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Commanded speed; the specification names no unit (0.3 in the sample fits m/s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linear_velocity: Option<f64>,
    /// Whether a controller closes the loop; the `Deprecated` form only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_pid: Option<bool>,
    /// Whether speed changes follow a trapezoid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub use_trapezoidal_drive: Option<bool>,
    /// Reserved.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub value_index: Option<i64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}
