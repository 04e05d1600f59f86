//! What every chassis has and can.

use std::sync::{Arc, LazyLock};

use latimer_core::model::profile::{Ability, Camera, CameraRole, MapUse, Place, PlacedSensor, RangeSensor};
use latimer_core::model::{Kind, RobotProfile};

use crate::table::kinds;

/// What a chassis tells only by itself is not here: its outline, a jack, a roller.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    Arc::new(RobotProfile {
        cameras: vec![
            Camera::new("camera_front", CameraRole::Front),
            Camera::new("camera_back", CameraRole::Back),
        ],
        ranges: vec![RangeSensor::new(Kind::PointCloud, None)],
        placed: vec![
            PlacedSensor::contact("bump_front", Place::Front),
            PlacedSensor::contact("bump_rear", Place::Back),
        ],
        attitude: true,
        map: MapUse::Makes,
        abilities: vec![
            Ability::Drive,
            Ability::Navigate,
            Ability::Follow,
            Ability::RideLifts,
            Ability::EmergencyStop,
            Ability::ChangeMode,
            Ability::Sleep,
            Ability::Maintain,
            Ability::TakePictures,
            Ability::ReportCosts,
        ],
        kinds: kinds(super::wire::MESSAGES),
        ..RobotProfile::default()
    })
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axbot::topic::Topic;

    #[test]
    fn the_part_that_a_topic_of_a_sensor_tells_is_in_the_profile() {
        for topic in Topic::ALL {
            for (kind, part) in topic.origins() {
                let Some(part) = part else { continue };
                let is_listed = match kind {
                    Kind::Range => PROFILE
                        .ranges
                        .iter()
                        .any(|it| it.part.as_ref().is_some_and(|it| it.as_str() == *part)),
                    Kind::Contact => PROFILE.placed.iter().any(|it| it.part.as_str() == *part),
                    _ => true,
                };
                assert!(
                    is_listed,
                    "{topic} tells {kind} of {part:?}, of which other dialects know by the profile alone"
                );
            }
        }
    }
}
