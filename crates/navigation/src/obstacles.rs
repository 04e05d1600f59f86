//! What a robot sees now and the map does not have: people, boxes, other robots. It is soon forgotten.

use super::walk::cells_between;
use super::{Grid, KnownMap};
use crate::geometry::Pose2;
use latimer_core::model::signal::Scan;

/// How long something is remembered that is not seen any more, seconds.
const LASTING_S: f64 = 2.5;

/// Things farther off than this are not worth minding, and noise of the heading moves them most, metres.
const REACH_M: f64 = 4.0;

/// How many cells from a known wall something must be to be no part of it.
const WALL_CELLS: i32 = 2;

/// The layer.
#[derive(Clone, Debug)]
pub struct Obstacles {
    /// Until when something is in a cell, seconds of the world's clock.
    until_s: Grid<f64>,
    time_s: f64,
    /// Until when there is anything at all.
    any_until_s: f64,
}

impl Obstacles {
    /// Nothing, on a grid of a map's shape.
    pub fn new<T: Copy>(like: &Grid<T>) -> Self {
        let nothing = f64::NEG_INFINITY;
        Self { until_s: like.map(|_| nothing), time_s: 0.0, any_until_s: nothing }
    }

    /// Takes in a scan of a scanner at a believed pose.
    pub fn see(&mut self, scan: &Scan, scanner: Pose2, known: &KnownMap, time_s: f64) {
        self.see_where(scan, scanner, |point| known.is_solid_near(point, WALL_CELLS), time_s);
    }

    /// Takes in a scan, with points that are of no interest because something says that they are known.
    pub fn see_where(
        &mut self,
        scan: &Scan,
        scanner: Pose2,
        is_known: impl Fn([f64; 2]) -> bool,
        time_s: f64,
    ) {
        self.time_s = time_s;
        let from = [scanner.x_m, scanner.y_m];
        let end = |angle_rad: f64, range_m: f64| {
            let (sin, cos) = angle_rad.sin_cos();
            scanner.point_out(range_m * cos, range_m * sin)
        };
        if time_s < self.any_until_s {
            for (angle_rad, range_m) in scan.rays().filter(|(_, range_m)| *range_m > 0.0) {
                let free_m = f64::from(range_m).min(REACH_M) - self.until_s.resolution_m;
                for cell in cells_between(&self.until_s, from, end(angle_rad, free_m.max(0.0))) {
                    self.until_s.set(cell, f64::NEG_INFINITY);
                }
            }
        }
        let near = scan.rays().filter(|(_, range_m)| f64::from(*range_m) <= REACH_M && *range_m > 0.0);
        for (angle_rad, range_m) in near {
            let point = end(angle_rad, f64::from(range_m));
            if !is_known(point) {
                self.mark(point);
            }
        }
    }

    /// Something is at a point, by a bumper or another sensor that knows no more than that.
    pub fn feel(&mut self, point: [f64; 2], time_s: f64) {
        self.time_s = time_s;
        self.mark(point);
    }

    fn mark(&mut self, point: [f64; 2]) {
        let Some(cell) = self.until_s.cell_of(point) else { return };
        self.until_s.set(cell, self.time_s + LASTING_S);
        self.any_until_s = self.time_s + LASTING_S;
    }

    /// The middles of the cells where something is.
    pub fn points(&self, time_s: f64) -> impl Iterator<Item = [f64; 2]> {
        let cells = if time_s < self.any_until_s { self.until_s.cells.as_slice() } else { &[] };
        let there = cells.iter().enumerate().filter(move |(_, until_s)| **until_s > time_s);
        there.map(|(index, _)| self.until_s.middle_of(self.until_s.cell(index)))
    }

    /// Whether a robot that goes from where it is to a point would meet something within a radius there
    /// for which `counts` holds; what it gets no nearer to is not in its way.
    pub fn blocks(
        &self,
        point: [f64; 2],
        robot: [f64; 2],
        radius_m: f64,
        time_s: f64,
        counts: impl Fn([f64; 2]) -> bool,
    ) -> bool {
        if time_s >= self.any_until_s {
            return false;
        }
        let reach = (radius_m / self.until_s.resolution_m).ceil() as i32;
        self.until_s.around(self.until_s.cell_at(point), reach).any(|(cell, until_s)| {
            // Almost all cells are free, so that is asked first.
            until_s > time_s && {
                let [x, y] = self.until_s.middle_of(cell);
                let off_m = (x - point[0]).hypot(y - point[1]);
                off_m < radius_m && off_m < (x - robot[0]).hypot(y - robot[1]) - 0.01 && counts([x, y])
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shapes;

    fn scan(range_m: f32) -> Scan {
        Scan {
            angle_min_rad: 0.0,
            angle_increment_rad: 0.1,
            range_min_m: 0.1,
            range_max_m: 8.0,
            ranges_m: vec![range_m],
            pose: None,
        }
    }

    fn room() -> KnownMap {
        KnownMap::of(&Shapes { size_m: [4.0, 4.0], ..Shapes::default() }, 0.05)
    }

    #[test]
    fn a_thing_is_seen_and_forgotten_and_a_wall_is_no_thing() {
        let (known, at) = (room(), Pose2::new(1.0, 2.0, 0.0));
        let mut layer = Obstacles::new(&known.grid);
        layer.see(&scan(3.0), at, &known, 1.0);
        assert_eq!(layer.points(1.0).count(), 0, "the wall is known");
        layer.see(&scan(1.5), at, &known, 1.0);
        let [x, y] = layer.points(1.0).next().unwrap();
        assert!((x - 2.5).abs() < 0.05 && (y - 2.0).abs() < 0.05);
        assert_eq!((layer.points(3.4).count(), layer.points(3.6).count()), (1, 0));
    }

    #[test]
    fn what_is_seen_through_is_gone() {
        let (known, at) = (room(), Pose2::new(1.0, 2.01, 0.0));
        let mut layer = Obstacles::new(&known.grid);
        layer.see(&scan(1.5), at, &known, 1.0);
        layer.see(&scan(3.0), at, &known, 1.1);
        assert_eq!(layer.points(1.1).count(), 0);
    }

    #[test]
    fn only_what_one_comes_nearer_to_blocks() {
        let mut layer = Obstacles::new(&room().grid);
        layer.feel([2.0, 2.0], 0.0);
        let blocks = |point| layer.blocks(point, [1.8, 2.0], 0.3, 0.1, |_| true);
        assert!(blocks([2.0, 2.2]) && !blocks([1.75, 2.0]) && !blocks([3.0, 2.0]));
    }
}
