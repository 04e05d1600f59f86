//! The shapes of a world file's room.

use latimer_navigation::{circle, rectangle};

use super::Shapes;
use crate::config::WorldFile;
use crate::geometry::Pose2;

/// The shapes of a world file; what can be pushed or walks is none of them.
pub fn shapes(file: &WorldFile) -> Shapes {
    let walls = file.walls.iter().flat_map(|wall| walls(&wall.points_m, wall.thickness_m));
    let boxes = file.boxes.iter().filter(|it| !it.movable).map(|it| {
        let pose = Pose2::new(it.center_m[0], it.center_m[1], it.yaw_deg.to_radians());
        rectangle(pose, it.size_m[0], it.size_m[1])
    });
    let cylinders = file.cylinders.iter().map(|it| circle(it.center_m, it.radius_m));
    let pallets = file.pallets.iter().map(|it| rectangle(it.pose(), it.depth_m, it.width_m));
    Shapes {
        size_m: file.size_m,
        solid: walls.chain(boxes).chain(cylinders).chain(pallets).collect(),
        keep_out: file.drops.iter().map(|drop| drop.polygon_m.clone()).collect(),
    }
}

/// A wall's pieces, which reach half a thickness further where two of them meet, as the physics' do.
fn walls(points: &[[f64; 2]], thickness_m: f64) -> impl Iterator<Item = Vec<[f64; 2]>> {
    let last = points.len().saturating_sub(2);
    points.windows(2).enumerate().map(move |(i, pair)| {
        let ([x1, y1], [x2, y2]) = (pair[0], pair[1]);
        let more = |joined: bool| if joined { thickness_m / 2.0 } else { 0.0 };
        let (before, after) = (more(i > 0), more(i < last));
        let length = (x2 - x1).hypot(y2 - y1);
        let along = Pose2::new(x1, y1, (y2 - y1).atan2(x2 - x1));
        let [x, y] = along.point_out((length + after - before) / 2.0, 0.0);
        rectangle(Pose2::new(x, y, along.yaw_rad), length + before + after, thickness_m)
    })
}
