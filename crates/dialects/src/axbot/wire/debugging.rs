//! What is told for looking into the robot; not in the specification, but in the vendor's manual.

use super::number::Moment;
use super::record::record;

record! {
    /// `/imu_state`.
    pub struct ImuState {
        /// 0 none, 1 in progress, 2 succeeded, 3 failed.
        calibrate_state: i64,
        /// 0 none, 1 it was shaken.
        calibrate_fail_reason: i64,
        /// Degrees Celsius.
        temperature: f64,
        /// Radians per second.
        angular_velocity_standard_deviation_10s: Vec<f64>,
        /// Radians per second.
        angular_velocity_avg_10s: Vec<f64>,
        /// Metres per second squared.
        linear_acc_standard_deviation_10s: Vec<f64>,
        /// Whether the bias is corrected now.
        gyro_calibrating: bool,
        /// Radians per second.
        gyro_bias: Vec<f64>,
        /// Radians per second.
        gyro_bias_target: Vec<f64>,
    }
}

record! {
    /// What stands in each point of `LaserPoints`.
    pub struct PointField {
        /// `x`, `y`, `z`, `intensity`.
        name: String,
        /// `f32`.
        data_type: String,
    }
}

record! {
    /// `/horizontal_laser_2d/matched`: what one scanner meets, in the world's frame.
    pub struct LaserPoints {
        /// Seconds since 1970.
        stamp: Moment,
        /// What stands in each point, one after the other.
        fields: Vec<PointField>,
        /// Base64.
        data: String,
    }
}
