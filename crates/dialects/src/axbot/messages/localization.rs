//! How well the robot knows where it is.

use latimer_core::model::signal::{Localization, LocalizationState};

use super::Context;
use super::codecs::COMPUTED;
use crate::describe::codec::{CodecInfo, Flag, OneOf, codecs};
use crate::describe::{Extra, Message};

/// The state of a robot that has a map.
const POSITIONING: &str = "positioning";

/// The first word of a state is the one that is written, the first state of a word the one that is read.
const STATES: &[(&str, LocalizationState)] = &[
    ("inactive", LocalizationState::Idle),
    ("slam", LocalizationState::Mapping),
    (POSITIONING, LocalizationState::Tracking),
    (POSITIONING, LocalizationState::Relocalizing),
    ("inactive", LocalizationState::Starting),
    ("inactive", LocalizationState::Error),
];

/// What satellites tell.
const NAV_SAT: OneOf = OneOf(&["no_fix", "sat_base", "rtk_fixed"]);

const LIDAR: Flag = Flag("lidar_reliable", Some("lidar_unreliable"));

const UNKNOWN: i64 = 0;
const LOST: i64 = 1;
const POOR: i64 = 3;
const GOOD: i64 = 8;
const EXCELLENT: i64 = 10;

codecs! {
    /// The nearest of the wire's grades.
    Grade: i64, f64 {
        CodecInfo::default(),
        |wire| (LOST..=EXCELLENT).contains(wire).then_some(*wire as f64),
        |model| Some(match *model {
            tenths if tenths >= 9.0 => EXCELLENT,
            tenths if tenths >= 5.5 => GOOD,
            tenths if tenths >= 2.0 => POOR,
            _ => LOST,
        })
    }
}

/// Section "Positioning State"; three keys are the vendor's later additions.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Localization, context = Context, amend = what_is_lost, ignores(streaming, mode, sensor))]
pub struct SlamState {
    /// What it is doing; a search is `positioning` too, a start and an error are `inactive`.
    #[field(state, words = STATES, required)]
    pub state: Option<String>,
    /// `no_fix`, `sat_base`, `rtk_fixed`; later than the specification.
    #[field(among = flags, codec = NAV_SAT)]
    pub nav_sat_state: Option<String>,
    /// False if the position is lost.
    #[field(has_pose)]
    pub reliable: Option<bool>,
    /// Whether new scans fit the map; later than the specification.
    #[field(among = flags, codec = LIDAR)]
    pub lidar_reliable: Option<bool>,
    /// At 1 the position is lost; only while `lidar_reliable` is false, later than the specification.
    #[field(own)]
    pub position_loss_progress: Option<f64>,
    /// 0 unknown, 1 lost, 3 poor, 8 good, 10 excellent.
    #[field(quality_ratio, codec = Grade, unit = Tenths)]
    pub position_quality: Option<i64>,
    /// How much of the scan is on the map, 0..1.
    #[field(match_ratio, codec = COMPUTED)]
    pub lidar_matching_score: Option<f64>,
    /// Whether that is enough.
    #[field(matched)]
    pub lidar_matched: Option<bool>,
    /// Whether the wheels slip.
    #[field(slipping)]
    pub wheel_slipping: Option<bool>,
    /// Ties between the map's parts.
    #[field(constraints)]
    pub inter_constraint_count: Option<i64>,
    /// Those of them that hold.
    #[field(good_constraints)]
    pub good_constraint_count: Option<i64>,
    pub(crate) extra: Extra,
}

/// One that has a map and cannot find itself on it, because its scanner is broken, is lost: `inactive` would tell that it
/// has no map. How good the position is means something on a map alone.
fn what_is_lost(localization: &Localization, context: &Context, message: &mut SlamState) {
    if localization.state == LocalizationState::Error {
        message.reliable = Some(false);
        if context.has_map {
            message.state = Some(POSITIONING.to_owned());
        }
    }
    message.position_quality = match (message.state.as_deref(), message.reliable) {
        (Some(POSITIONING), Some(false)) => Some(LOST),
        (Some(POSITIONING), _) => message.position_quality.or(Some(UNKNOWN)),
        _ => None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Translate;

    fn encoded(localization: &Localization, has_map: bool) -> SlamState {
        SlamState::encode(localization, &Context { has_map, ..Context::default() }).unwrap()
    }

    #[test]
    fn grades_come_back() {
        for grade in [UNKNOWN, LOST, POOR, GOOD, EXCELLENT] {
            let message = SlamState {
                state: Some("positioning".into()),
                position_quality: Some(grade),
                ..SlamState::default()
            };
            assert_eq!(
                encoded(&message.decode(&Context::default()).unwrap(), true).position_quality,
                Some(grade)
            );
        }
        let lost = Localization { has_pose: Some(false), quality_ratio: Some(1.0), ..Localization::IDLE };
        assert_eq!(encoded(&lost, true).position_quality, None);
        let lost = Localization { state: LocalizationState::Relocalizing, ..lost };
        assert_eq!(encoded(&lost, true).position_quality, Some(LOST));
    }

    #[test]
    fn who_has_a_map_and_no_scans_is_lost() {
        let blind =
            Localization { state: LocalizationState::Error, has_pose: Some(true), ..Localization::IDLE };
        let message = encoded(&blind, true);
        assert_eq!((message.state.as_deref(), message.reliable), (Some("positioning"), Some(false)));
        assert_eq!(message.position_quality, Some(LOST));
        let message = encoded(&blind, false);
        assert_eq!((message.state.as_deref(), message.reliable), (Some("inactive"), Some(false)));
    }

    #[test]
    fn every_state_has_a_word() {
        for state in LocalizationState::ALL {
            assert!(STATES.iter().any(|(_, known)| known == state), "{state}");
        }
    }
}
