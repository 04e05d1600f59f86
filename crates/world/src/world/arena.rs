//! Obstacles, in the form of swarm simulators: centimetres from an arena's origin.

use latimer_core::model::Realities;
use latimer_simulator_api::{Arena, ArenaObstacle, ArenaShape};

use super::World;
use super::shapes::realities;
use crate::config::{ArenaFile, Color, Frame};
use crate::geometry::Pose2;
use crate::physics::{Obstacle, Shape, wall_slabs};

/// How far outside of an arena's bounds things still count, centimetres.
const MARGIN_CM: f64 = 50.0;

impl World {
    /// The arena about a frame, or the whole room if there is no such frame.
    pub fn arena(&self, frame: &str) -> Arena {
        let file = self.file.arena.as_ref();
        match file.filter(|file| file.arena.frame.as_deref() == Some(frame)) {
            Some(file) => self.arena_of_file(file),
            None => self.arena_about(self.file.frame(frame)),
        }
    }

    /// The file's obstacles, with those that were added, moved or removed since.
    fn arena_of_file(&self, file: &ArenaFile) -> Arena {
        let origin = self.frame_pose(file.arena.frame.as_deref());
        let unchanged = |name: &str| {
            let boxes = self.file.boxes.iter().map(|it| (&it.name, it.pose()));
            let cylinders = self.file.cylinders.iter();
            let cylinders = cylinders.map(|it| (&it.name, Pose2::new(it.center_m[0], it.center_m[1], 0.0)));
            let (_, was) = boxes.chain(cylinders).find(|(known, _)| known.as_deref() == Some(name))?;
            let placed = self.obstacles.iter().find(|placed| placed.name == name)?;
            Some(placed.obstacle.pose == was)
        };
        let listed = file.arena.obstacles.iter().zip(&file.names);
        let listed = listed.filter(|(_, name)| name.as_deref().is_none_or(|it| unchanged(it) == Some(true)));
        let mut obstacles: Vec<ArenaObstacle> = listed.map(|(obstacle, _)| obstacle.clone()).collect();
        let named = self.obstacles.iter().filter(|placed| {
            let of_file = file.names.iter().flatten().any(|name| *name == placed.name);
            !of_file || unchanged(&placed.name) != Some(true)
        });
        obstacles.extend(named.map(|placed| {
            let pose = placed.pose(&self.physics);
            arena_obstacle(Some(&placed.name), &Obstacle { pose, ..placed.obstacle }, origin)
        }));
        Arena { obstacles, revision: self.revision(), ..file.arena.clone() }
    }

    fn arena_about(&self, frame: Option<&Frame>) -> Arena {
        let origin = frame.map(Frame::pose).unwrap_or_default();
        let room_m = self.file.size_m;
        let bounds_cm = match frame.map(|frame| frame.size_m) {
            Some(Some([x, y])) => [-x * 50.0, -y * 50.0, x * 50.0, y * 50.0],
            _ => {
                let corners = [[0.0, 0.0], [room_m[0], 0.0], room_m, [0.0, room_m[1]]].map(|[x, y]| {
                    let at = Pose2::new(x, y, 0.0).seen_from(origin);
                    [at.x_m * 100.0, at.y_m * 100.0]
                });
                let fold = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
                    corners.iter().fold(start, |best, corner| pick(best, corner[axis]))
                };
                let (least, most) = (f64::INFINITY, f64::NEG_INFINITY);
                [
                    fold(0, f64::min, least),
                    fold(1, f64::min, least),
                    fold(0, f64::max, most),
                    fold(1, f64::max, most),
                ]
            }
        };
        let mut obstacles = self.outer_walls(origin);
        for wall in &self.file.walls {
            for (middle, [length_m, _]) in wall_slabs(wall) {
                let [x_m, y_m] = middle.point_out(-length_m / 2.0, 0.0);
                let start = Pose2::new(x_m, y_m, middle.yaw_rad);
                let wall = (wall.height_m, wall.color, realities(wall.reality));
                obstacles.push(wall_from(start, length_m, wall, origin));
            }
        }
        let mut pushed = self.obstacles.nameless(&self.physics);
        let boxes = self.file.boxes.iter().filter(|it| it.name.is_none());
        for it in boxes {
            let pose = if it.movable { pushed.next().unwrap_or(it.pose()) } else { it.pose() };
            let (shape, height_m) = (Shape::Box { size_m: it.size_m }, it.height_m);
            let it = Obstacle { shape, pose, color: it.color, reality: it.reality, height_m };
            obstacles.push(arena_obstacle(None, &it, origin));
        }
        for it in self.file.cylinders.iter().filter(|it| it.name.is_none()) {
            let (shape, height_m) = (Shape::Cylinder { radius_m: it.radius_m }, it.height_m);
            let pose = Pose2::new(it.center_m[0], it.center_m[1], 0.0);
            let it = Obstacle { shape, pose, color: it.color, reality: it.reality, height_m };
            obstacles.push(arena_obstacle(None, &it, origin));
        }
        for placed in self.obstacles.iter() {
            let pose = placed.pose(&self.physics);
            obstacles.push(arena_obstacle(Some(&placed.name), &Obstacle { pose, ..placed.obstacle }, origin));
        }
        obstacles.retain(|it| is_near(it, bounds_cm));
        Arena {
            frame: frame.map(|frame| frame.name.clone()),
            bounds_cm,
            units: "virtual".to_owned(),
            obstacles,
            revision: self.revision(),
        }
    }

    /// The walls around the room, by their inner faces.
    fn outer_walls(&self, origin: Pose2) -> Vec<ArenaObstacle> {
        if self.file.open {
            return Vec::new();
        }
        let [x, y] = self.file.size_m;
        let quarter = std::f64::consts::FRAC_PI_2;
        let sides = [
            (Pose2::new(0.0, 0.0, 0.0), x),
            (Pose2::new(x, 0.0, quarter), y),
            (Pose2::new(x, y, 2.0 * quarter), x),
            (Pose2::new(0.0, y, -quarter), y),
        ];
        let wall = (2.5, Color::PLAIN, Realities::Real);
        sides.map(|(start, length_m)| wall_from(start, length_m, wall, origin)).to_vec()
    }

    fn frame_pose(&self, frame: Option<&str>) -> Pose2 {
        frame.and_then(|name| self.file.frame(name)).map(Frame::pose).unwrap_or_default()
    }
}

