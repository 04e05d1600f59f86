//! What moves and collides: the room's shapes and the robots' chassis on a rigid-body engine.
//!
//! The engine works in `f32` and keeps to itself; everything that leaves this module is `f64` in metres.
//! A chassis is driven by setting its speed within what its tracks can do in one step, so that walls stop
//! it and boxes slide, with the force that its mass and acceleration make.

mod chassis;
mod crowd;
mod doors;
mod floor;
mod light;
mod obstacles;
mod people;
mod query;
mod racks;
mod ray;
mod room;
mod surface;
mod surroundings;
mod walls;

use rapier2d::prelude::*;

pub use chassis::{Chassis, Footprint, Motion2, Touching};
pub use crowd::Neighbour;
pub use doors::{Door, DoorState, Doors};
pub use floor::{FloorPlan, Ground};
pub use light::{Lamp, Lights};
pub use obstacles::{Obstacle, Obstacles, Placed, Shape};
pub use people::{People, Walker};
pub use racks::{Rack, Racks};
pub use room::{PALLET, wall_slabs};
pub use surface::{Surface, Thing};
pub use surroundings::{Hit, Surroundings};
pub use walls::Walls;

use crate::config::WorldFile;
use crate::geometry::Pose2;

/// Length of one step, seconds.
pub const STEP_S: f64 = 0.01;

/// Steps a second.
pub const STEPS_PER_SECOND: u64 = 100;

/// Height of a robot's shell, metres (plausible).
const SHELL_HEIGHT_M: f64 = 0.35;

/// How much a robot's shell sends back of infrared light, 0..1.
const SHELL_REFLECTIVITY: f64 = 0.7;

/// Friction between furniture and floor.
const FLOOR_FRICTION: f64 = 0.25;

/// The rigid bodies of one world.
pub struct Physics {
    engine: PhysicsWorld,
    movable: Vec<RigidBodyHandle>,
    /// Furniture that has a name, until [`Obstacles`] takes care of it.
    named: Vec<Placed>,
    /// The leaves of the doors, with their lengths and thicknesses.
    leaves: Vec<(RigidBodyHandle, [f64; 2])>,
    /// The robots and the radius of a circle around each.
    chassis: Vec<(RigidBodyHandle, f64)>,
    /// What was put elsewhere since the last step, so that rays do not find it there yet.
    unsettled: Vec<ColliderHandle>,
}

impl Physics {
    /// The bodies of a room, without robots.
    pub fn new(file: &WorldFile) -> Self {
        let mut engine = PhysicsWorld::new();
        engine.gravity = Vector::ZERO;
        engine.integration_parameters.dt = STEP_S as f32;
        // The engine's tolerances are made for metre-sized things; ours are decimetres.
        engine.integration_parameters.length_unit = 0.1;
        engine.integration_parameters.contact_recycling = false;
        let mut physics = Self {
            engine,
            movable: Vec::new(),
            named: Vec::new(),
            leaves: Vec::new(),
            chassis: Vec::new(),
            unsettled: Vec::new(),
        };
        physics.furnish(file);
        physics.engine.step();
        physics
    }

    /// Moves everything by one step.
    pub fn step(&mut self) {
        self.rub();
        self.engine.step();
        self.unsettled.clear();
    }

    /// Lets the floor brake what was pushed.
    fn rub(&mut self) {
        let loss = (FLOOR_FRICTION * 9.81 * STEP_S) as f32;
        for handle in &self.movable {
            let Some(body) = self.engine.bodies.get_mut(*handle).filter(|body| body.is_moving()) else {
                continue;
            };
            let velocity = body.linvel();
            let speed = velocity.length();
            let kept = if speed > loss { velocity * ((speed - loss) / speed) } else { Vector::ZERO };
            let spin = body.angvel();
            body.set_linvel(kept, false);
            body.set_angvel(spin - spin.clamp(-8.0 * loss, 8.0 * loss), false);
        }
    }
}

fn engine_point([x, y]: [f64; 2]) -> Vector {
    Vector::new(x as f32, y as f32)
}

fn engine_pose(pose: Pose2) -> Pose {
    Pose::new(engine_point([pose.x_m, pose.y_m]), pose.yaw_rad as f32)
}
