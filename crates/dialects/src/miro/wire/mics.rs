//! `platform/mics`: what the two microphones hear.

use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

/// `miro_msgs/platform_mics` (Platform Interface, Upstream, Microphones).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlatformMics {
    /// When it was assembled, by the wall clock.
    pub header: Header,
    /// No flags are known.
    pub msg_flags: u32,
    /// When it was assembled, by the embedded clock; rolls over at 2^29 µs.
    pub time_usec: i32,
    /// 2,000 samples of each ear, 20,000 a second, -512..511, left and right in turn.
    pub data: Vec<i16>,
}
