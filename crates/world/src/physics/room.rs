//! The room's own shapes.

use rapier2d::prelude::*;

use super::surface::{Surface, Thing};
use super::{Physics, engine_pose};
use crate::config::{Box2, Color, Cylinder, Reality, Wall, WorldFile};
use crate::geometry::Pose2;

/// Thickness of the outer walls, which stand outside the room's size, metres.
const OUTER_WALL_M: f64 = 0.5;

fn surface(thing: Thing, reflectivity: Option<f64>, color: Color, reality: Reality) -> u128 {
    let plain = Surface::plain(thing, color);
    Surface { reflectivity: reflectivity.unwrap_or(plain.reflectivity), reality, ..plain }.pack()
}

fn slab(pose: Pose2, length_m: f64, width_m: f64, surface: u128) -> ColliderBuilder {
    ColliderBuilder::cuboid((length_m / 2.0) as f32, (width_m / 2.0) as f32)
        .position(engine_pose(pose))
        .friction(0.3)
        .user_data(surface)
}

impl Physics {
    pub(super) fn furnish(&mut self, file: &WorldFile) {
        self.enclose(file.size_m);
        for wall in &file.walls {
            self.put_wall(wall);
        }
        for it in &file.boxes {
            self.put_box(it);
        }
        for it in &file.cylinders {
            self.put_cylinder(it);
        }
    }

    fn enclose(&mut self, [x, y]: [f64; 2]) {
        let out = OUTER_WALL_M / 2.0;
        let surface = Surface::plain(Thing::Wall, Color::PLAIN).pack();
        for (pose, length) in [
            (Pose2::new(x / 2.0, -out, 0.0), x),
            (Pose2::new(x / 2.0, y + out, 0.0), x),
            (Pose2::new(-out, y / 2.0, std::f64::consts::FRAC_PI_2), y),
            (Pose2::new(x + out, y / 2.0, std::f64::consts::FRAC_PI_2), y),
        ] {
            let collider = slab(pose, length + 2.0 * OUTER_WALL_M, OUTER_WALL_M, surface);
            self.engine.insert_collider(collider, None);
        }
    }

    fn put_wall(&mut self, wall: &Wall) {
        let surface = surface(Thing::Wall, wall.reflectivity, wall.color, wall.reality);
        let last = wall.points_m.len().saturating_sub(2);
        for (i, pair) in wall.points_m.windows(2).enumerate() {
            let &[[x1, y1], [x2, y2]] = pair else { continue };
            // Inner corners are filled by letting both walls reach half a thickness further.
            let (before, after) = (f64::from(u8::from(i > 0)), f64::from(u8::from(i < last)));
            let half = wall.thickness_m / 2.0;
            let length = (x2 - x1).hypot(y2 - y1);
            let along = Pose2::new(x1, y1, (y2 - y1).atan2(x2 - x1));
            let [x, y] = along.point_out((length + half * (after - before)) / 2.0, 0.0);
            let pose = Pose2::new(x, y, along.yaw_rad);
            let collider = slab(pose, length + half * (before + after), wall.thickness_m, surface);
            self.engine.insert_collider(collider, None);
        }
    }

    fn put_box(&mut self, it: &Box2) {
        let surface = surface(Thing::Box, it.reflectivity, it.color, it.reality);
        let pose = Pose2::new(it.center_m[0], it.center_m[1], it.yaw_deg.to_radians());
        if !it.movable {
            let collider = slab(pose, it.size_m[0], it.size_m[1], surface);
            self.engine.insert_collider(collider, None);
            return;
        }
        let body = RigidBodyBuilder::dynamic().pose(engine_pose(pose));
        let collider = slab(Pose2::default(), it.size_m[0], it.size_m[1], surface).mass(it.mass_kg as f32);
        let (handle, _) = self.engine.insert(body, collider);
        self.movable.push(handle);
    }

    fn put_cylinder(&mut self, it: &Cylinder) {
        let collider = ColliderBuilder::ball(it.radius_m as f32)
            .translation(Vector::new(it.center_m[0] as f32, it.center_m[1] as f32))
            .friction(0.3)
            .user_data(surface(Thing::Cylinder, it.reflectivity, it.color, it.reality));
        self.engine.insert_collider(collider, None);
    }
}
