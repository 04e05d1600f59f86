//! What every household robot has and can.

use std::sync::{Arc, LazyLock};

use latimer_core::model::RobotProfile;
use latimer_core::model::profile::{Ability, Camera, CameraRole, MapUse};

use crate::table::kinds;

/// Its tasks send it to places, and let it fetch things and find people.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    Arc::new(RobotProfile {
        cameras: vec![Camera::new("camera", CameraRole::Front)],
        map: MapUse::Localizes,
        abilities: vec![Ability::Navigate, Ability::Carry, Ability::DoTasks],
        kinds: kinds(&super::channels::MESSAGES),
        ..RobotProfile::default()
    })
});
