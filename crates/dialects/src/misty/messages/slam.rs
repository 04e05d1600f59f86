//! SlamStatus, also `slamStatus` in SelfState and the answer to `GET slam/status`: no table, as the state of the
//! localisation follows from several flags at once.
//!
//! A robot whose flags are Misty's gets them written as they are. For any other the bits are made from its state.

use std::sync::Arc;

use latimer_core::model::signal::{Localization, LocalizationState};

use super::Context;
use super::codecs::OneOf;
use crate::describe::{Extra, Incomplete, Message, Translate};

/// Section "SlamStatus". The whole body sits in one property; the message carries no time.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct SlamStatusMessage {
    /// The status.
    #[field(model = "")]
    pub slam_status: Option<SlamStatus>,
    pub(crate) extra: Extra,
}

impl Translate for SlamStatusMessage {
    type Record = Localization;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Localization, Incomplete> {
        self.slam_status.as_ref().map(localization_from_slam_status).ok_or(Incomplete { field: "slamStatus" })
    }

    fn encode(localization: &Localization, _: &Context) -> Option<Self> {
        Some(Self { slam_status: Some(slam_status_from_localization(localization)), extra: Extra::new() })
    }
}

/// State of mapping and localisation.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct SlamStatus {
    /// State of the navigation system.
    #[field(model = "mode", codec = OneOf(RUN_MODES))]
    pub run_mode: Option<String>,
    /// State of the depth sensor.
    #[field(model = "sensor", codec = OneOf(SENSOR_STATUSES))]
    pub sensor_status: Option<String>,
    /// The sum of the bits whose names `statusList` lists; read where that is missing.
    #[field(own)]
    pub status: Option<i64>,
    /// Names of the bits in `status`; firmware of 2021 adds some.
    #[field(model = "flags", codec = OneOf(FLAGS), note = "`state`, `has_pose` and `streaming` are made from these")]
    pub status_list: Option<Vec<String>>,
    pub(crate) extra: Extra,
}

/// What the navigation system is doing.
const RUN_MODES: &[&str] = &[
    UNINITIALIZED,
    "Tracking",
    "Exploring",
    RELOCALIZING,
    "Paused",
    "ExportingScene",
    "NeedMoreMotionToInitMap",
    NOT_AVAILABLE,
];
const UNINITIALIZED: &str = "Uninitialized";
const RELOCALIZING: &str = "Relocalizing";
const NOT_AVAILABLE: &str = "NotAvailable";

/// What the depth sensor is doing.
const SENSOR_STATUSES: &[&str] = &[
    UNINITIALIZED,
    "Connected",
    "Booting",
    "Ready",
    DISCONNECTED,
    "Error",
    "USBError",
    "LowPowerMode",
    "RecoveryMode",
    "ProdDataCorrupt",
    "CalibMissingOrInvalid",
    "FWVersionMismatch",
    "FWUpdate",
    "FWUpdateComplete",
    "FWUpdateFailed",
    "FWCorrupt",
    "EndOfFile",
    "USBDriverNotInstalled",
    STREAMING_SENSOR,
];
const DISCONNECTED: &str = "Disconnected";
const STREAMING_SENSOR: &str = "Streaming";

/// The bits of `status` and their names, in the specification's spelling.
const SLAM_BITS: [(i64, &str); 16] = [
    (0x0001, "Initializing"),
    (0x0002, "Ready"),
    (0x0004, "Exploring"),
    (0x0008, "Tracking"),
    (0x0010, "Recording"),
    (0x0020, "Resetting"),
    (0x0040, "Rebooting"),
    (0x0080, "HasPose"),
    (0x0100, "LostPose"),
    (0x0200, "Exporting_Map"),
    (0x0400, "Error"),
    (0x0800, "Error_Sensor_Not_Connected"),
    (0x1000, "Error_Sensor_No_Permission"),
    (0x2000, "Error_Sensor_Cant_Open"),
    (0x4000, "Error_Error_Power_Down_Robot"),
    (0x8000, "Streaming"),
];

/// `statusList` for a `status`; bits without a name are left out.
fn slam_names_from_bits(status: i64) -> Vec<&'static str> {
    if status == 0 {
        return vec![UNINITIALIZED];
    }
    SLAM_BITS.iter().filter(|(bit, _)| status & bit != 0).map(|&(_, name)| name).collect()
}

