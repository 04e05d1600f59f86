//! `platform/sensors`: what the platform senses, 50 times a second.

use latimer_ros1::msgs::nav_msgs::Odometry;
use latimer_ros1::msgs::sensor_msgs::{Imu, JointState, Range, Temperature};
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

/// `miro_msgs/platform_sensors` (Platform Interface, Upstream, Sensors).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlatformSensors {
    /// When it was assembled, by the wall clock.
    pub header: Header,
    /// No flags are known.
    pub msg_flags: u32,
    /// When it was assembled, by the embedded clock; rolls over at 2^29 µs.
    pub time_usec: i32,
    /// V.
    pub battery_voltage: f32,
    /// In place of `battery_voltage` in other builds.
    pub battery_state: BatteryState,
    /// °C.
    pub temperature: Temperature,
    /// m/s².
    pub accel_head: Imu,
    /// m/s².
    pub accel_body: Imu,
    /// mm/s and rad/s; the pose is zero.
    pub odometry: Odometry,
    /// rad; tilt, lift, yaw, pitch.
    pub joint_state: JointState,
    /// 0 open, 1 closed.
    pub eyelid_closure: f32,
    /// A bit for each switch.
    pub dip_state_phys: u8,
    /// m; 0 if nothing is detected.
    pub sonar_range: Range,
    /// 0..255; front left, front right, rear left, rear right.
    #[serde(with = "serde_bytes")]
    pub light: [u8; 4],
    /// 0 or 1, behind the ears.
    #[serde(with = "serde_bytes")]
    pub touch_head: [u8; 4],
    /// 0 or 1, down the back.
    #[serde(with = "serde_bytes")]
    pub touch_body: [u8; 4],
    /// 0 no surface, 15 surely a surface; left, right.
    #[serde(with = "serde_bytes")]
    pub cliff: [u8; 2],
}

/// `sensor_msgs/BatteryState`, as far as a robot could know it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BatteryState {
    /// V.
    pub voltage: f32,
    /// There is a battery.
    pub present: bool,
}
