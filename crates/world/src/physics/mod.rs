//! What moves and collides: the room's shapes and the robots' chassis on a rigid-body engine.
//!
//! The engine works in `f32` and keeps to itself; everything that leaves this module is `f64` in metres.
//! A chassis is driven by setting its speed within what its tracks can do in one step, so that walls stop
//! it and boxes slide, with the force that its mass and acceleration make.

mod chassis;
mod crowd;
mod floor;
mod people;
mod room;
mod surface;
mod surroundings;
mod walls;

use rapier2d::prelude::*;

pub use chassis::{Chassis, Footprint, Motion2, Touching};
pub use crowd::Neighbour;
pub use floor::{FloorPlan, Ground};
pub use people::{People, Walker};
pub use surface::{Surface, Thing};
pub use surroundings::{Hit, Surroundings};
pub use walls::Walls;

use crate::config::WorldFile;
use crate::geometry::Pose2;

/// Length of one step, seconds.
pub const STEP_S: f64 = 0.01;

/// Steps a second.
pub const STEPS_PER_SECOND: u64 = 100;

/// How much a robot's shell sends back of infrared light, 0..1.
const SHELL_REFLECTIVITY: f64 = 0.7;

/// Friction between furniture and floor.
const FLOOR_FRICTION: f64 = 0.25;

/// The rigid bodies of one world.
pub struct Physics {
    engine: PhysicsWorld,
    movable: Vec<RigidBodyHandle>,
    /// The robots and the radius of a circle around each.
    chassis: Vec<(RigidBodyHandle, f64)>,
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
        let mut physics = Self { engine, movable: Vec::new(), chassis: Vec::new() };
        physics.furnish(file);
        physics.engine.step();
        physics
    }

    /// Moves everything by one step.
    pub fn step(&mut self) {
        self.rub();
        self.engine.step();
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

    /// The nearest thing on a ray that is not the asking chassis.
    pub fn cast(&self, from: [f64; 2], angle_rad: f64, max_m: f64, asking: &Chassis) -> Option<Hit> {
        let (sin, cos) = angle_rad.sin_cos();
        let direction = Vector::new(cos as f32, sin as f32);
        let ray = Ray::new(Vector::new(from[0] as f32, from[1] as f32), direction);
        let filter = QueryFilter::default().exclude_rigid_body(asking.body);
        let (collider, hit) = self.engine.cast_ray_and_get_normal(&ray, max_m as f32, true, filter)?;
        let facing = f64::from(hit.normal.dot(direction).abs());
        let surface = Surface::unpack(self.engine.colliders.get(collider)?.user_data);
        Some(Hit {
            distance_m: f64::from(hit.time_of_impact),
            // Within a thing the engine gives no normal.
            incidence_cos: if hit.time_of_impact > 0.0 { facing.min(1.0) } else { 1.0 },
            reflectivity: surface.reflectivity,
            color: surface.color,
            reality: surface.reality,
            thing: surface.thing,
        })
    }

    /// What a footprint would overlap at a pose, `except` not counted.
    pub fn in_the_way(&self, footprint: Footprint, at: Pose2, except: Option<&Chassis>) -> Option<String> {
        let shape = footprint.shape();
        let place = engine_pose(at);
        let hit = self.engine.colliders.iter().find(|(_, collider)| {
            if except.is_some_and(|own| collider.parent() == Some(own.body)) {
                return false;
            }
            let stands = match (collider.parent(), collider.position_wrt_parent()) {
                (Some(parent), Some(offset)) => {
                    self.engine.bodies.get(parent).map_or(*offset, |body| *body.position() * *offset)
                }
                _ => *collider.position(),
            };
            rapier2d::parry::query::intersection_test(&place, &*shape, &stands, collider.shape())
                .is_ok_and(|it| it.intersecting)
        });
        let (_, collider) = hit?;
        let thing = Surface::unpack(collider.user_data).thing.a_name();
        let middle = collider
            .parent()
            .and_then(|parent| self.engine.bodies.get(parent))
            .map_or(collider.position().translation, |body| body.position().translation);
        Some(format!("{thing} stands there, with its middle at x {:.2} m, y {:.2} m", middle.x, middle.y))
    }
}

fn engine_pose(pose: Pose2) -> Pose {
    Pose::new(Vector::new(pose.x_m as f32, pose.y_m as f32), pose.yaw_rad as f32)
}
