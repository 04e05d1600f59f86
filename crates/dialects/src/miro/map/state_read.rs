//! `platform/state`, as signals.

use latimer_core::model::Signal;
use latimer_core::model::signal::{Alert, Alerts, Device, RunState, Severity, Status};

use super::state::release_from_tag;
use crate::miro::wire::PlatformState;
use crate::miro::wire::signals::{p1_r, p2c_r};

/// Codes of what has none of its own: the bit of `P1_R_signals`, past the error codes.
pub(super) const BIT_CODES: i64 = 1_000;

/// What the platform tells of itself.
pub fn signals_from_state(message: &PlatformState) -> Vec<Signal> {
    let PlatformState {
        header: _,
        msg_flags: _,
        time_usec: _,
        P1_release: _,
        P1_mode: _,
        P1_error_code,
        P1_R_signals,
        success_r: _,
        success_w: _,
        seed: _,
        P2_release,
        P2_bootloader_release: _,
        serial,
        serial_number,
        P2_mode: _,
        P2C_R_signals,
        P2L_R_signals: _,
        P2U_R_signals: _,
        num_free_stream_buf: _,
        msg_id_of_last_stream_buf_recv: _,
        rtc_hrs: _,
        rtc_min: _,
        rtc_sec: _,
        rtc_skew: _,
        P3_release: _,
        number_of_loaded_sounds: _,
    } = message;
    let number = if *serial == 0 { serial_number } else { serial };
    let device = Device {
        maker: Some("Consequential Robotics".to_owned()),
        model: Some("MiRo".to_owned()),
        serial: (*number != 0).then(|| number.to_string()),
        name: None,
        firmware: release_from_tag(*P2_release),
        hardware: None,
        ip_address: None,
        mac_address: None,
        simulated: false,
    };
    let ready = P2C_R_signals & p2c_r::PLATFORM_READY != 0;
    let run_state = if ready { RunState::Running } else { RunState::Loading };
    let status = Status { run_state, camera: None, taking_picture: None, ip_address: None };
    vec![device.into(), status.into(), alerts(*P1_error_code, *P1_R_signals).into()]
}

fn alerts(error: u32, signals: u32) -> Alerts {
    let told = match error {
        0 => None,
        1 => Some("I2C is busy; if it stays so, a cable or a board is damaged".to_owned()),
        other => Some(format!("P1 tells error {other}")),
    };
    let error = told.map(|message| Alert { code: error.into(), severity: Severity::Error, message });
    let warnings = [
        (p1_r::LOW_BATT, "the battery is low"),
        (p1_r::STALL_UC1, "the drive is stalled"),
        (p1_r::STALL_UC4, "the neck is stalled"),
        (p1_r::FREEZE, "it stands still for safety"),
    ];
    let warning = |(bit, message): (u32, &str)| Alert {
        code: BIT_CODES + i64::from(bit.trailing_zeros()),
        severity: Severity::Warning,
        message: message.to_owned(),
    };
    let warnings = warnings.into_iter().filter(|(bit, _)| signals & bit != 0).map(warning);
    Alerts { active: error.into_iter().chain(warnings).collect() }
}
