//! IMU.
//!
//! All signs are those of REP-103. Two words of the specification are not followed: it calls the rates forces, and it
//! says that `zAcceleration` is negative on level ground, where its own sample shows +9.80; so does this.

use latimer_core::model::signal::{Accel, AngularRate, Imu as ModelImu, Orientation};

use super::codecs::Utc;
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::Turn;
use crate::describe::{Extra, Message};

/// Section "IMU", every five seconds: attitude and acceleration of the torso, right-handed. A vector of which a
/// component is missing is left out.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = ModelImu, context = Context)]
#[message(wholes(orientation = Orientation, angular_velocity = AngularRate, linear_acceleration = Accel))]
pub struct Imu {
    /// When the reading was taken; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 0.4 s after `created`.
    #[field(computed = good_for::<400, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Lean forward.
    #[field(orientation.pitch_rad, codec = Turn::Half, unit = Degrees, note = "forward is positive")]
    pub pitch: Option<f64>,
    /// Rate of `pitch`.
    #[field(angular_velocity.y_radps, unit = DegreesPerSecond)]
    pub pitch_velocity: Option<f64>,
    /// Lean to the right.
    #[field(orientation.roll_rad, codec = Turn::Half, unit = Degrees, note = "right is positive; robots of 2019 write 0 to 360")]
    pub roll: Option<f64>,
    /// Rate of `roll`.
    #[field(angular_velocity.x_radps, unit = DegreesPerSecond)]
    pub roll_velocity: Option<f64>,
    /// Always `imu`.
    #[field(constant = "imu")]
    pub sensor_id: Option<String>,
    /// `null` in the sample.
    #[field(own, null, hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Acceleration forward.
    #[field(linear_acceleration.x_mps2, note = "forward, gravity included")]
    pub x_acceleration: Option<f64>,
    /// Acceleration to the left.
    #[field(linear_acceleration.y_mps2, note = "left")]
    pub y_acceleration: Option<f64>,
    /// Heading, from the one at power-up.
    #[field(orientation.yaw_rad, codec = Turn::Full, unit = Degrees, note = "0 to 360, counter-clockwise from where the robot was switched on")]
    pub yaw: Option<f64>,
    /// Rate of `yaw`.
    #[field(angular_velocity.z_radps, unit = DegreesPerSecond)]
    pub yaw_velocity: Option<f64>,
    /// Acceleration upward.
    #[field(linear_acceleration.z_mps2, note = "up, about 9.81 at rest")]
    pub z_acceleration: Option<f64>,
    pub(crate) extra: Extra,
}
