//! A map made from the true room, as if somebody had mapped it before.

use super::{Grid, SeenMap, Shapes};
use crate::geometry::Pose2;
use crate::sensors::Scan;

/// How much is mapped around the room, metres: enough for walls to be walls.
const AROUND_M: f64 = 0.1;

/// What a map says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Floor.
    Free,
    /// Something that a laser scanner sees.
    Solid,
    /// Floor or not, but no robot may go there.
    KeepOut,
    /// Floor, but a mark on the map forbids to go there.
    Forbidden,
    /// Nobody has seen it.
    Unknown,
}

/// A map of what is known.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMap {
    /// The cells.
    pub grid: Grid<Known>,
}

impl KnownMap {
    /// A map of a room's shapes.
    pub fn of(shapes: &Shapes, resolution_m: f64) -> Self {
        let mut grid = Grid::over([0.0, 0.0], shapes.size_m, AROUND_M, resolution_m, Known::Free);
        for polygon in &shapes.keep_out {
            grid.fill(polygon, Known::KeepOut);
        }
        for polygon in &shapes.solid {
            grid.fill(polygon, Known::Solid);
        }
        let [x, y] = shapes.size_m;
        let far = 2.0 * AROUND_M + resolution_m;
        for (low, high) in [
            ([-far, -far], [x + far, 0.0]),
            ([-far, y], [x + far, y + far]),
            ([-far, -far], [0.0, y + far]),
            ([x, -far], [x + far, y + far]),
        ] {
            grid.fill(&[low, [high[0], low[1]], high, [low[0], high[1]]], Known::Solid);
        }
        Self { grid }
    }

    /// A map of the same room on which nothing is known.
    pub fn blank(&self) -> Self {
        Self { grid: self.grid.map(|_| Known::Unknown) }
    }

    /// A map made from another one's cells: percent of being occupied, -1 for what is not known, in a frame
    /// whose origin is given on the map that is wanted.
    pub fn of_occupancy(cells: &Grid<i8>, frame: Pose2, resolution_m: f64) -> Self {
        let side = |count: usize| count as f64 * cells.resolution_m;
        let [low_x, low_y] = cells.origin_m;
        let (high_x, high_y) = (low_x + side(cells.width), low_y + side(cells.height));
        let corners = [[low_x, low_y], [high_x, low_y], [high_x, high_y], [low_x, high_y]];
        let corners = corners.map(|[x, y]| frame.point_out(x, y));
        let edge = |pick: fn(f64, f64) -> f64, start: f64| {
            corners.iter().fold([start; 2], |[x, y], corner| [pick(x, corner[0]), pick(y, corner[1])])
        };
        let (low, high) = (edge(f64::min, f64::INFINITY), edge(f64::max, f64::NEG_INFINITY));
        let mut grid = Grid::over(low, high, 0.0, resolution_m, Known::Unknown);
        for index in 0..grid.cells.len() {
            let [x, y] = grid.middle_of(grid.cell(index));
            let [x, y] = frame.point_in(x, y);
            grid.cells[index] = cells.at([x, y]).map_or(Known::Unknown, known_from_percent);
        }
        // Finer cells than ours lie between those that were looked at.
        let solid = cells.cells.iter().enumerate().filter(|(_, percent)| **percent >= OCCUPIED_PERCENT);
        for (index, _) in solid {
            let [x, y] = cells.middle_of(cells.cell(index));
            let [x, y] = frame.point_out(x, y);
            grid.set(grid.cell_at([x, y]), Known::Solid);
        }
        Self { grid }
    }

    /// Forbids to go where a polygon is; what stands there stands there still.
    pub fn forbid(&mut self, polygon: &[[f64; 2]]) {
        let forbidden = |known: Known| if known == Known::Free { Known::Forbidden } else { known };
        self.grid.change(polygon, forbidden);
    }

    /// Forbids to cross a line.
    pub fn forbid_line(&mut self, points: &[[f64; 2]]) {
        let width_m = self.grid.resolution_m;
        for piece in super::shapes::pieces(points, width_m) {
            self.forbid(&piece);
        }
    }

    /// The same without what marks forbid.
    pub fn allowed(&self) -> Self {
        let allowed = |known: Known| if known == Known::Forbidden { Known::Free } else { known };
        Self { grid: self.grid.map(allowed) }
    }

    /// Adds a shape.
    pub fn fill(&mut self, polygon: &[[f64; 2]], known: Known) {
        self.grid.fill(polygon, known);
    }

    /// Where a robot cannot or may not be.
    pub fn blocked(&self) -> Grid<bool> {
        self.grid.map(|known| known != Known::Free)
    }

