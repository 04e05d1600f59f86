//! How well the robot knows where it is. The translation, with the five grades of the wire, is in `map`.

use latimer_core::model::signal::LocalizationState;

use crate::describe::codec::Words;
use crate::describe::{Extra, Message};

/// The state of a robot that has a map.
pub(in crate::axbot) const POSITIONING: &str = "positioning";

/// The first word of a state is the one that is written, the first state of a word the one that is read.
pub(in crate::axbot) const STATES: Words<LocalizationState> = Words(&[
    ("inactive", LocalizationState::Idle),
    ("slam", LocalizationState::Mapping),
    (POSITIONING, LocalizationState::Tracking),
    (POSITIONING, LocalizationState::Relocalizing),
    ("inactive", LocalizationState::Starting),
    ("inactive", LocalizationState::Error),
]);

/// Section "Positioning State"; three keys are the vendor's later additions.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct SlamState {
    /// What it is doing; a search is `positioning` too, a start and an error are `inactive`.
    #[field(model = "state", codec = STATES)]
    pub state: Option<String>,
    /// `no_fix`, `sat_base`, `rtk_fixed`; later than the specification.
    #[field(model = "flags")]
    pub nav_sat_state: Option<String>,
    /// False if the position is lost.
    #[field(model = "has_pose")]
    pub reliable: Option<bool>,
    /// Whether new scans fit the map: a word among `flags`; later than the specification.
    #[field(own)]
    pub lidar_reliable: Option<bool>,
    /// At 1 the position is lost; only while `lidar_reliable` is false, later than the specification.
    #[field(own)]
    pub position_loss_progress: Option<f64>,
    /// 0 unknown, 1 lost, 3 poor, 8 good, 10 excellent.
    #[field(model = "quality_ratio", unit = "tenths", factor = 10.0)]
    pub position_quality: Option<i64>,
    /// How much of the scan is on the map, 0..1.
    #[field(model = "match_ratio")]
    pub lidar_matching_score: Option<f64>,
    /// Whether that is enough.
    #[field(model = "matched")]
    pub lidar_matched: Option<bool>,
    /// Whether the wheels slip.
    #[field(model = "slipping")]
    pub wheel_slipping: Option<bool>,
    /// Ties between the map's parts.
    #[field(model = "constraints")]
    pub inter_constraint_count: Option<i64>,
    /// Those of them that hold.
    #[field(model = "good_constraints")]
    pub good_constraint_count: Option<i64>,
    /// Keys that the specification does not name.
    pub extra: Extra,
}
