//! What every robot of the swarm has and can.

use std::sync::{Arc, LazyLock};

use latimer_core::PartName;
use latimer_core::model::profile::{MapUse, RangeSensor};
use latimer_core::model::{Kind, RobotProfile};

/// Distances in three directions, and one lamp; a camera above the arena tells it where it is.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    Arc::new(RobotProfile {
        lamps: vec![Some(PartName::of("neopixel"))],
        ranges: ["left", "front", "right"].map(|part| RangeSensor::new(Kind::Range, Some(part))).to_vec(),
        map: MapUse::Localizes,
        ..RobotProfile::default()
    })
});
