//! What the specification reserves in SelfState and WorldState: the sample's own values, which say nothing.

use latimer_core::Timestamp;

use super::time::utc_from_timestamp;
use crate::misty::wire::Extra;
use crate::misty::wire::goal::CurrentGoal;
use crate::misty::wire::mind::{Affect, Hunger, MentalState, Personality, PhysiologicalBehavior, Sleepiness};
use crate::misty::wire::self_state::{Acceleration, GridCell};
use crate::misty::wire::slam::{RunMode, SLAM_UNINITIALIZED, SensorStatus, SlamStatus};

const ZERO: Option<f64> = Some(0.0);

/// `acceleration`.
pub(super) fn acceleration() -> Acceleration {
    Acceleration { units: Some("None".to_owned()), x: ZERO, y: ZERO, z: ZERO, extra: Extra::new() }
}

/// `currentGoal`: nobody moves the head towards anything.
pub(super) fn current_goal() -> CurrentGoal {
    CurrentGoal {
        directed_motion: None,
        directed_motion_behavior: Some("Update".to_owned()),
        halt_action_sequence: Some(false),
        extra: Extra::new(),
    }
}

/// `mentalState`: no mood.
pub(super) fn mental_state(at: Timestamp) -> MentalState {
    MentalState {
        affect: Some(Affect { arousal: ZERO, dominance: ZERO, valence: ZERO, extra: Extra::new() }),
        created: Some(utc_from_timestamp(at)),
        personality: Some(Personality {
            agreeableness: ZERO,
            conscientiousness: ZERO,
            extraversion: ZERO,
            neuroticism: ZERO,
            openness: ZERO,
            extra: Extra::new(),
        }),
        physiological_behavior: Some(PhysiologicalBehavior {
            hunger: Some(Hunger { is_eating: Some(false), level: ZERO, extra: Extra::new() }),
            sleepiness: Some(Sleepiness { is_sleeping: Some(false), level: ZERO, extra: Extra::new() }),
            extra: Extra::new(),
        }),
        extra: Extra::new(),
    }
}

/// `occupancyGridCell` without a map.
pub(super) fn grid_cell() -> GridCell {
    GridCell { x: Some(0), y: Some(0), extra: Extra::new() }
}

/// `slamStatus` of a robot that has no localisation.
pub(super) fn no_slam_status() -> SlamStatus {
    SlamStatus {
        run_mode: Some(RunMode::NotAvailable),
        sensor_status: Some(SensorStatus::Disconnected),
        status: Some(0),
        status_list: Some(vec![SLAM_UNINITIALIZED.to_owned()]),
        extra: Extra::new(),
    }
}
