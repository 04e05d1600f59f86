//! `platform/state`: how the processors of the platform are, 50 times a second.

use latimer_core::model::signal::RunState;
use latimer_ros1::msgs::std_msgs::Header;
use serde::{Deserialize, Serialize};

use super::standard::Byte;
use crate::describe::Message;
use crate::describe::codec::Words;

/// `miro_msgs/platform_state` (Platform Interface, Upstream, State).
#[expect(non_snake_case, reason = "ROS names")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Message)]
#[serde(default)]
#[message(layout)]
pub struct PlatformState {
    /// When it was assembled, by the wall clock.
    #[field(model = "")]
    pub header: Header,
    /// No flags are known.
    #[field(reserved)]
    pub msg_flags: u32,
    /// The embedded clock in microseconds; it rolls over at 2^29.
    pub time_usec: i32,
    /// Release tag of P1: 7 bits of the year, 4 of the month, 5 of the day.
    pub P1_release: u32,
    /// Always zero.
    pub P1_mode: u32,
    /// Zero if all is well.
    #[field(model = "active.code", kind = Alerts, note = "0 is none, 1 is I2C_BUSY")]
    pub P1_error_code: u32,
    /// Signals of P1.
    #[field(model = "active.message", kind = Alerts)]
    #[field(note = "bit 3 LOW_BATT, 10 STALL_UC1, 11 STALL_UC4, 17 RETREAT_ON_CLIFF")]
    pub P1_R_signals: u32,
    /// Boards on the bus that could be read.
    pub success_r: u32,
    /// Boards on the bus that could be written.
    pub success_w: u32,
    /// Thermal noise at power on.
    pub seed: u32,
    /// Release tag of P2.
    #[field(model = "firmware", note = "a tag like that of P1")]
    pub P2_release: u32,
    /// Release tag of P2's bootloader, like that of P1.
    pub P2_bootloader_release: u32,
    /// Serial number.
    #[field(model = "serial", note = "as a number")]
    pub serial_number: u32,
    /// The same, by the specification's word: in inferred layouts only.
    #[field(model = "serial", note = "the same by another name")]
    pub serial: u32,
    /// What P2 does.
    pub P2_mode: u32,
    /// Signals of P2 to all.
    #[field(model = "run_state", kind = Status, codec = RUN_STATES, note = "bit 0 PLATFORM_READY")]
    pub P2C_R_signals: u32,
    /// Signals of P2's loader: bit 0 MODE_SET, 1 SEED_READY.
    pub P2L_R_signals: u32,
    /// Signals of P2 to its user: bit 16 BODY_MOVE_UNDERWAY, 17 VOCALISING.
    pub P2U_R_signals: u32,
    /// Room for frames of streamed sound.
    pub num_free_stream_buf: u32,
    /// The last frame of streamed sound that came.
    pub msg_id_of_last_stream_buf_recv: u32,
    /// Hours of P2's clock, here that of the gateway.
    #[field(codec = Byte)]
    pub rtc_hrs: u8,
    /// Minutes.
    #[field(codec = Byte)]
    pub rtc_min: u8,
    /// Seconds.
    #[field(codec = Byte)]
    pub rtc_sec: u8,
    /// What the circadian model moved it by.
    pub rtc_skew: i32,
    /// Release tag of P3, like that of P1.
    pub P3_release: u32,
    /// Sounds that the bridge can stream.
    pub number_of_loaded_sounds: u32,
}

const RUN_STATES: Words<RunState> = Words(&[("1", RunState::Running), ("0", RunState::Loading)]);
