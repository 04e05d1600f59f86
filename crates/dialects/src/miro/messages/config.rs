//! What sets the platform and the bridge up, and what the bridge plays.

use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

/// `miro_msgs/platform_config` (Platform Interface, Downstream, Config).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlatformConfig {
    /// When it was sent.
    pub header: Header,
    /// No flags are known.
    pub msg_flags: u32,
    /// Back to the defaults.
    pub reset: bool,
    /// 128, 192 or 320; 0 leaves it as it is.
    pub frame_size: u32,
    /// Pictures a second; 0 leaves it as it is.
    pub frame_rate: f32,
}

/// `miro_msgs/bridge_config` (Bridge Interface; Platform Interface, Downstream, Stream).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BridgeConfig {
    /// When it was sent.
    pub header: Header,
    /// `BRIDGE_UPDATE`, `BRIDGE_NO_PUBLISH_MICS`, `BRIDGE_NO_PUBLISH_CAMS`.
    pub flags: u32,
    /// Number of the sound; 0 changes nothing, -1 stops. The specification has it here, the maker's layouts in `bridge_stream`.
    pub sound_index_P3: i32,
}

/// `miro_msgs/bridge_stream` (Bridge Interface; Platform Interface, Downstream, Stream).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BridgeStream {
    /// When it was sent.
    pub header: Header,
    /// Number of the sound; 0 changes nothing, -1 stops.
    pub sound_index_P3: i32,
}
