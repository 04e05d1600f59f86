//! A map made from the true room, as if it had been mapped before.

use super::walk::cells_between;
use super::{Cell, Grid, SeenMap, Shapes};
use crate::geometry::Pose2;
use latimer_core::model::signal::Scan;

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
    /// It was never seen.
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

    /// Forbids to go where an area is; what stands there stands there still.
    pub fn forbid(&mut self, corners: &[[f64; 2]]) {
        // Rows are filled between the outline's crossings, so that the work does not grow with corners times
        // cells; cells that the outline only cuts come with the outline.
        let Some(first) = corners.first() else { return };
        let outline: Vec<[f64; 2]> = corners.iter().chain([first]).copied().collect();
        self.forbid_line(&outline);
        let end =
            |pick: fn(f64, f64) -> f64, from: f64| corners.iter().fold(from, |end, it| pick(end, it[1]));
        let row = |y: f64| self.grid.cell_at([self.grid.origin_m[0], y])[1];
        let (low, high) = (row(end(f64::min, f64::INFINITY)), row(end(f64::max, f64::NEG_INFINITY)));
        for row in low.max(0)..=high.min(self.grid.height as i32 - 1) {
            let [_, y] = self.grid.middle_of([0, row]);
            let crossing = |it: &[[f64; 2]]| {
                let [[x1, y1], [x2, y2]] = [*it.first()?, *it.get(1)?];
                ((y1 > y) != (y2 > y)).then(|| x1 + (x2 - x1) * (y - y1) / (y2 - y1))
            };
            let mut crossings: Vec<f64> = outline.windows(2).filter_map(crossing).collect();
            crossings.sort_by(f64::total_cmp);
            for between in crossings.chunks_exact(2) {
                let [from, to] = [between[0], between[1]].map(|x| self.grid.cell_at([x, y])[0]);
                for column in from.max(0)..=to.min(self.grid.width as i32 - 1) {
                    self.forbid_cell([column, row]);
                }
            }
        }
    }

    /// Forbids to cross a line.
    pub fn forbid_line(&mut self, points: &[[f64; 2]]) {
        for pair in points.windows(2) {
            if let Some([from, to]) = self.within([pair[0], pair[1]]) {
                cells_between(&self.grid, from, to).for_each(|cell| self.forbid_cell(cell));
            }
        }
    }

    fn forbid_cell(&mut self, cell: Cell) {
        if self.grid.get(cell) == Some(Known::Free) {
            self.grid.set(cell, Known::Forbidden);
        }
    }

    /// The part of a line that is on the map (Liang and Barsky's clipping).
    fn within(&self, [from, to]: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
        let sides = [self.grid.width, self.grid.height];
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for axis in [0, 1] {
            let low = self.grid.origin_m[axis];
            let high = low + sides[axis] as f64 * self.grid.resolution_m;
            let way = to[axis] - from[axis];
            if way == 0.0 {
                if !(low..=high).contains(&from[axis]) {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - from[axis]) / way, (high - from[axis]) / way);
            enters = enters.max(a.min(b));
            leaves = leaves.min(a.max(b));
        }
        let at = |share: f64| [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        (enters <= leaves).then(|| [at(enters), at(leaves)])
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
        self.grid.rows_around(self.grid.cell_at(point), reach).any(|cells| cells.contains(&Known::Solid))
    }

    /// How well a scan taken at a scanner's pose fits: the share of its ends within one cell of
    /// something solid, 0 without any.
    pub fn match_ratio(&self, scan: &Scan, scanner: Pose2) -> f64 {
        share(scan.points(scanner), |point| self.is_solid_near(point, 1))
    }
}

/// From here on a cell counts as occupied, and up to here as free (published, of ROS's `map_server`).
pub const OCCUPIED_PERCENT: i8 = 65;
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
        map.forbid_line(&[[-1e4, 0.5], [1e4, 0.52]]);
        map.forbid_line(&[[9.0, 9.0], [9.0, 20.0]]);
        let blocked = map.blocked();
        for crossed in [[1.5, 2.0], [2.5, 3.0], [3.7, 3.7], [2.0, 0.51]] {
            assert!(blocked.at(crossed).unwrap() && !map.is_solid_near(crossed, 1), "{crossed:?}");
        }
        assert_eq!(map.grid.at([4.03, 3.8]), Some(Known::Solid), "the wall stands still");
        // A U whose inside is free.
        map.forbid(&[
            [0.5, 1.0],
            [2.0, 1.0],
            [2.0, 2.0],
            [1.5, 2.0],
            [1.5, 1.5],
            [1.0, 1.5],
            [1.0, 2.0],
            [0.5, 2.0],
        ]);
        let at = |x: f64, y: f64| map.grid.at([x, y]);
        assert_eq!((at(0.77, 1.77), at(1.27, 1.27)), (Some(Known::Forbidden), Some(Known::Forbidden)));
        assert_eq!(at(1.27, 1.77), Some(Known::Free));
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
