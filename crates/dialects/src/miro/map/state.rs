//! `platform/state`, from what is known of a robot, and as signals.

use latimer_core::Timestamp;
use latimer_core::model::Signal;
use latimer_core::model::signal::{
    Alert, Alerts, Device, HazardSource, RangeStatus, RunState, Severity, Status,
};

use super::snapshot::Snapshot;
use crate::miro::messages::signals::{ALL_READ, ALL_WRITTEN, p1_r, p2c_r, p2l_r, p2u_r};
use crate::miro::messages::{Moment, PlatformState};

/// Codes of what has none of its own: the bit of `P1_R_signals`, past the error codes.
const BIT_CODES: i64 = 1_000;
/// Below this charge the platform says that there is little left.
const LOW_CHARGE: f64 = 0.15;
/// Below this voltage of four cells it does so, if the charge is not known.
const LOW_VOLTAGE_V: f64 = 4.6;
/// Voltages above this are not of four cells.
const MOST_VOLTAGE_V: f64 = 6.5;

/// What the bridge itself has to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// It is a MiRo.
    pub own_family: bool,
    /// Whether the robot is connected.
    pub ready: bool,
    /// Noise of the moment at which it was switched on.
    pub seed: u32,
    /// A body move is under way.
    pub body_move: bool,
    /// A sound is made.
    pub vocalising: bool,
    /// A command sent the neck back to how it stands at first.
    pub body_reset: bool,
    /// Room for frames of streamed sound.
    pub free_stream_buffers: u32,
    /// The last frame of streamed sound that was taken.
    pub last_stream_message: u16,
    /// Sounds that can be streamed.
    pub loaded_sounds: u32,
}

/// How the processors are.
pub fn state_from_snapshot(known: &Snapshot, own: Own, at: &Moment, now: Timestamp) -> PlatformState {
    let device = known.device.as_ref();
    let release = device.and_then(|it| it.firmware.as_deref()).and_then(tag_from_release).unwrap_or_default();
    let serial = device.and_then(|it| it.serial.as_deref()).map(number_in).unwrap_or_default();
    let second_of_day = now.as_nanos().div_euclid(1_000_000_000).rem_euclid(86_400);
    let [hrs, min, sec] =
        [second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60].map(|it| it as u8);
    PlatformState {
        header: at.header("base_link"),
        time_usec: at.usec,
        P1_release: release,
        P1_error_code: error_code(known),
        P1_R_signals: p1_signals(known) | bits(own.own_family, alert_signals(known)),
        success_r: bits(own.own_family, ALL_READ),
        success_w: bits(own.own_family, ALL_WRITTEN),
        seed: own.seed,
        P2_release: release,
        P2_bootloader_release: release,
        serial,
        serial_number: serial,
        P2C_R_signals: bits(own.ready, p2c_r::PLATFORM_READY | p2c_r::P3_CONNECTED | p2c_r::P3_SYNCED),
        P2L_R_signals: p2l_r::MODE_SET | p2l_r::SEED_READY,
        P2U_R_signals: bits(own.body_move, p2u_r::BODY_MOVE_UNDERWAY)
            | bits(own.vocalising, p2u_r::VOCALISING)
            | bits(own.body_reset, p2u_r::ACK_BODY_RESET_INTEGRATORS),
        num_free_stream_buf: own.free_stream_buffers,
        msg_id_of_last_stream_buf_recv: own.last_stream_message.into(),
        rtc_hrs: hrs,
        rtc_min: min,
        rtc_sec: sec,
        P3_release: release,
        number_of_loaded_sounds: own.loaded_sounds,
        ..PlatformState::default()
    }
}

/// The first error that the robot tells.
fn error_code(known: &Snapshot) -> u32 {
    let alerts = known.alerts.iter().flat_map(|it| &it.active);
    // The maker's field is a byte.
    let error =
        alerts.filter(|it| it.severity == Severity::Error).map(|it| u8::try_from(it.code).unwrap_or(u8::MAX));
    error.min().unwrap_or_default().into()
}

fn p1_signals(known: &Snapshot) -> u32 {
    let low = known.battery.as_ref().is_some_and(|battery| match (battery.charge_ratio, battery.voltage_v) {
        (Some(charge), _) => charge < LOW_CHARGE,
        (None, Some(volts)) => volts < LOW_VOLTAGE_V && volts > 0.0 && volts < MOST_VOLTAGE_V,
        (None, None) => false,
    });
    let hazards = || known.hazard.iter().flat_map(|it| &it.items).filter(|it| it.active);
    let cliff = hazards().any(|it| it.source == HazardSource::Range && it.part.starts_with("cliff"))
        || known.cliffs.iter().flatten().any(|it| it.status == RangeStatus::HardwareFault);
    let stall = hazards().any(|it| matches!(it.source, HazardSource::MotorStall | HazardSource::Current));
    bits(low, p1_r::LOW_BATT) | bits(stall, p1_r::STALL_UC1) | bits(cliff, p1_r::RETREAT_ON_CLIFF)
}

const fn bits(on: bool, bits: u32) -> u32 {
    if on { bits } else { 0 }
}

