//! An occupancy grid of what a laser scanner has seen, as SLAM makes one, exported as ROS does.

use super::known::share;
use super::walk::cells_between;
use super::{Grid, Known};
use crate::geometry::Pose2;
use latimer_core::model::signal::Scan;

/// A ray ended in the cell: how much more likely something is there, in tenths of log-odds.
const HIT: i8 = 9;

/// A ray went through the cell.
const MISS: i8 = -4;

/// Bounds, so that a map can still change its mind.
const LEAST: i8 = -40;
const MOST: i8 = 50;

/// A surface on the border of two cells belongs to the one behind it, metres.
const BEHIND_M: f64 = 0.002;

/// The map.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenMap {
    /// Tenths of log-odds that something is there; 0 is nothing seen, or as much for as against.
    pub grid: Grid<i8>,
    /// Which scan touched a cell last: a cell counts once a scan.
    touched: Vec<u32>,
    scans: u32,
}

impl SeenMap {
    /// Nothing seen, on a grid of some shape.
    pub fn empty(grid: Grid<i8>) -> Self {
        let touched = vec![0; grid.cells.len()];
        Self { grid: grid.map(|_| 0), touched, scans: 0 }
    }

    /// Everything seen that is known; what must be kept out of cannot be seen.
    pub(super) fn known(known: &Grid<Known>) -> Self {
        let grid = known.map(|known| match known {
            Known::Free | Known::Forbidden => LEAST,
            Known::Solid => MOST,
            Known::KeepOut | Known::Unknown => 0,
        });
        let touched = vec![0; grid.cells.len()];
        Self { grid, touched, scans: 0 }
    }

    /// Takes in a scan of a scanner at a pose on the map.
    pub fn integrate(&mut self, scan: &Scan, scanner: Pose2) {
        self.scans = self.scans.wrapping_add(1).max(1);
        let from = [scanner.x_m, scanner.y_m];
        let end = |angle_rad: f64, range_m: f64| {
            let (sin, cos) = angle_rad.sin_cos();
            scanner.point_out(range_m * cos, range_m * sin)
        };
        // Ends come first: a ray that grazes a wall shall not wipe out what others met there.
        for (angle_rad, range_m) in scan.rays().filter(|(_, range_m)| range_m.is_finite()) {
            let cell = self.grid.cell_at(end(angle_rad, f64::from(range_m) + BEHIND_M));
            self.touch(cell, HIT);
        }
        for (angle_rad, range_m) in scan.rays().filter(|(_, range_m)| *range_m > 0.0) {
            let met = range_m.is_finite();
            let length_m = if met { f64::from(range_m) + BEHIND_M } else { scan.range_max_m };
            let to = end(angle_rad, length_m);
            let last = self.grid.cell_at(to);
            for cell in cells_between(&self.grid, from, to) {
                if !(met && cell == last) {
                    self.touch(cell, MISS);
                }
            }
        }
    }

    fn touch(&mut self, cell: [i32; 2], change: i8) {
        let Some(index) = self.grid.index(cell) else { return };
        if self.touched[index] != self.scans {
            self.touched[index] = self.scans;
            self.grid.cells[index] = (self.grid.cells[index] + change).clamp(LEAST, MOST);
        }
    }

    /// Where something was seen; what was not seen counts as `unknown` says.
    pub fn blocked(&self, unknown: bool) -> Grid<bool> {
        self.grid.map(|odds| odds > 0 || (odds == 0 && unknown))
    }

    /// The share of cells that were seen, 0..1.
    pub fn seen_ratio(&self) -> f64 {
        self.grid.cells.iter().filter(|odds| **odds != 0).count() as f64 / self.grid.cells.len().max(1) as f64
    }

    /// As `nav_msgs/OccupancyGrid` has it: -1 unknown, 0..100, row by row from the lower left.
    pub fn occupancy(&self) -> Vec<i8> {
        let percent = |odds: i8| match odds {
            0 => -1,
            _ => (100.0 / (1.0 + (-f64::from(odds) / 10.0).exp())).round() as i8,
        };
        self.grid.cells.iter().map(|odds| percent(*odds)).collect()
    }

    /// As [`KnownMap::match_ratio`](super::KnownMap::match_ratio), on what was seen.
    pub fn match_ratio(&self, scan: &Scan, scanner: Pose2) -> f64 {
        share(scan.points(scanner), |point| {
            let cell = self.grid.cell_at(point);
            self.grid.around(cell, 1).any(|(_, odds)| odds > 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ahead(range_m: f32) -> Scan {
        Scan {
            angle_min_rad: 0.0,
            angle_increment_rad: 0.1,
            range_min_m: 0.1,
            range_max_m: 1.5,
            ranges_m: vec![range_m],
            pose: None,
        }
    }

    #[test]
    fn a_ray_frees_its_way_and_fills_its_end_and_says_nothing_of_what_is_behind() {
        let mut map = SeenMap::empty(Grid::over([0.0, 0.0], [2.0, 1.0], 0.0, 0.1, 0));
        for _ in 0..20 {
            map.integrate(&ahead(1.0), Pose2::new(0.05, 0.55, 0.0));
        }
        let row = &map.occupancy()[5 * 20..6 * 20];
        assert!(row[..10].iter().all(|it| (0..5).contains(it)), "{row:?}");
        assert!(row[10] > 95 && row[11..].iter().all(|it| *it == -1), "{row:?}");
    }

    #[test]
    fn nothing_met_frees_the_way_up_to_the_reach_and_too_near_says_nothing() {
        let mut map = SeenMap::empty(Grid::over([0.0, 0.0], [2.0, 1.0], 0.0, 0.1, 0));
        map.integrate(&ahead(f32::NEG_INFINITY), Pose2::new(0.05, 0.55, 0.0));
        assert_eq!(map.seen_ratio(), 0.0);
        map.integrate(&ahead(f32::INFINITY), Pose2::new(0.05, 0.55, 0.0));
        let row = &map.occupancy()[5 * 20..6 * 20];
        assert!(row[..16].iter().all(|it| *it > 0 && *it < 50) && row[16..].iter().all(|it| *it == -1));
    }

    #[test]
    fn a_map_changes_its_mind() {
        let mut map = SeenMap::empty(Grid::over([0.0, 0.0], [2.0, 1.0], 0.0, 0.1, 0));
        for _ in 0..1_000 {
            map.integrate(&ahead(1.0), Pose2::new(0.05, 0.55, 0.0));
        }
        for _ in 0..20 {
            map.integrate(&ahead(1.4), Pose2::new(0.05, 0.55, 0.0));
        }
        assert_eq!(map.blocked(false).at([1.05, 0.55]), Some(false));
    }
}
