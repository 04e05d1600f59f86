//! A robot's chassis: where it is, how it moves, what touches it.

use rapier2d::prelude::*;

use super::surface::{Surface, Thing};
use super::{Physics, SHELL_HEIGHT_M, SHELL_REFLECTIVITY, engine_pose};
use crate::config::{Color, Reality};
use crate::geometry::{Pose2, wrap_angle};

/// Outline of a chassis: a rectangle with round corners about its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// From bow to stern, metres.
    pub length_m: f64,
    /// From side to side, metres.
    pub width_m: f64,
    /// Radius of the corners, metres.
    pub corner_m: f64,
    /// Mass, kilograms.
    pub mass_kg: f64,
}

impl Footprint {
    pub(super) fn shape(self) -> SharedShape {
        let half = |side: f64| (side / 2.0 - self.corner_m) as f32;
        SharedShape::round_cuboid(half(self.length_m), half(self.width_m), self.corner_m as f32)
    }

    /// Radius of a circle around all of it, metres.
    fn reach_m(self) -> f64 {
        (self.length_m / 2.0).hypot(self.width_m / 2.0)
    }
}

/// A chassis in the physics.
#[derive(Clone, Copy, Debug)]
pub struct Chassis {
    pub(super) body: RigidBodyHandle,
    collider: ColliderHandle,
}

/// How a chassis moves, in its own axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion2 {
    /// Forward, m/s.
    pub forward_mps: f64,
    /// To the left, m/s.
    pub left_mps: f64,
    /// Counter-clockwise, rad/s.
    pub turn_radps: f64,
}

/// A point of the chassis that something touches or nearly touches, in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// Forward of the middle, metres.
    pub x_m: f64,
    /// Left of the middle, metres.
    pub y_m: f64,
    /// Air between them, metres; negative when pressed together.
    pub gap_m: f64,
}

impl Physics {
    /// Puts the chassis of a real robot into the world.
    pub fn add_chassis(&mut self, footprint: Footprint, at: Pose2) -> Chassis {
        self.add_chassis_of(footprint, at, Reality::Real)
    }

    /// Puts a chassis into the world that is real or virtual to those who ask for one of these.
    pub fn add_chassis_of(&mut self, footprint: Footprint, at: Pose2, reality: Reality) -> Chassis {
        let shell = Surface::plain(Thing::Robot, Color::PLAIN, SHELL_HEIGHT_M);
        let shell = Surface { reflectivity: SHELL_REFLECTIVITY, reality, ..shell };
        let body = RigidBodyBuilder::dynamic().pose(engine_pose(at));
        let collider = ColliderBuilder::new(footprint.shape()).mass(footprint.mass_kg as f32).friction(0.2);
        let (body, collider) = self.engine.insert(body, shell.on(collider));
        self.chassis.push((body, footprint.reach_m()));
        Chassis { body, collider }
    }

    /// Gives a chassis another outline where it stands, as that of a robot with a load; it moves on as it
    /// did. What overlaps it then is pushed apart, so ask [`Self::in_the_way`] before.
    pub fn set_footprint(&mut self, chassis: &Chassis, footprint: Footprint) {
        let Some(collider) = self.engine.colliders.get_mut(chassis.collider) else { return };
        collider.set_shape(footprint.shape());
        collider.set_mass(footprint.mass_kg as f32);
        if let Some((_, reach_m)) = self.chassis.iter_mut().find(|(body, _)| *body == chassis.body) {
            *reach_m = footprint.reach_m();
        }
        self.engine.wake_up(chassis.body, true);
    }

    /// Where a chassis is.
    pub fn pose(&self, chassis: &Chassis) -> Pose2 {
        self.engine.bodies.get(chassis.body).map_or_else(Pose2::default, |body| {
            let place = body.position();
            let at = place.translation;
            Pose2::new(f64::from(at.x), f64::from(at.y), wrap_angle(f64::from(place.rotation.angle())))
        })
    }

    /// How a chassis moves.
    pub fn motion(&self, chassis: &Chassis) -> Motion2 {
        self.engine.bodies.get(chassis.body).map_or_else(Motion2::default, |body| {
            let own = body.rotation().inverse_transform_vector(body.linvel());
            Motion2 {
                forward_mps: f64::from(own.x),
                left_mps: f64::from(own.y),
                turn_radps: f64::from(body.angvel()),
            }
        })
    }

    /// Sets how a chassis moves; its tracks let it slip neither sideways nor over the floor.
    pub fn drive(&mut self, chassis: &Chassis, forward_mps: f64, turn_radps: f64) {
        let Some(body) = self.engine.bodies.get_mut(chassis.body) else { return };
        if forward_mps == 0.0 && turn_radps == 0.0 && !body.is_moving() {
            return;
        }
        let velocity = body.rotation().transform_vector(Vector::new(forward_mps as f32, 0.0));
        body.set_linvel(velocity, true);
        body.set_angvel(turn_radps as f32, true);
    }

    /// Puts a chassis elsewhere, at rest.
    pub fn place(&mut self, chassis: &Chassis, at: Pose2) {
        let Some(body) = self.engine.bodies.get_mut(chassis.body) else { return };
        body.set_position(engine_pose(at), true);
        body.set_linvel(Vector::ZERO, true);
        body.set_angvel(0.0, true);
    }

    /// What touches a chassis, as of the last step.
    pub fn touching(&self, chassis: &Chassis, found: &mut Vec<Touching>) {
        found.clear();
        for pair in self.engine.contact_pairs_with(chassis.collider) {
            let first = pair.collider1 == chassis.collider;
            for point in pair.manifolds().iter().flat_map(|manifold| &manifold.points) {
                let own = if first { point.local_p1 } else { point.local_p2 };
                found.push(Touching {
                    x_m: f64::from(own.x),
                    y_m: f64::from(own.y),
                    gap_m: f64::from(point.dist),
                });
            }
        }
    }
}
