//! What is underneath: floor of some colour, or none.

use crate::config::{Charger, Color, WorldFile};
use crate::geometry::{Pose2, inside, wrap_angle};

/// How near a robot must be to a charger's pose to charge, metres.
const DOCK_DISTANCE_M: f64 = 0.08;

/// How far it may be turned from it, radians.
const DOCK_ANGLE_RAD: f64 = 0.35;

/// What is underneath a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// How far the ground lies below the floor, metres; 0 on the floor.
    pub depth_m: f64,
    /// How much light it sends back, 0..1.
    pub reflectivity: f64,
}

struct Patch {
    polygon: Vec<[f64; 2]>,
    low: [f64; 2],
    high: [f64; 2],
    ground: Ground,
}

impl Patch {
    fn new(polygon: &[[f64; 2]], ground: Ground) -> Self {
        let fold = |pick: fn(f64, f64) -> f64, start: f64| {
            polygon.iter().fold([start; 2], |[x, y], point| [pick(x, point[0]), pick(y, point[1])])
        };
        let (low, high) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
        Self { polygon: polygon.to_vec(), low, high, ground }
    }

    fn holds(&self, x: f64, y: f64) -> bool {
        x >= self.low[0]
            && x <= self.high[0]
            && y >= self.low[1]
            && y <= self.high[1]
            && inside(&self.polygon, x, y)
    }
}

/// The floor of a world.
pub struct FloorPlan {
    /// Drops before rugs: there is no rug over a hole.
    patches: Vec<Patch>,
    chargers: Vec<Charger>,
    plain: Ground,
}

impl FloorPlan {
    /// The floor of a world file.
    pub fn new(file: &WorldFile) -> Self {
        let below = |depth_m, color: Color| Ground { depth_m, reflectivity: color.reflectivity() };
        let drops = file.drops.iter().map(|it| Patch::new(&it.polygon_m, below(it.depth_m, Color::PLAIN)));
        let rugs = file.floors.iter().map(|it| {
            let reflectivity = it.reflectivity.unwrap_or_else(|| it.color.reflectivity());
            Patch::new(&it.polygon_m, Ground { depth_m: 0.0, reflectivity })
        });
        Self {
            patches: drops.chain(rugs).collect(),
            chargers: file.chargers.clone(),
            plain: below(0.0, Color::PLAIN),
        }
    }

    /// What is underneath a point.
    pub fn at(&self, x_m: f64, y_m: f64) -> Ground {
        self.patches.iter().find(|patch| patch.holds(x_m, y_m)).map_or(self.plain, |patch| patch.ground)
    }

    /// The charger that a robot at a pose stands on.
    pub fn charger(&self, pose: Pose2) -> Option<&Charger> {
        self.chargers.iter().find(|charger| {
            let dock = charger.pose();
            pose.distance_to(dock.x_m, dock.y_m) < DOCK_DISTANCE_M
                && wrap_angle(pose.yaw_rad - dock.yaw_rad).abs() < DOCK_ANGLE_RAD
        })
    }
}
