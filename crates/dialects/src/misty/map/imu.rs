//! IMU: attitude, turn rates, accelerations.
//!
//! | wire | model |
//! |---|---|
//! | `pitch` forward, `roll` right, degrees | `orientation`, rad within ±π |
//! | `yaw` left, degrees 0..360 | the same |
//! | `…Velocity`, degrees/s | `angular_velocity`, rad/s about x, y, z |
//! | `…Acceleration` forward, left, up, m/s² | `linear_acceleration`, gravity included |
//!
//! All signs are those of REP-103. Two words of the specification are not followed: it calls the rates forces, and it
//! says that `zAcceleration` is negative on level ground, where its own sample shows +9.80; so does this.

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::signal::{Accel, AngularRate, Imu, Orientation};

use super::Received;
use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use super::units::{deg_from_rad, deg360_from_rad, finite, wrapped_rad_from_deg};
use crate::misty::wire::{Extra, motion::Imu as Wire};

const GOOD_FOR: Duration = Duration::from_millis(400);
const SENSOR_ID: &str = "imu";

/// A reading; a vector of which a part is missing is left out.
pub(super) fn heard_from_imu(message: &Wire, received: Timestamp) -> Received {
    let Wire {
        created,
        expiry: _,
        pitch,
        pitch_velocity,
        roll,
        roll_velocity,
        sensor_id: _,
        sensor_name: _,
        x_acceleration,
        y_acceleration,
        yaw,
        yaw_velocity,
        z_acceleration,
        extra: _,
    } = message;
    let vector = |a: &Option<f64>, b: &Option<f64>, c: &Option<f64>| Some([(*a)?, (*b)?, (*c)?]);
    let orientation = vector(roll, pitch, yaw).map(|angles| angles.map(wrapped_rad_from_deg));
    let rates = vector(roll_velocity, pitch_velocity, yaw_velocity).map(|rates| rates.map(f64::to_radians));
    Received::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        Imu {
            orientation: orientation.map(|[roll_rad, pitch_rad, yaw_rad]| Orientation {
                roll_rad,
                pitch_rad,
                yaw_rad,
            }),
            angular_velocity: rates.map(|[x_radps, y_radps, z_radps]| AngularRate {
                x_radps,
                y_radps,
                z_radps,
            }),
            linear_acceleration: vector(x_acceleration, y_acceleration, z_acceleration)
                .map(|[x_mps2, y_mps2, z_mps2]| Accel { x_mps2, y_mps2, z_mps2 }),
        },
    )
}

/// A message about a reading.
pub(super) fn imu_from_imu(imu: &Imu, at: Timestamp) -> Wire {
    let Imu { orientation, angular_velocity, linear_acceleration } = imu;
    let (turned, turning, pushed) =
        (orientation.as_ref(), angular_velocity.as_ref(), linear_acceleration.as_ref());
    Wire {
        created: Some(utc_from_timestamp(at)),
        expiry: expiry(at, GOOD_FOR),
        pitch: turned.and_then(|it| deg_from_rad(it.pitch_rad)),
        pitch_velocity: turning.and_then(|it| deg_from_rad(it.y_radps)),
        roll: turned.and_then(|it| deg_from_rad(it.roll_rad)),
        roll_velocity: turning.and_then(|it| deg_from_rad(it.x_radps)),
        sensor_id: Some(SENSOR_ID.to_owned()),
        sensor_name: None,
        x_acceleration: pushed.and_then(|it| finite(it.x_mps2)),
        y_acceleration: pushed.and_then(|it| finite(it.y_mps2)),
        yaw: turned.and_then(|it| deg360_from_rad(it.yaw_rad)),
        yaw_velocity: turning.and_then(|it| deg_from_rad(it.z_radps)),
        z_acceleration: pushed.and_then(|it| finite(it.z_mps2)),
        extra: Extra::new(),
    }
}