/// `status` for a `statusList`, in any case; unknown names count nothing.
fn slam_bits_from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> i64 {
    let bit = |name: &str| SLAM_BITS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
    names.into_iter().filter_map(bit).fold(0, |status, (bit, _)| status | bit)
}

/// The names of the bits, and that of none.
const FLAGS: &[&str] = &{
    let mut flags = [UNINITIALIZED; SLAM_BITS.len() + 1];
    let mut i = 0;
    while i < SLAM_BITS.len() {
        flags[i] = SLAM_BITS[i].1;
        i += 1;
    }
    flags
};

const INITIALIZING: i64 = 0x0001;
const READY: i64 = 0x0002;
const EXPLORING: i64 = 0x0004;
const TRACKING: i64 = 0x0008;
const RESETTING: i64 = 0x0020;
const REBOOTING: i64 = 0x0040;
const HAS_POSE: i64 = 0x0080;
const LOST_POSE: i64 = 0x0100;
const EXPORTING_MAP: i64 = 0x0200;
const ERROR: i64 = 0x0400;
const STREAMING: i64 = 0x8000;

const ANY_ERROR: i64 = ERROR | 0x0800 | 0x1000 | 0x2000 | 0x4000;
const ANY_START: i64 = INITIALIZING | RESETTING | REBOOTING;
const ANY_MAPPING: i64 = EXPLORING | EXPORTING_MAP;

/// The state of the localisation.
pub(super) fn localization_from_slam_status(status: &SlamStatus) -> Localization {
    let SlamStatus { run_mode, sensor_status, status, status_list, extra: _ } = status;
    let flags: Vec<&str> = match (status_list, status) {
        (Some(list), _) => list.iter().map(String::as_str).collect(),
        (None, Some(bits)) => slam_names_from_bits(*bits),
        (None, None) => Vec::new(),
    };
    let bits = status.unwrap_or(0) | slam_bits_from_names(flags.iter().copied());
    let has = |any: i64| bits & any != 0;
    Localization {
        state: state(bits, run_mode.as_deref()),
        has_pose: if has(LOST_POSE) { Some(false) } else { has(HAS_POSE).then_some(true) },
        streaming: has(STREAMING) || sensor_status.as_deref() == Some(STREAMING_SENSOR),
        flags: flags.into_iter().map(Into::into).collect(),
        mode: run_mode.as_deref().map(Into::into),
        sensor: sensor_status.as_deref().map(Into::into),
        ..Localization::IDLE
    }
}

fn state(bits: i64, run_mode: Option<&str>) -> LocalizationState {
    match bits {
        _ if bits & ANY_ERROR != 0 => LocalizationState::Error,
        _ if bits & ANY_START != 0 => LocalizationState::Starting,
        _ if run_mode == Some(RELOCALIZING) => LocalizationState::Relocalizing,
        _ if bits & ANY_MAPPING != 0 => LocalizationState::Mapping,
        _ if bits & TRACKING != 0 => LocalizationState::Tracking,
        _ => LocalizationState::Idle,
    }
}

/// The body of a message about the localisation.
pub(super) fn slam_status_from_localization(localization: &Localization) -> SlamStatus {
    let Localization {
        state,
        has_pose,
        streaming,
        quality_ratio: _,
        match_ratio: _,
        matched: _,
        slipping: _,
        constraints: _,
        good_constraints: _,
        flags,
        mode,
        sensor,
    } = localization;
    let own_bits = slam_bits_from_names(flags.iter().map(|flag| &**flag));
    let own = own_bits != 0 || flags.iter().any(|flag| flag.eq_ignore_ascii_case(UNINITIALIZED));
    let (status, status_list) = if own {
        (own_bits, flags.iter().map(ToString::to_string).collect())
    } else {
        let bits = bits_from_state(*state, *has_pose, *streaming);
        (bits, slam_names_from_bits(bits).into_iter().map(str::to_owned).collect())
    };
    let word = |given: &Option<Arc<str>>, known: &[&str], made: &str| {
        let given = given.as_deref().filter(|word| own || known.contains(word));
        Some(given.unwrap_or(made).to_owned())
    };
    SlamStatus {
        run_mode: word(mode, RUN_MODES, run_mode_from_state(*state)),
        sensor_status: word(sensor, SENSOR_STATUSES, sensor_status_from_state(*state, *streaming)),
        status: Some(status),
        status_list: Some(status_list),
        extra: Extra::new(),
    }
}