fn hex(color: Color) -> String {
    let [red, green, blue] = color.0;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// What is left of a number once the noise of its arithmetic is gone: a hundredth of a millimetre counts.
fn tidy(number: f64) -> f64 {
    (number * 1e3).round() / 1e3 + 0.0
}

fn wall_from(
    start: Pose2,
    length_m: f64,
    (height_m, color, reality): (f64, Color, Realities),
    origin: Pose2,
) -> ArenaObstacle {
    let at = start.seen_from(origin);
    ArenaObstacle {
        name: None,
        shape: ArenaShape::Wall { width_cm: tidy(length_m * 100.0), height_cm: tidy(height_m * 100.0) },
        at_cm: [tidy(at.x_m * 100.0), tidy(at.y_m * 100.0)],
        orientation_deg: tidy(at.yaw_rad.to_degrees()),
        color: hex(color),
        reality,
    }
}

fn arena_obstacle(name: Option<&str>, it: &Obstacle, origin: Pose2) -> ArenaObstacle {
    let at = it.pose.seen_from(origin);
    let height_cm = tidy(it.height_m * 100.0);
    let cm = |m: f64| tidy(m * 100.0);
    ArenaObstacle {
        name: name.map(str::to_owned),
        shape: match it.shape {
            Shape::Box { size_m: [x, y] } => ArenaShape::Box { width_cm: cm(x), height_cm, depth_cm: cm(y) },
            Shape::Cylinder { radius_m } => ArenaShape::Cylinder { radius_cm: cm(radius_m), height_cm },
        },
        at_cm: [cm(at.x_m), cm(at.y_m)],
        orientation_deg: tidy(at.yaw_rad.to_degrees()),
        color: hex(it.color),
        reality: realities(it.reality),
    }
}

/// Whether some of an obstacle is within an arena or hardly outside.
fn is_near(it: &ArenaObstacle, [x_min, y_min, x_max, y_max]: [f64; 4]) -> bool {
    let [x, y] = it.at_cm;
    let (sin, cos) = it.orientation_deg.to_radians().sin_cos();
    let (ends, reach) = match it.shape {
        ArenaShape::Wall { width_cm, .. } => ([[x, y], [x + width_cm * cos, y + width_cm * sin]], 0.0),
        ArenaShape::Box { width_cm, depth_cm, .. } => ([[x, y]; 2], width_cm.hypot(depth_cm) / 2.0),
        ArenaShape::Cylinder { radius_cm, .. } => ([[x, y]; 2], radius_cm),
    };
    let margin = MARGIN_CM + reach;
    let [[x1, y1], [x2, y2]] = ends;
    x1.max(x2) >= x_min - margin
        && x1.min(x2) <= x_max + margin
        && y1.max(y2) >= y_min - margin
        && y1.min(y2) <= y_max + margin
}