/// The alerts that a MiRo published, as the bits that they were.
fn alert_signals(known: &Snapshot) -> u32 {
    let alerts = known.alerts.iter().flat_map(|it| &it.active);
    let bits = alerts.filter_map(|it| u32::try_from(it.code.checked_sub(BIT_CODES)?).ok());
    bits.filter_map(|bit| 1_u32.checked_shl(bit)).fold(0, |signals, bit| signals | bit)
}

/// Sixteen bits of a date: seven of the year, with the topmost for what is not released, four of the month, five of the day.
fn tag_from_release(release: &str) -> Option<u32> {
    let digits = release.rsplit(|it: char| !it.is_ascii_digit()).find(|it| it.len() == 6)?;
    let number: u32 = digits.parse().ok()?;
    let [year, month, day] = [number / 10_000, number / 100 % 100, number % 100];
    let dated = year < 64 && (1..=12).contains(&month) && (1..=31).contains(&day);
    dated.then_some(year << 9 | month << 5 | day)
}

/// The release of such a tag, as its maker names it.
fn release_from_tag(tag: u32) -> Option<String> {
    let [year, month, day] = [tag >> 9 & 63, tag >> 5 & 15, tag & 31];
    let unreleased = if tag >> 15 & 1 == 1 { " unreleased" } else { "" };
    ((1..=12).contains(&month) && day > 0).then(|| format!("MDK {year:02}{month:02}{day:02}{unreleased}"))
}

/// The last digits of a serial number, as far as they fit.
fn number_in(serial: &str) -> u32 {
    let digits: String = serial.chars().filter(char::is_ascii_digit).collect();
    let kept = digits.get(digits.len().saturating_sub(9)..).unwrap_or_default();
    kept.parse().unwrap_or_default()
}

/// What the platform tells of itself.
pub fn signals_from_state(message: &PlatformState) -> Vec<Signal> {
    let number = if message.serial == 0 { message.serial_number } else { message.serial };
    let device = Device {
        maker: Some("Consequential Robotics".to_owned()),
        model: Some("MiRo".to_owned()),
        serial: (number != 0).then(|| number.to_string()),
        firmware: release_from_tag(message.P2_release),
        ..Device::UNKNOWN
    };
    let ready = message.P2C_R_signals & p2c_r::PLATFORM_READY != 0;
    let run_state = if ready { RunState::Running } else { RunState::Loading };
    let status = Status { run_state, camera: None, taking_picture: None, ip_address: None };
    vec![device.into(), status.into(), alerts(message.P1_error_code, message.P1_R_signals).into()]
}

fn alerts(error: u32, signals: u32) -> Alerts {
    let message = match error {
        0 => None,
        1 => Some("I2C is busy; if it stays so, a cable or a board is damaged".to_owned()),
        other => Some(format!("P1 tells error {other}")),
    };
    let error = message.map(|message| Alert { code: error.into(), severity: Severity::Error, message });
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

#[cfg(test)]
mod tests {
    use latimer_core::RobotId;
    use latimer_core::model::Update;

    use super::*;

    #[test]
    fn alerts_of_a_miro_become_the_same_bits_again() {
        let robot = RobotId::new("miro-2").unwrap();
        let signals = p1_r::STALL_UC4 | p1_r::FREEZE | p1_r::LOW_BATT;
        let message = PlatformState { P1_error_code: 1, P1_R_signals: signals, ..PlatformState::default() };
        let mut known = Snapshot::default();
        for signal in signals_from_state(&message) {
            known.take(&Update::now(&robot, Timestamp::default(), signal));
        }
        let again = |known: &Snapshot, own_family| {
            let own = Own { own_family, ..Own::default() };
            let state = state_from_snapshot(known, own, &Moment::default(), Timestamp::default());
            (state.P1_error_code, state.P1_R_signals)
        };
        assert_eq!(again(&known, true), (1, signals));
        assert_eq!(again(&known, false), (1, 0), "another make's codes are no bits");
        let odd = |code| Alert { code, severity: Severity::Warning, message: String::new() };
        let odd = Alerts { active: [0, 999, 1_032, i64::MIN, i64::MAX].map(odd).into() };
        known.take(&Update::now(&robot, Timestamp::default(), odd.into()));
        assert_eq!(again(&known, true), (0, 0), "codes that are no bits");
    }

    #[test]
    fn a_release_is_a_date_in_sixteen_bits() {
        let tag = tag_from_release("MDK 180509").unwrap();
        assert_eq!(tag, 18 << 9 | 5 << 5 | 9);
        assert_eq!(release_from_tag(tag).unwrap(), "MDK 180509");
        assert_eq!(release_from_tag(tag | 1 << 15).unwrap(), "MDK 180509 unreleased");
        for none in ["", "1.2.3", "MDK 999999", "180500"] {
            assert_eq!(tag_from_release(none), None, "{none}");
        }
        assert_eq!(release_from_tag(0), None);
    }

    #[test]
    fn a_serial_number_keeps_what_fits() {
        assert_eq!(number_in("SIM00012345678"), 12_345_678);
        assert_eq!(number_in("99999999999"), 999_999_999);
        assert_eq!(number_in("none"), 0);
    }
}
