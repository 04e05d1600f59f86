//! What one robot's sensors can reach: the world as seen from its chassis at one step.

use latimer_core::Timestamp;
use latimer_core::model::Realities;

use super::{
    Chassis, Doors, FloorPlan, Ground, Lights, Motion2, Neighbour, People, Physics, Racks, Thing, Touching,
    Walls,
};
use crate::acoustics::Source;
use crate::bodies::Demand;
use crate::config::{Color, Reality, WorldFile};
use crate::geometry::Pose2;
use crate::household::Household;

/// A sound so near comes from the robot itself, metres.
const OWN_SOUND_M: f64 = 0.01;

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// How far away, metres.
    pub distance_m: f64,
    /// Cosine of the angle between the ray and the surface's normal; 1 is head-on.
    pub incidence_cos: f64,
    /// How much light the surface sends back, 0..1.
    pub reflectivity: f64,
    /// The surface's colour.
    pub color: Color,
    /// Whether the thing is real or virtual.
    pub reality: Reality,
    /// What it is.
    pub thing: Thing,
    /// How tall it is, metres.
    pub height_m: f64,
}

/// The world as seen from one chassis.
pub struct Surroundings<'a> {
    /// The file that the world was made from.
    pub file: &'a WorldFile,
    /// The bodies.
    pub physics: &'a Physics,
    /// The floor.
    pub floor: &'a FloorPlan,
    /// The walls, as what stops sight and sound.
    pub walls: &'a Walls,
    /// Who walks about.
    pub people: &'a People,
    /// The doors.
    pub doors: &'a Doors,
    /// The racks.
    pub racks: &'a Racks,
    /// The lamps.
    pub lights: &'a Lights,
    /// The small things.
    pub household: &'a Household,
    /// What may sound, itself included; without the walls between.
    pub sounds: &'a [Source],
    /// The chassis.
    pub chassis: &'a Chassis,
    /// Where it truly is.
    pub pose: Pose2,
    /// How it truly moves.
    pub motion: Motion2,
    /// What touches it.
    pub touching: &'a [Touching],
    /// All robots, this one among them.
    pub crowd: &'a [Neighbour],
    /// The origin of the frame of the robot's published poses, on the map.
    pub frame: Pose2,
    /// What is demanded.
    pub demand: Demand,
    /// Wall time of the step.
    pub now: Timestamp,
    /// Seconds since the world began.
    pub time_s: f64,
}

impl Surroundings<'_> {
    /// Whether a sound is the robot's own.
    pub fn is_own(&self, source: &Source) -> bool {
        let [x_m, y_m] = source.position_m;
        self.pose.distance_to(x_m, y_m) < OWN_SOUND_M
    }

    /// The nearest thing on a ray, given in the chassis's axes.
    pub fn cast(&self, x_m: f64, y_m: f64, angle_rad: f64, max_m: f64) -> Option<Hit> {
        self.cast_in([x_m, y_m], angle_rad, max_m, Realities::Mixed)
    }

    /// The nearest thing of these realities on a ray, given in the chassis's axes.
    pub fn cast_in(&self, from: [f64; 2], angle_rad: f64, max_m: f64, realities: Realities) -> Option<Hit> {
        let from = self.pose.point_out(from[0], from[1]);
        self.physics.cast_in(from, self.pose.yaw_rad + angle_rad, max_m, Some(self.chassis), realities)
    }

    /// A pose on the map, in the frame in which the robot publishes its pose.
    pub fn in_frame(&self, pose: Pose2) -> Pose2 {
        pose.seen_from(self.frame)
    }

    /// How much light reaches a sensor at a point and an angle given in the chassis's axes, 0..1; the angle
    /// is where the sensor faces, if it does not take light from all around.
    pub fn light(&self, [x_m, y_m, z_m]: [f64; 3], facing_rad: Option<f64>) -> f64 {
        let [x, y] = self.pose.point_out(x_m, y_m);
        let facing_rad = facing_rad.map(|angle| self.pose.yaw_rad + angle);
        self.lights.level_at(self.physics, [x, y, z_m], facing_rad, Some(self.chassis))
    }

    /// What is underneath a point given in the chassis's axes.
    pub fn ground(&self, x_m: f64, y_m: f64) -> Ground {
        let [x, y] = self.pose.point_out(x_m, y_m);
        self.floor.at(x, y)
    }

    /// Whether the middle of the chassis has no floor under it.
    pub fn over_drop(&self) -> bool {
        self.floor.at(self.pose.x_m, self.pose.y_m).depth_m > 0.0
    }

    /// How many times as fast as a real one the charger charges that the chassis stands on; `None` if it stands on none.
    pub fn charger_speed(&self) -> Option<f64> {
        self.floor.charger(self.pose).map(|charger| charger.speed)
    }
}
