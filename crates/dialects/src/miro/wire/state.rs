//! `platform/state`: how the processors of the platform are, 50 times a second.

use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

/// `miro_msgs/platform_state` (Platform Interface, Upstream, State).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlatformState {
    /// When it was assembled, by the wall clock.
    pub header: Header,
    /// No flags are known.
    pub msg_flags: u32,
    /// When it was assembled, by the embedded clock; rolls over at 2^29 µs.
    pub time_usec: i32,
    /// Release tag of P1.
    pub P1_release: u32,
    /// Always zero.
    pub P1_mode: u32,
    /// Zero if all is well.
    pub P1_error_code: u32,
    /// Signals of P1.
    pub P1_R_signals: u32,
    /// Boards on the bus that could be read.
    pub success_r: u32,
    /// Boards on the bus that could be written.
    pub success_w: u32,
    /// Thermal noise at power on.
    pub seed: u32,
    /// Release tag of P2.
    pub P2_release: u32,
    /// Release tag of P2's bootloader.
    pub P2_bootloader_release: u32,
    /// Serial number, by the specification's word.
    pub serial: u32,
    /// The same, by the word of the maker's programs.
    pub serial_number: u32,
    /// What P2 does.
    pub P2_mode: u32,
    /// Signals of P2 to all.
    pub P2C_R_signals: u32,
    /// Signals of P2's loader.
    pub P2L_R_signals: u32,
    /// Signals of P2 to its user.
    pub P2U_R_signals: u32,
    /// Room for frames of sound.
    pub num_free_stream_buf: u32,
    /// The last frame of sound that came.
    pub msg_id_of_last_stream_buf_recv: u32,
    /// Hours of P2's clock.
    pub rtc_hrs: u8,
    /// Minutes.
    pub rtc_min: u8,
    /// Seconds.
    pub rtc_sec: u8,
    /// What the circadian model moved it by.
    pub rtc_skew: i32,
    /// Release tag of P3.
    pub P3_release: u32,
    /// Sounds that the bridge can stream.
    pub number_of_loaded_sounds: u32,
}
