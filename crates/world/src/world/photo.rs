//! What cameras are shown: a snapshot of the world for the pictures that bodies asked for.

use std::sync::Arc;

use latimer_core::{Timestamp, Update};

use super::World;
use crate::bodies;
use crate::camera::{FrameEncoder, Light, Lighting, Room, Scene, Shot, Solid};
use crate::config::Color;
use crate::physics::{DoorState, Shape};

/// How much a lamp of full level adds to what faces it, beside the light from everywhere.
const LAMP_SHARE: f64 = 0.6;

impl World {
    /// The pictures that bodies asked for since this was last called, to be made wherever there is time.
    pub fn take_shots(&mut self) -> Vec<Shot> {
        std::mem::take(&mut self.shots)
    }

    /// Makes the pictures here and now, as updates: for worlds that are stepped by hand, where the same
    /// steps have to give the same bytes.
    pub fn develop(&mut self, frame_encoder: &mut FrameEncoder, out: &mut Vec<Update>) {
        for shot in self.take_shots() {
            match frame_encoder.develop(&shot) {
                Ok(frame) => out.extend(frame.updates()),
                Err(error) => tracing::warn!(%error, robot = %shot.robot, part = %shot.part, "no picture"),
            }
        }
    }

    /// Turns what bodies asked for into shots.
    pub(super) fn photograph(&mut self, now: Timestamp) {
        if self.wishes.exposures.is_empty() {
            return;
        }
        let room = self.room.get_or_insert_with(|| Arc::new(Room::new(&self.file))).clone();
        let lamp = |lamp: &crate::physics::Lamp| Light {
            at_m: [lamp.file.position_m[0], lamp.file.position_m[1], lamp.file.height_m],
            level: lamp.file.level * LAMP_SHARE,
        };
        let lamps = self.lights.iter().filter(|lamp| lamp.on).map(lamp).collect();
        let lighting = Lighting { ambient: self.file.ambient, lamps };
        let scenery = self.scenery();
        for (number, exposure) in std::mem::take(&mut self.wishes.exposures) {
            // A camera does not see the inside of its own shell.
            let others = self.crowd.iter().enumerate().filter(|(other, _)| *other != number);
            let robots = others.flat_map(|(other, neighbour)| {
                let kind = bodies::find(neighbour.family);
                let (color, tall_m) = kind.map_or((Color::PLAIN, 0.35), |it| (it.color, it.height_m));
                let chassis = Solid::chassis(neighbour.pose, neighbour.footprint, [0.01, tall_m], color);
                let lamps = self.robots[other].body.glows().into_iter().map(|glow| {
                    let [ahead_m, left_m, up_m] = glow.at_m;
                    let [x_m, y_m] = neighbour.pose.point_out(ahead_m, left_m);
                    Solid::lamp([x_m, y_m, up_m], Color(glow.rgb))
                });
                lamps.chain([chassis]).collect::<Vec<_>>()
            });
            let moving = scenery.iter().cloned().chain(robots).collect();
            self.shots.push(Shot {
                robot: self.robots[number].id.clone(),
                part: exposure.part,
                stamp: now,
                scene: Scene { room: room.clone(), lighting: lighting.clone(), moving },
                lens: exposure.lens,
                wants: exposure.wants,
                fps: exposure.fps,
                boxes_px: exposure.boxes_px,
            });
        }
    }

    /// All that moves and is no robot.
    fn scenery(&self) -> Vec<Solid> {
        let mut moving = Vec::new();
        for walker in self.people.iter() {
            moving.extend(Solid::person(&walker.person, walker.at));
        }
        for door in self.doors.iter().filter(|door| door.state != DoorState::Open) {
            let corners_m = door.polygon_now().to_vec();
            moving.push(Solid::prism(corners_m, [0.0, crate::camera::WALL_M], door.file.color));
        }
        for rack in self.racks.iter() {
            moving.extend(Solid::rack(&rack.file, rack.pose));
        }
        for (pose, size_m, surface) in self.physics.pushable() {
            moving.push(Solid::cuboid(pose, size_m, [0.0, surface.height_m], surface.color));
        }
        for it in self.obstacles.fixed() {
            let heights = [0.0, it.height_m];
            moving.push(match it.shape {
                Shape::Box { size_m } => Solid::cuboid(it.pose, size_m, heights, it.color),
                Shape::Cylinder { radius_m } => {
                    Solid::cylinder([it.pose.x_m, it.pose.y_m], radius_m, heights, it.color)
                }
            });
        }
        for (item, [x_m, y_m, z_m]) in self.things() {
            let [wide_m, tall_m] = item.object.size_m;
            let heights = [z_m, z_m + tall_m];
            moving.push(Solid::cylinder([x_m, y_m], wide_m / 2.0, heights, item.object.color));
        }
        moving
    }
}
