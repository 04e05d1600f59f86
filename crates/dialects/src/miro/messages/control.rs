//! `platform/control`: what the platform is to do, held for up to a second.

use latimer_ros1::msgs::geometry_msgs::{Pose2D, Twist};
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

use super::lenient;

/// `miro_msgs/platform_control` (Platform Interface, Downstream, Control).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlatformControl {
    /// When it was sent.
    pub header: Header,
    /// `FLAG_SYNC_PLATFORM`, `FLAG_SYNC_CORE`.
    pub msg_flags: u32,
    /// mm/s and rad/s; all zero has no effect.
    pub body_vel: Twist,
    /// rad; tilt, lift, yaw, pitch.
    pub body_config: [f32; 4],
    /// rad/s; 0 leaves the joint alone, -1 is as quick as possible.
    pub body_config_speed: [f32; 4],
    /// `BODY_MOVE_START`, `BODY_MOVE_CONTINUE`, `BODY_MOVE_ABSOLUTE`.
    pub body_move_flags: u32,
    /// mm and rad.
    pub body_move: Pose2D,
    /// -1 drooped, 0 neutral, 1 wagging.
    pub tail: f32,
    /// 0 forwards, 1 sideways; left, right.
    pub ear_rotate: [f32; 2],
    /// 0 open, 1 closed.
    pub eyelid_closure: f32,
    /// Periods of 20 ms; negative is a double blink.
    pub blink_time: i16,
    /// Greatest brightness of the pattern; 0 is no pattern.
    #[serde(deserialize_with = "lenient::number")]
    pub lights_max_drive: u8,
    /// How much further the pattern is at the next light, of 256.
    #[serde(deserialize_with = "lenient::number")]
    pub lights_dphase: u8,
    /// Where the pattern stands, of 256.
    #[serde(deserialize_with = "lenient::number")]
    pub lights_phase: u8,
    /// How far the pattern swings.
    #[serde(deserialize_with = "lenient::number")]
    pub lights_amp: u8,
    /// What the pattern swings about, -128 to 127.
    #[serde(deserialize_with = "lenient::number")]
    pub lights_off: i16,
    /// Colour of the pattern.
    #[serde(serialize_with = "serde_bytes::serialize", deserialize_with = "lenient::numbers")]
    pub lights_rgb: [u8; 3],
    /// Red, green, blue of six lights.
    #[serde(serialize_with = "serde_bytes::serialize", deserialize_with = "lenient::numbers")]
    pub lights_raw: [u8; 18],
    /// A sound of P1.
    #[serde(deserialize_with = "lenient::number")]
    pub sound_index_P1: u8,
    /// A sound of P2.
    #[serde(deserialize_with = "lenient::number")]
    pub sound_index_P2: u8,
}
