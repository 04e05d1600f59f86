//! `/slam/state`.
//!
//! | wire | model |
//! |---|---|
//! | `state` `inactive`, `slam`, `positioning` | `state` idle, mapping, tracking; a start is inactive too, an error if there is no map |
//! | `reliable` | `has_pose` |
//! | `position_quality` 1 lost, 3 poor, 8 good, 10 excellent | `quality_ratio`, its tenth; 0 is not known |
//! | `lidar_matching_score`, `lidar_matched`, `wheel_slipping` | `match_ratio`, `matched`, `slipping` |
//! | `inter_constraint_count`, `good_constraint_count` | `constraints`, `good_constraints` |
//! | `nav_sat_state`, `lidar_reliable` | words among `flags` |

use std::sync::Arc;

use latimer_core::model::signal::{Localization, LocalizationState};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::units::{finite, tidy};
use crate::axbot::messages::localization::{POSITIONING, STATES, SlamState};
use crate::axbot::wire::Extra;
use crate::describe::{Incomplete, need};

const UNKNOWN: i64 = 0;
const LOST: i64 = 1;
const POOR: i64 = 3;
const GOOD: i64 = 8;
const EXCELLENT: i64 = 10;

/// What satellites tell.
const NAV_SAT: [&str; 3] = ["no_fix", "sat_base", "rtk_fixed"];

/// `lidar_reliable`, true and false.
const LIDAR: [(&str, bool); 2] = [("lidar_reliable", true), ("lidar_unreliable", false)];

/// How well the robot knows where it is; nothing if its state is not known.
pub(super) fn received_from_slam_state(
    message: &SlamState,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let SlamState {
        state,
        nav_sat_state,
        reliable,
        lidar_reliable,
        position_loss_progress: _,
        position_quality,
        lidar_matching_score,
        lidar_matched,
        wheel_slipping,
        inter_constraint_count,
        good_constraint_count,
        extra: _,
    } = message;
    let state = need(state.as_deref().and_then(|word| STATES.meaning(word)), "state")?;
    let lidar = lidar_reliable.and_then(|it| LIDAR.iter().find(|(_, is)| *is == it)).map(|(word, _)| *word);
    let count = |count: &Option<i64>| count.and_then(|count| u32::try_from(count).ok());
    let localization = Localization {
        state,
        has_pose: *reliable,
        streaming: false,
        quality_ratio: position_quality
            .filter(|it| (LOST..=EXCELLENT).contains(it))
            .map(|it| it as f64 / 10.0),
        match_ratio: *lidar_matching_score,
        matched: *lidar_matched,
        slipping: *wheel_slipping,
        constraints: count(inter_constraint_count),
        good_constraints: count(good_constraint_count),
        flags: nav_sat_state.as_deref().into_iter().chain(lidar).map(Arc::from).collect(),
        mode: None,
        sensor: None,
    };
    Ok(Received::new(None, Stamp::gateway(received), localization))
}

/// The nearest of the wire's five grades.
fn quality(has_pose: Option<bool>, ratio: Option<f64>) -> i64 {
    match (has_pose, ratio) {
        (Some(false), _) => LOST,
        (_, None) => UNKNOWN,
        (_, Some(ratio)) if ratio >= 0.9 => EXCELLENT,
        (_, Some(ratio)) if ratio >= 0.55 => GOOD,
        (_, Some(ratio)) if ratio >= 0.2 => POOR,
        (_, Some(_)) => LOST,
    }
}

/// How well the robot knows where it is. One that has a map and cannot find itself on it, because its scanner is
/// broken, is lost: `inactive` would tell that it has no map.
pub(super) fn slam_state(localization: &Localization, has_map: bool) -> SlamState {
    let Localization {
        state,
        has_pose,
        streaming: _,
        quality_ratio,
        match_ratio,
        matched,
        slipping,
        constraints,
        good_constraints,
        flags,
        mode: _,
        sensor: _,
    } = localization;
    let fails = *state == LocalizationState::Error;
    let word = if fails && has_map { Some(POSITIONING) } else { STATES.word(state) };
    let reliable = if fails { Some(false) } else { *has_pose };
    let flag = |known: &str| flags.iter().any(|flag| **flag == *known);
    SlamState {
        state: word.map(str::to_owned),
        nav_sat_state: NAV_SAT.into_iter().find(|word| flag(word)).map(str::to_owned),
        reliable,
        lidar_reliable: LIDAR.iter().find(|(word, _)| flag(word)).map(|(_, is)| *is),
        position_loss_progress: None,
        // It means something on a map alone.
        position_quality: (word == Some(POSITIONING)).then(|| quality(reliable, *quality_ratio)),
        lidar_matching_score: match_ratio.and_then(finite).map(tidy),
        lidar_matched: *matched,
        wheel_slipping: *slipping,
        inter_constraint_count: constraints.map(i64::from),
        good_constraint_count: good_constraints.map(i64::from),
        extra: Extra::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_come_back() {
        for grade in [UNKNOWN, LOST, POOR, GOOD, EXCELLENT] {
            let message = SlamState {
                state: Some("positioning".into()),
                position_quality: Some(grade),
                ..SlamState::default()
            };
            let heard = received_from_slam_state(&message, Timestamp::default()).unwrap();
            let latimer_core::Signal::Localization(localization) = heard.signal else { panic!() };
            assert_eq!(slam_state(&localization, true).position_quality, Some(grade));
        }
        let lost = Localization { has_pose: Some(false), quality_ratio: Some(1.0), ..Localization::IDLE };
        assert_eq!(slam_state(&lost, true).position_quality, None);
        let lost = Localization { state: LocalizationState::Relocalizing, ..lost };
        assert_eq!(slam_state(&lost, true).position_quality, Some(LOST));
    }

    #[test]
    fn who_has_a_map_and_no_scans_is_lost() {
        let blind =
            Localization { state: LocalizationState::Error, has_pose: Some(true), ..Localization::IDLE };
        let told = slam_state(&blind, true);
        assert_eq!((told.state.as_deref(), told.reliable), (Some("positioning"), Some(false)));
        assert_eq!(told.position_quality, Some(LOST));
        let told = slam_state(&blind, false);
        assert_eq!((told.state.as_deref(), told.reliable), (Some("inactive"), Some(false)));
    }

    #[test]
    fn every_state_has_a_word() {
        for state in LocalizationState::ALL {
            assert!(STATES.word(state).is_some(), "{state}");
        }
    }
}
