//! A map in the frame of the robot's published poses, whose axes may be turned against the map's own.

use crate::geometry::Pose2;
use crate::nav::Grid;

/// A frame turned by less is not turned, radians.
const STRAIGHT_RAD: f64 = 1e-9;

/// A map in a frame, whose origin is given on the map; what of a turned one was not on the map is -1.
pub(super) fn into_frame(grid: Grid<i8>, frame: Pose2) -> Grid<i8> {
    if frame.yaw_rad.abs() < STRAIGHT_RAD {
        let origin_m = frame.point_in(grid.origin_m[0], grid.origin_m[1]);
        return Grid { origin_m, ..grid };
    }
    let corners = corners(&grid).map(|[x, y]| frame.point_in(x, y));
    let edge = |pick: fn(f64, f64) -> f64| {
        let [first, rest @ ..] = corners;
        rest.iter().fold(first, |[x, y], corner| [pick(x, corner[0]), pick(y, corner[1])])
    };
    let mut turned = Grid::over(edge(f64::min), edge(f64::max), 0.0, grid.resolution_m, -1_i8);
    for index in 0..turned.cells.len() {
        let [x, y] = turned.middle_of(turned.cell(index));
        if let Some(value) = grid.at(frame.point_out(x, y)) {
            turned.cells[index] = value;
        }
    }
    turned
}

/// The corners of a grid.
fn corners(grid: &Grid<i8>) -> [[f64; 2]; 4] {
    let [low_x, low_y] = grid.origin_m;
    let high_x = low_x + grid.width as f64 * grid.resolution_m;
    let high_y = low_y + grid.height as f64 * grid.resolution_m;
    [[low_x, low_y], [high_x, low_y], [high_x, high_y], [low_x, high_y]]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn map() -> Grid<i8> {
        let mut map = Grid::over([0.0, 0.0], [4.0, 2.0], 0.0, 0.1, 0_i8);
        map.fill(&[[3.0, 0.5], [3.3, 0.5], [3.3, 0.8], [3.0, 0.8]], 100);
        map
    }

    #[test]
    fn a_shifted_frame_shifts_the_origin_only() {
        let published = into_frame(map(), Pose2::new(1.0, 0.5, 0.0));
        assert_eq!((published.origin_m, published.cells), ([-1.0, -0.5], map().cells));
    }

    #[test]
    fn a_turned_frame_has_things_where_they_are() {
        for yaw_rad in [FRAC_PI_2, 0.5, -2.0] {
            let frame = Pose2::new(1.0, 0.5, yaw_rad);
            let published = into_frame(map(), frame);
            let at = |x: f64, y: f64| published.at(frame.point_in(x, y));
            assert_eq!((at(3.15, 0.65), at(2.0, 1.0), at(0.2, 1.8)), (Some(100), Some(0), Some(0)));
        }
        let published = into_frame(map(), Pose2::new(0.0, 0.0, FRAC_PI_2));
        assert_eq!((published.width, published.height), (20, 40));
        assert_eq!(into_frame(map(), Pose2::new(0.0, 0.0, 0.5)).cells[0], -1);
    }
}