/// `slamStatus` of a robot that has no localisation, which says nothing.
pub(super) fn no_slam_status() -> SlamStatus {
    SlamStatus {
        run_mode: Some(NOT_AVAILABLE.to_owned()),
        sensor_status: Some(DISCONNECTED.to_owned()),
        status: Some(0),
        status_list: Some(vec![UNINITIALIZED.to_owned()]),
        extra: Extra::new(),
    }
}

/// Whether a status is more than [`no_slam_status`].
pub(super) fn is_known(status: &SlamStatus) -> bool {
    status.run_mode.as_deref() != Some(NOT_AVAILABLE) || status.status != Some(0)
}

fn bits_from_state(state: LocalizationState, has_pose: Option<bool>, streaming: bool) -> i64 {
    let doing = match state {
        LocalizationState::Idle => READY,
        LocalizationState::Starting => INITIALIZING,
        LocalizationState::Mapping => EXPLORING,
        LocalizationState::Tracking | LocalizationState::Relocalizing => TRACKING,
        LocalizationState::Error => ERROR,
    };
    let pose = match has_pose {
        Some(true) => HAS_POSE,
        Some(false) => LOST_POSE,
        None => 0,
    };
    doing | pose | if streaming { STREAMING } else { 0 }
}

const fn run_mode_from_state(state: LocalizationState) -> &'static str {
    match state {
        LocalizationState::Idle | LocalizationState::Starting => UNINITIALIZED,
        LocalizationState::Mapping => "Exploring",
        LocalizationState::Tracking => "Tracking",
        LocalizationState::Relocalizing => RELOCALIZING,
        LocalizationState::Error => NOT_AVAILABLE,
    }
}

const fn sensor_status_from_state(state: LocalizationState, streaming: bool) -> &'static str {
    match state {
        LocalizationState::Error => "Error",
        LocalizationState::Starting => "Booting",
        _ if streaming => STREAMING_SENSOR,
        _ => "Ready",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specifications_example_is_understood_and_written_again() {
        let status = SlamStatus { status: Some(33_028), ..Default::default() };
        let localization = localization_from_slam_status(&status);
        assert_eq!(localization.state, LocalizationState::Mapping);
        assert_eq!((localization.has_pose, localization.streaming), (Some(false), true));
        assert_eq!(localization.flags, ["Exploring", "LostPose", "Streaming"].map(Into::into));
        let written = slam_status_from_localization(&localization);
        assert_eq!(written.status, Some(33_028));
        assert_eq!(written.run_mode.as_deref(), Some("Exploring"));
    }

    #[test]
    fn every_state_of_a_foreign_robot_is_understood_again() {
        for &state in LocalizationState::ALL {
            for has_pose in [None, Some(false), Some(true)] {
                for streaming in [false, true] {
                    let foreign = Localization {
                        state,
                        has_pose,
                        streaming,
                        flags: vec!["slam_ok".into()],
                        mode: Some("positioning".into()),
                        sensor: Some("lidar".into()),
                        ..Localization::IDLE
                    };
                    let written = slam_status_from_localization(&foreign);
                    assert_eq!(
                        slam_bits_from_names(written.status_list.iter().flatten().map(|it| &**it)),
                        written.status.unwrap()
                    );
                    assert!(RUN_MODES.contains(&&**written.run_mode.as_ref().unwrap()));
                    let back = localization_from_slam_status(&written);
                    assert_eq!((back.state, back.has_pose, back.streaming), (state, has_pose, streaming));
                }
            }
        }
    }

    #[test]
    fn words_of_later_firmware_are_kept() {
        let status = SlamStatus {
            run_mode: Some("Docking".into()),
            status: Some(0x1_0002),
            status_list: Some(vec!["Ready".into(), "Docking_Station_Detector_Enabled".into()]),
            ..Default::default()
        };
        let written = slam_status_from_localization(&localization_from_slam_status(&status));
        assert_eq!(written.status_list, status.status_list);
        assert_eq!(written.run_mode, status.run_mode);
    }

    #[test]
    fn nothing_is_uninitialized_and_back() {
        assert_eq!(slam_names_from_bits(0), ["Uninitialized"]);
        assert_eq!(slam_bits_from_names(["Uninitialized", "NoSuchBit"]), 0);
    }

    #[test]
    fn every_bit_comes_back() {
        for (bit, name) in SLAM_BITS {
            assert_eq!(slam_names_from_bits(bit), [name]);
            assert_eq!(slam_bits_from_names([name]), bit);
        }
        assert_eq!(slam_names_from_bits(0x1_0002), ["Ready"]);
    }
}
