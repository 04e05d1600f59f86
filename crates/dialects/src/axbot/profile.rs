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
