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
