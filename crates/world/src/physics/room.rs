//! The room's own shapes.

use rapier2d::prelude::*;

use super::surface::{Surface, Thing};
use super::{Obstacle, Physics, Placed, Shape, engine_point, engine_pose};
use crate::config::{Box2, Color, Cylinder, Pallet, Wall, WorldFile};
use crate::geometry::Pose2;

/// Thickness of the outer walls, which stand outside the room's size, metres.
const OUTER_WALL_M: f64 = 0.5;

/// Raw wood.
pub const PALLET: Color = Color([0xc9, 0xa2, 0x6b]);

/// Height of the outer walls, metres.
const OUTER_WALL_HEIGHT_M: f64 = 2.5;

pub(super) fn slab(pose: Pose2, [length_m, width_m]: [f64; 2], surface: Surface) -> ColliderBuilder {
    let shape = ColliderBuilder::cuboid((length_m / 2.0) as f32, (width_m / 2.0) as f32);
    surface.on(shape.position(engine_pose(pose)).friction(0.3))
}

pub(super) fn pole(center_m: [f64; 2], radius_m: f64, surface: Surface) -> ColliderBuilder {
    let shape = ColliderBuilder::ball(radius_m as f32).translation(engine_point(center_m));
    surface.on(shape.friction(0.3))
}

/// The straight pieces of a wall: where the middle of each is, its length and its thickness.
pub fn wall_slabs(wall: &Wall) -> impl Iterator<Item = (Pose2, [f64; 2])> {
    let last = wall.points_m.len().saturating_sub(2);
    let pairs = wall.points_m.windows(2).enumerate();
    pairs.filter_map(move |(i, pair)| {
        let &[[x1, y1], [x2, y2]] = pair else { return None };
        // Inner corners are filled by letting both walls reach half a thickness further.
        let (before, after) = (f64::from(u8::from(i > 0)), f64::from(u8::from(i < last)));
        let half = wall.thickness_m / 2.0;
        let length = (x2 - x1).hypot(y2 - y1);
        let along = Pose2::new(x1, y1, (y2 - y1).atan2(x2 - x1));
        let [x, y] = along.point_out((length + half * (after - before)) / 2.0, 0.0);
        Some((Pose2::new(x, y, along.yaw_rad), [length + half * (before + after), wall.thickness_m]))
    })
}

impl Physics {
    pub(super) fn furnish(&mut self, file: &WorldFile) {
        if !file.open {
            self.enclose(file.size_m);
        }
        for wall in &file.walls {
            self.put_wall(wall);
        }
        for it in &file.boxes {
            self.put_box(it);
        }
        for it in &file.cylinders {
            self.put_cylinder(it);
        }
        for it in &file.pallets {
            self.put_pallet(it);
        }
    }

    fn enclose(&mut self, [x, y]: [f64; 2]) {
        let out = OUTER_WALL_M / 2.0;
        let surface = Surface::plain(Thing::Wall, Color::PLAIN, OUTER_WALL_HEIGHT_M);
        for (pose, length) in [
            (Pose2::new(x / 2.0, -out, 0.0), x),
            (Pose2::new(x / 2.0, y + out, 0.0), x),
            (Pose2::new(-out, y / 2.0, std::f64::consts::FRAC_PI_2), y),
            (Pose2::new(x + out, y / 2.0, std::f64::consts::FRAC_PI_2), y),
        ] {
            let collider = slab(pose, [length + 2.0 * OUTER_WALL_M, OUTER_WALL_M], surface);
            self.engine.insert_collider(collider, None);
        }
    }

    fn put_wall(&mut self, wall: &Wall) {
        let plain = Surface::plain(Thing::Wall, wall.color, wall.height_m);
        let reflectivity = wall.reflectivity.unwrap_or(plain.reflectivity);
        let surface = Surface { reflectivity, reality: wall.reality, ..plain };
        for (pose, size_m) in wall_slabs(wall) {
            self.engine.insert_collider(slab(pose, size_m, surface), None);
        }
    }

    fn put_box(&mut self, it: &Box2) {
        let plain = Surface::plain(Thing::Box, it.color, it.height_m);
        let reflectivity = it.reflectivity.unwrap_or(plain.reflectivity);
        let surface = Surface { reflectivity, reality: it.reality, ..plain };
        let (collider, body) = if it.movable {
            let body = RigidBodyBuilder::dynamic().pose(engine_pose(it.pose()));
            let collider = slab(Pose2::default(), it.size_m, surface).mass(it.mass_kg as f32);
            let (body, collider) = self.engine.insert(body, collider);
            self.movable.push(body);
            (collider, Some(body))
        } else {
            (self.engine.insert_collider(slab(it.pose(), it.size_m, surface), None), None)
        };
        if let Some(name) = &it.name {
            let shape = Shape::Box { size_m: it.size_m };
            let obstacle = Obstacle {
                shape,
                pose: it.pose(),
                color: it.color,
                reality: it.reality,
                height_m: it.height_m,
            };
            self.named.push(Placed { name: name.clone(), obstacle, collider, body });
        }
    }

    fn put_cylinder(&mut self, it: &Cylinder) {
        let plain = Surface::plain(Thing::Cylinder, it.color, it.height_m);
        let reflectivity = it.reflectivity.unwrap_or(plain.reflectivity);
        let surface = Surface { reflectivity, reality: it.reality, ..plain };
        let collider = self.engine.insert_collider(pole(it.center_m, it.radius_m, surface), None);
        if let Some(name) = &it.name {
            let shape = Shape::Cylinder { radius_m: it.radius_m };
            let pose = Pose2::new(it.center_m[0], it.center_m[1], 0.0);
            let obstacle =
                Obstacle { shape, pose, color: it.color, reality: it.reality, height_m: it.height_m };
            self.named.push(Placed { name: name.clone(), obstacle, collider, body: None });
        }
    }

    fn put_pallet(&mut self, it: &Pallet) {
        let surface = Surface::plain(Thing::Pallet, PALLET, it.height_m);
        self.engine.insert_collider(slab(it.pose(), [it.depth_m, it.width_m], surface), None);
    }
}
