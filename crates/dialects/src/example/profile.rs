//! What every example robot has and can.

use std::sync::{Arc, LazyLock};

use latimer_core::model::RobotProfile;
use latimer_core::model::profile::{Ability, Place, PlacedSensor};

use super::messages::MESSAGES;
use crate::table::kinds;

/// The profile of every such robot.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    let bumpers = [("bump_front_left", Place::FrontLeft), ("bump_front_right", Place::FrontRight)];
    Arc::new(RobotProfile {
        kinds: kinds(MESSAGES),
        placed: bumpers.into_iter().map(|(part, place)| PlacedSensor::contact(part, place)).collect(),
        abilities: vec![Ability::Drive],
        ..RobotProfile::default()
    })
});
