//! SlamStatus, also `slamStatus` in SelfState and the answer to `GET slam/status`.
//!
//! | wire | model |
//! |---|---|
//! | `statusList`, or the bits of `status` where that is missing | `flags`, in the robot's words |
//! | Error… | `error` |
//! | Initializing, Resetting, Rebooting | `starting` |
//! | `runMode` Relocalizing | `relocalizing` |
//! | Exploring, Exporting_Map | `mapping` |
//! | Tracking | `tracking` |
//! | Ready, Uninitialized | `idle` |
//! | HasPose, LostPose, neither | `has_pose` true, false, not given |
//! | Streaming | `streaming` |
//! | `runMode`, `sensorStatus` | `mode`, `sensor` |
//!
//! A robot whose flags are Misty's gets them written as they are. For any other the bits are made from its state.

use latimer_core::model::signal::{Localization, LocalizationState};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use crate::misty::wire::Extra;
use crate::misty::wire::slam::{
    RunMode, SLAM_UNINITIALIZED, SensorStatus, SlamStatus, SlamStatusMessage, slam_bits_from_names,
    slam_names_from_bits,
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

/// The state of the localisation; the message carries no time.
pub(super) fn heard_from_slam_status(message: &SlamStatusMessage, received: Timestamp) -> Option<Received> {
    let SlamStatusMessage { slam_status, extra: _ } = message;
    let localization = localization_from_slam_status(slam_status.as_ref()?);
    Some(Received::new(None, Stamp::gateway(received), localization))
}

/// The state of the localisation.
pub fn localization_from_slam_status(status: &SlamStatus) -> Localization {
    let SlamStatus { run_mode, sensor_status, status, status_list, extra: _ } = status;
    let flags: Vec<&str> = match (status_list, status) {
        (Some(list), _) => list.iter().map(String::as_str).collect(),
        (None, Some(bits)) => slam_names_from_bits(*bits),
        (None, None) => Vec::new(),
    };
    let bits = status.unwrap_or(0) | slam_bits_from_names(flags.iter().copied());
    let has = |any: i64| bits & any != 0;
    Localization {
        state: state(bits, run_mode.as_ref()),
        has_pose: if has(LOST_POSE) { Some(false) } else { has(HAS_POSE).then_some(true) },
        streaming: has(STREAMING) || *sensor_status == Some(SensorStatus::Streaming),
        flags: flags.into_iter().map(Into::into).collect(),
        mode: run_mode.as_ref().map(|mode| mode.as_str().into()),
        sensor: sensor_status.as_ref().map(|sensor| sensor.as_str().into()),
        ..Localization::IDLE
    }
}

fn state(bits: i64, run_mode: Option<&RunMode>) -> LocalizationState {
    match bits {
        _ if bits & ANY_ERROR != 0 => LocalizationState::Error,
        _ if bits & ANY_START != 0 => LocalizationState::Starting,
        _ if run_mode == Some(&RunMode::Relocalizing) => LocalizationState::Relocalizing,
        _ if bits & ANY_MAPPING != 0 => LocalizationState::Mapping,
        _ if bits & TRACKING != 0 => LocalizationState::Tracking,
        _ => LocalizationState::Idle,
    }
}

/// The body of a message about the localisation.
pub fn slam_status_from_localization(localization: &Localization) -> SlamStatus {
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
    let own = own_bits != 0 || flags.iter().any(|flag| flag.eq_ignore_ascii_case(SLAM_UNINITIALIZED));
    let (status, status_list) = if own {
        (own_bits, flags.iter().map(ToString::to_string).collect())
    } else {
        let bits = bits_from_state(*state, *has_pose, *streaming);
        (bits, slam_names_from_bits(bits).into_iter().map(str::to_owned).collect())
    };
    let run_mode =
        mode.as_deref().map(RunMode::from).filter(|mode| own || !matches!(mode, RunMode::Other(_)));
    let sensor_status = sensor
        .as_deref()
        .map(SensorStatus::from)
        .filter(|sensor| own || !matches!(sensor, SensorStatus::Other(_)));
    SlamStatus {
        run_mode: Some(run_mode.unwrap_or_else(|| run_mode_from_state(*state))),
        sensor_status: Some(sensor_status.unwrap_or_else(|| sensor_status_from_state(*state, *streaming))),
        status: Some(status),
        status_list: Some(status_list),
        extra: Extra::new(),
    }
}

/// A message about the localisation.
pub(super) fn slam_status_message_from_localization(localization: &Localization) -> SlamStatusMessage {
    SlamStatusMessage { slam_status: Some(slam_status_from_localization(localization)), extra: Extra::new() }
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

const fn run_mode_from_state(state: LocalizationState) -> RunMode {
    match state {
        LocalizationState::Idle | LocalizationState::Starting => RunMode::Uninitialized,
        LocalizationState::Mapping => RunMode::Exploring,
        LocalizationState::Tracking => RunMode::Tracking,
        LocalizationState::Relocalizing => RunMode::Relocalizing,
        LocalizationState::Error => RunMode::NotAvailable,
    }
}

const fn sensor_status_from_state(state: LocalizationState, streaming: bool) -> SensorStatus {
    match state {
        LocalizationState::Error => SensorStatus::Error,
        LocalizationState::Starting => SensorStatus::Booting,
        _ if streaming => SensorStatus::Streaming,
        _ => SensorStatus::Ready,
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
        assert_eq!(written.run_mode, Some(RunMode::Exploring));
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
                    assert!(!matches!(written.run_mode, Some(RunMode::Other(_))));
                    let back = localization_from_slam_status(&written);
                    assert_eq!((back.state, back.has_pose, back.streaming), (state, has_pose, streaming));
                }
            }
        }
    }

    #[test]
    fn words_of_later_firmware_are_kept() {
        let status = SlamStatus {
            run_mode: Some(RunMode::from("Docking")),
            status: Some(0x1_0002),
            status_list: Some(vec!["Ready".into(), "Docking_Station_Detector_Enabled".into()]),
            ..Default::default()
        };
        let written = slam_status_from_localization(&localization_from_slam_status(&status));
        assert_eq!(written.status_list, status.status_list);
        assert_eq!(written.run_mode, status.run_mode);
    }
}
