//! `get_nav_thumbnail`: a picture of the robot on its map, with obstacles, walls that only the map has, and its outline.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use latimer_core::model::signal::{FeatureKind, Footprint, MapFeature, OccupancyGrid, Pose};
use latimer_core::model::{Kind, Signal};
use serde_json::json;

use super::reply::Reply;
use super::{abilities, atlas, chassis, wait_for};
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::picture::{map_grey, png_from_rgb};
use crate::axbot::rest::problem::Problem;

/// Side of the picture, pixels, and of a pixel, metres: the manual's.
const SIDE: u32 = 200;
const PIXEL_M: f64 = 0.05;

const OBSTACLE: [u8; 3] = [150, 0, 0];
const NEAR_OBSTACLE: [u8; 3] = [255, 190, 190];
const WALL: [u8; 3] = [230, 120, 0];
const ROBOT: [u8; 3] = [0, 90, 220];

/// Cost of a cell that an obstacle is in.
const OCCUPIED: i8 = 100;
/// Longest line of a wall that is drawn, pixels: across the picture and as much again.
const LONGEST_LINE: f64 = 2_000.0;

/// The picture with what it shows.
pub(super) async fn of_surroundings(robot: &FacadeRobot) -> Result<Reply, Problem> {
    let Some(pose) = chassis::pose_on_map(robot) else {
        return Err(Problem::Bad(format!("{} does not tell where it is on a map", robot.robot)));
    };
    atlas::catch_up(robot);
    let current = robot.rest_state.maps().current().map(|map| map.id);
    let Some(current) = current else {
        return Err(Problem::Bad(format!("{} drives by no map now", robot.robot)));
    };
    let map = atlas::find_with_cells(robot, current).await?;
    let costs = if abilities::of(robot).costs { costs(robot).await } else { None };
    let outline = robot.record::<Footprint>().map(|it| it.polygon_m).unwrap_or_default();
    let info = map.info();
    let mut picture = Picture::around(&pose);
    picture.map(map.grid.as_ref(), costs.as_ref());
    picture.walls(&info.features);
    picture.robot(&pose, &outline);
    let round = |value: f64| (value * 1e4).round() / 1e4;
    Ok(Reply::ok(&json!({
        "stamp": robot.hub.clock().now().as_nanos().div_euclid(1_000_000_000),
        "map_name": info.name,
        "map_uid": info.uid,
        "map_version": info.version,
        "overlays_version": info.features_version,
        "map": {
            "resolution": PIXEL_M,
            "size": [SIDE, SIDE],
            "origin": picture.origin_m.map(round),
            "data": STANDARD.encode(png_from_rgb(SIDE, SIDE, &picture.pixels)),
        },
    })))
}

/// The newest obstacles: those that come now, or else the last ones.
async fn costs(robot: &FacadeRobot) -> Option<OccupancyGrid> {
    let part = "costmap_5cm";
    let since = robot.hub.clock().now();
    let newest = wait_for::update(robot, Kind::Map, part, |update| update.received >= since).await;
    match newest.or_else(|| robot.last_of(Kind::Map, part))?.signal.clone() {
        Signal::Map(grid) => Some(grid.upright().into_owned()),
        _ => None,
    }
}

/// The picture while it is drawn.
struct Picture {
    /// Its lower left corner.
    origin_m: [f64; 2],
    pixels: Vec<u8>,
}

impl Picture {
    fn around(pose: &Pose) -> Self {
        let half_m = f64::from(SIDE) * PIXEL_M / 2.0;
        let pixels = vec![map_grey(-1); (SIDE * SIDE * 3) as usize];
        Self { origin_m: [pose.x_m - half_m, pose.y_m - half_m], pixels }
    }

    fn map(&mut self, map: Option<&OccupancyGrid>, costs: Option<&OccupancyGrid>) {
        for row in 0..SIDE {
            for column in 0..SIDE {
                let at = [column, row].map(|it| (f64::from(it) + 0.5) * PIXEL_M);
                let at_m = [self.origin_m[0] + at[0], self.origin_m[1] + at[1]];
                let grey = map.and_then(|grid| cell(grid, at_m)).map_or(map_grey(-1), map_grey);
                let color = match costs.and_then(|grid| cell(grid, at_m)) {
                    Some(OCCUPIED..) => OBSTACLE,
                    Some(1..OCCUPIED) => NEAR_OBSTACLE,
                    _ => [grey; 3],
                };
                self.paint(f64::from(column), f64::from(row), color);
            }
        }
    }

    /// Walls that only the map has, and the borders of areas that are not to be entered.
    fn walls(&mut self, features: &[MapFeature]) {
        for feature in features {
            let closed = match feature.kind {
                FeatureKind::VirtualWall => false,
                FeatureKind::KeepOut => true,
                _ => continue,
            };
            self.lines(&feature.points_m, closed, WALL);
        }
    }

    fn robot(&mut self, pose: &Pose, outline_m: &[[f64; 2]]) {
        let (sin, cos) = pose.yaw_rad.sin_cos();
        let placed = |[x, y]: &[f64; 2]| [pose.x_m + x * cos - y * sin, pose.y_m + x * sin + y * cos];
        let outline_m: Vec<[f64; 2]> = outline_m.iter().map(placed).collect();
        self.lines(&outline_m, true, ROBOT);
        let [column, row] = self.place([pose.x_m, pose.y_m]);
        self.paint(column, row, ROBOT);
    }

    fn lines(&mut self, points_m: &[[f64; 2]], closed: bool, color: [u8; 3]) {
        let first = points_m.first().filter(|_| closed);
        let next = points_m.iter().skip(1).chain(first);
        for (from, to) in points_m.iter().zip(next) {
            let ([x0, y0], [x1, y1]) = (self.place(*from), self.place(*to));
            let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil().clamp(1.0, LONGEST_LINE);
            for step in 0..=(steps as u32) {
                let share = f64::from(step) / steps;
                self.paint(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, color);
            }
        }
    }

    /// Column and row of a place; rows grow upward.
    fn place(&self, [x_m, y_m]: [f64; 2]) -> [f64; 2] {
        [(x_m - self.origin_m[0]) / PIXEL_M, (y_m - self.origin_m[1]) / PIXEL_M]
    }

    /// Paints a pixel, if it is in the picture.
    fn paint(&mut self, column: f64, row: f64, color: [u8; 3]) {
        let side = f64::from(SIDE);
        if !(0.0..side).contains(&column) || !(0.0..side).contains(&row) {
            return;
        }
        let (column, row) = (column as usize, SIDE as usize - 1 - row as usize);
        let at = (row * SIDE as usize + column) * 3;
        if let Some(pixel) = self.pixels.get_mut(at..at + 3) {
            pixel.copy_from_slice(&color);
        }
    }
}

/// The cell of a grid at a place; `None` beyond its borders.
fn cell(grid: &OccupancyGrid, [x_m, y_m]: [f64; 2]) -> Option<i8> {
    let column = ((x_m - grid.origin_x_m) / grid.resolution_m).floor();
    let row = ((y_m - grid.origin_y_m) / grid.resolution_m).floor();
    let inside =
        (0.0..f64::from(grid.width)).contains(&column) && (0.0..f64::from(grid.height)).contains(&row);
    inside.then_some(())?;
    let at = row as usize * grid.width as usize + column as usize;
    grid.cells.get(at).map(|cell| cell.cast_signed())
}
