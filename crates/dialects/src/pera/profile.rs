//! What every robot of the swarm has and can.

use std::f64::consts::FRAC_PI_2;
use std::sync::{Arc, LazyLock};

use latimer_core::PartName;
use latimer_core::model::profile::{MapUse, RangeSensor};
use latimer_core::model::{Kind, RobotProfile};

use crate::table::kinds;

/// Distances in three directions, and one lamp; a camera above the arena tells it where it is.
pub(super) static PROFILE: LazyLock<Arc<RobotProfile>> = LazyLock::new(|| {
    Arc::new(RobotProfile {
        lamps: vec![Some(PartName::of("neopixel"))],
        ranges: [("left", FRAC_PI_2), ("front", 0.0), ("right", -FRAC_PI_2)]
            .map(|(part, bearing_rad)| RangeSensor::new(Kind::Range, Some(part)).toward(bearing_rad, 0.0))
            .to_vec(),
        attitude: true,
        map: MapUse::Localizes,
        kinds: kinds(&super::channels::MESSAGES),
        ..RobotProfile::default()
    })
});
