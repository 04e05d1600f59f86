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
    pub fn reach_m(self) -> f64 {
        let inner = |side: f64| side / 2.0 - self.corner_m;
        inner(self.length_m).hypot(inner(self.width_m)) + self.corner_m
    }

    /// From its middle to its edge in a direction, metres.
    pub fn edge_m(self, bearing_rad: f64) -> f64 {
        let (sin, cos) = bearing_rad.sin_cos();
        let ray = Ray::new(Vector::ZERO, Vector::new(cos as f32, sin as f32));
        let way = self.shape().cast_local_ray(&ray, self.reach_m() as f32 * 2.0, false);
        way.map_or(self.reach_m(), f64::from)
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

    /// Puts in the chassis of a robot that is moved from outside and that nothing here can push.
    pub fn add_puppet(&mut self, footprint: Footprint, at: Pose2, reality: Reality) -> Chassis {
        let shell = Surface::plain(Thing::Robot, Color::PLAIN, SHELL_HEIGHT_M);
        let shell = Surface { reflectivity: SHELL_REFLECTIVITY, reality, ..shell };
        // It is put from place to place and has no speed, so a step of thousands of them takes no time.
        let body = RigidBodyBuilder::fixed().pose(engine_pose(at));
        let (body, collider) =
            self.engine.insert(body, shell.on(ColliderBuilder::new(footprint.shape()).friction(0.2)));
        self.chassis.push((body, footprint.reach_m()));
        self.unsettled.push(collider);
        Chassis { body, collider }
    }

    /// Puts the chassis of such a robot elsewhere.
    pub fn place_puppet(&mut self, chassis: &Chassis, at: Pose2) {
        self.place(chassis, at);
        if self.unsettled.last() != Some(&chassis.collider) {
            self.unsettled.push(chassis.collider);
        }
    }

    /// Lets rays find what was put elsewhere since the last step; a query of positions may not wait
    /// for the next one, which never comes if the world stands still.
    pub fn settle(&mut self) {
        if self.unsettled.is_empty() {
            return;
        }
        let engine = &mut self.engine;
        engine.bodies.propagate_modified_body_positions_to_colliders(&mut engine.colliders);
        for handle in self.unsettled.drain(..) {
            if let Some(collider) = engine.colliders.get(handle) {
                let bounds = collider.compute_aabb();
                engine.broad_phase.set_aabb(&engine.integration_parameters, handle, bounds);
            }
        }
    }

    /// Takes a chassis out of the world.
    pub fn remove_chassis(&mut self, chassis: &Chassis) {
        self.engine.remove_body(chassis.body);
        self.chassis.retain(|(body, _)| *body != chassis.body);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_discs_and_boxes() {
        let disc = Footprint { length_m: 0.06, width_m: 0.06, corner_m: 0.029, mass_kg: 0.1 };
        let tray = Footprint { length_m: 0.6, width_m: 0.4, corner_m: 0.001, mass_kg: 10.0 };
        for step in 0..24 {
            let bearing_rad = f64::from(step) * 0.261_8;
            assert!((disc.edge_m(bearing_rad) - 0.03).abs() < 1e-3);
            let edge_m = tray.edge_m(bearing_rad);
            let (sin, cos) = bearing_rad.sin_cos();
            let exact_m = (0.3 / cos.abs()).min(0.2 / sin.abs());
            assert!((edge_m - exact_m).abs() < 2e-3, "{bearing_rad}: {edge_m} {exact_m}");
        }
        assert!((disc.reach_m() - 0.03).abs() < 1e-3 && (tray.reach_m() - 0.36).abs() < 1e-3);
    }
}