    /// What a scanner that had been everywhere would have seen; drops are not seen and stay unknown.
    pub fn seen(&self) -> SeenMap {
        SeenMap::known(&self.grid)
    }

    /// Whether a cell that is seen is at most so many cells away from a point.
    pub fn is_solid_near(&self, point: [f64; 2], reach: i32) -> bool {
        let cell = self.grid.cell_at(point);
        self.grid.around(cell, reach).any(|(_, known)| known == Known::Solid)
    }

    /// How well a scan taken at a scanner's pose fits: the share of its ends within one cell of
    /// something solid, 0 without any.
    pub fn match_ratio(&self, scan: &Scan, scanner: Pose2) -> f64 {
        share(scan.points(scanner), |point| self.is_solid_near(point, 1))
    }
}

/// From here on a cell counts as occupied, and up to here as free (published, of ROS's `map_server`).
const OCCUPIED_PERCENT: i8 = 65;
const FREE_PERCENT: i8 = 25;

fn known_from_percent(percent: i8) -> Known {
    match percent {
        OCCUPIED_PERCENT.. => Known::Solid,
        0..=FREE_PERCENT => Known::Free,
        _ => Known::Unknown,
    }
}

/// The share of points for which something is so.
pub(super) fn share(points: impl Iterator<Item = [f64; 2]>, is_so: impl Fn([f64; 2]) -> bool) -> f64 {
    let (mut all, mut fit) = (0_u32, 0_u32);
    for point in points {
        all += 1;
        fit += u32::from(is_so(point));
    }
    f64::from(fit) / f64::from(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_any_size_in_a_turned_frame_are_where_they_are() {
        let frame = Pose2::new(1.0, 2.0, 0.6);
        for resolution_m in [0.02, 0.05, 0.1] {
            let mut cells = Grid::over([0.0, 0.0], [4.0, 3.0], 0.0, resolution_m, 0_i8);
            cells.fill(&[[3.0, 1.0], [3.1, 1.0], [3.1, 2.0], [3.0, 2.0]], 100);
            cells.fill(&[[0.0, 2.0], [1.0, 2.0], [1.0, 3.0], [0.0, 3.0]], -1);
            let map = KnownMap::of_occupancy(&cells, frame, 0.05);
            let at = |x: f64, y: f64| map.grid.at(frame.point_out(x, y));
            assert_eq!(at(3.05, 1.5), Some(Known::Solid), "{resolution_m}");
            assert_eq!((at(2.0, 1.5), at(0.5, 2.5)), (Some(Known::Free), Some(Known::Unknown)));
            assert_ne!(at(-0.2, -0.2), Some(Known::Free), "beyond");
        }
    }

    #[test]
    fn what_is_forbidden_is_blocked_but_not_seen() {
        let mut map = KnownMap::of(&Shapes { size_m: [4.0, 4.0], ..Shapes::default() }, 0.05);
        map.forbid_line(&[[1.0, 1.0], [2.0, 3.0], [3.0, 3.0]]);
        map.forbid(&[[3.5, 3.5], [4.5, 3.5], [4.5, 4.5], [3.5, 4.5]]);
        let blocked = map.blocked();
        for crossed in [[1.5, 2.0], [2.5, 3.0], [3.7, 3.7]] {
            assert!(blocked.at(crossed).unwrap() && !map.is_solid_near(crossed, 1), "{crossed:?}");
        }
        assert_eq!(map.grid.at([4.03, 3.8]), Some(Known::Solid), "the wall stands still");
    }

    #[test]
    fn walls_stand_around_the_room_and_drops_are_kept_out_of() {
        let shapes = Shapes {
            size_m: [2.02, 1.0],
            solid: vec![vec![[1.0, 0.0], [1.06, 0.0], [1.06, 0.5], [1.0, 0.5]]],
            keep_out: vec![vec![[0.2, 0.2], [0.4, 0.2], [0.4, 0.4], [0.2, 0.4]]],
        };
        let map = KnownMap::of(&shapes, 0.05);
        assert_eq!(map.grid.at([0.025, 0.025]), Some(Known::Free));
        assert_eq!(map.grid.at([-0.025, 0.5]), Some(Known::Solid));
        assert_eq!(map.grid.at([2.045, 0.5]), Some(Known::Solid));
        assert_eq!(map.grid.at([1.03, 0.3]), Some(Known::Solid));
        assert_eq!(map.grid.at([0.3, 0.3]), Some(Known::KeepOut));
        assert!(!map.is_solid_near([0.3, 0.3], 1) && map.is_solid_near([0.95, 0.3], 1));
        assert!(map.blocked().at([0.3, 0.3]).unwrap());
    }
}
