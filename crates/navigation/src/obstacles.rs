//! What a robot sees now and the map does not have: people, boxes, other robots. It is soon forgotten.

use std::f64::consts::TAU;
use std::ops::Range;

use latimer_core::model::signal::Scan;

use super::{Cell, Grid, KnownMap};
use crate::geometry::Pose2;

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
    /// The cells with something in them, so that no others need to be looked at.
    held: Vec<Cell>,
    time_s: f64,
    /// Until when there is anything at all.
    any_until_s: f64,
}

impl Obstacles {
    /// Nothing, on a grid of a map's shape.
    pub fn new<T: Copy>(like: &Grid<T>) -> Self {
        let nothing = f64::NEG_INFINITY;
        Self { until_s: like.map(|_| nothing), held: Vec::new(), time_s: 0.0, any_until_s: nothing }
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
            let until_s = &self.until_s;
            let reach_m = |ray: usize| {
                let range_m = scan.ranges_m.get(ray).copied().filter(|range_m| *range_m > 0.0)?;
                Some((f64::from(range_m).min(REACH_M) - until_s.resolution_m).max(0.0))
            };
            let is_seen_through = |cell: Cell| {
                let through = |(ray, reach_m): (usize, f64)| {
                    passes(until_s, from, end(angle_of(scan, ray), reach_m), cell)
                };
                rays_to(until_s, cell, scanner, scan)
                    .filter_map(|ray| Some((ray, reach_m(ray)?)))
                    .any(through)
            };
            let lasts = |cell: &Cell| until_s.get(*cell).is_some_and(|until_s| until_s > time_s);
            let stays = |cell: &Cell| lasts(cell) && !is_seen_through(*cell);
            let (held, gone): (Vec<Cell>, Vec<Cell>) =
                std::mem::take(&mut self.held).into_iter().partition(stays);
            gone.into_iter().for_each(|cell| self.until_s.set(cell, f64::NEG_INFINITY));
            self.held = held;
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
        if self.until_s.get(cell) == Some(f64::NEG_INFINITY) {
            self.held.push(cell);
        }
        self.until_s.set(cell, self.time_s + LASTING_S);
        self.any_until_s = self.time_s + LASTING_S;
    }

    /// The middles of the cells where something is.
    pub fn points(&self, time_s: f64) -> impl Iterator<Item = [f64; 2]> {
        let held = if time_s < self.any_until_s { self.held.as_slice() } else { &[] };
        let lasts = move |cell: &&Cell| self.until_s.get(**cell).is_some_and(|until_s| until_s > time_s);
        held.iter().filter(lasts).map(|cell| self.until_s.middle_of(*cell))
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

fn angle_of(scan: &Scan, ray: usize) -> f64 {
    scan.angle_min_rad + ray as f64 * scan.angle_increment_rad
}

/// The rays of a scan that may pass a cell, and one more on either side of them.
fn rays_to(grid: &Grid<f64>, cell: Cell, scanner: Pose2, scan: &Scan) -> impl Iterator<Item = usize> {
    let rays = scan.ranges_m.len();
    let [x, y] = grid.middle_of(cell);
    let [ahead_m, left_m] = scanner.point_in(x, y);
    let step_rad = scan.angle_increment_rad;
    // More than half of a cell's diagonal; no number beside the scanner itself.
    let half = (0.75 * grid.resolution_m / ahead_m.hypot(left_m)).asin() / step_rad + 1.0;
    let middle = (left_m.atan2(ahead_m) - scan.angle_min_rad) / step_rad;
    let within = move |turns: f64| {
        let middle = middle + turns * TAU / step_rad;
        let [from, to] = [(middle - half).ceil(), (middle + half).floor() + 1.0];
        from.clamp(0.0, rays as f64) as usize..to.clamp(0.0, rays as f64) as usize
    };
    let some = half.is_finite() && step_rad > 0.0;
    let ranges =
        if some { [-1.0, 0.0, 1.0].map(within) } else { [0..rays, Range::default(), Range::default()] };
    ranges.into_iter().flatten()
}

/// Whether a line passes a cell.
fn passes(grid: &Grid<f64>, from: [f64; 2], to: [f64; 2], cell: Cell) -> bool {
    let middle = grid.middle_of(cell);
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in [0, 1] {
        let (off_m, way_m) = (middle[axis] - from[axis], to[axis] - from[axis]);
        let half_m = grid.resolution_m / 2.0;
        if way_m == 0.0 {
            if off_m.abs() > half_m {
                return false;
            }
            continue;
        }
        let (one, other) = ((off_m - half_m) / way_m, (off_m + half_m) / way_m);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    enters < leaves
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
    fn what_is_seen_through_is_what_a_ray_passes_on_its_way() {
        let known = KnownMap::of(&Shapes { size_m: [8.0, 8.0], ..Shapes::default() }, 0.05);
        let at = Pose2::new(4.01, 3.97, 2.0);
        let turn = Scan {
            angle_min_rad: -std::f64::consts::PI,
            angle_increment_rad: 2_f64.to_radians(),
            ranges_m: (0..180_u16).map(|ray| 0.3 + 3.0 * f32::from(ray % 7) / 6.0).collect(),
            ..scan(0.0)
        };
        let mut layer = Obstacles::new(&known.grid);
        (0..160).flat_map(|x| (0..160).map(move |y| [x, y])).for_each(|cell| {
            layer.feel(known.grid.middle_of(cell), 1.0);
        });
        let all = layer.points(1.0).count();
        layer.see(&turn, at, &known, 1.0);
        let mut passed = known.grid.map(|_| false);
        for (angle_rad, range_m) in turn.rays() {
            let (sin, cos) = angle_rad.sin_cos();
            let free_m = f64::from(range_m) - 0.05;
            let end = at.point_out(free_m * cos, free_m * sin);
            for cell in crate::walk::cells_between(&known.grid, [at.x_m, at.y_m], end) {
                passed.set(cell, true);
            }
        }
        let ends: Vec<[f64; 2]> = turn.points(at).collect();
        let seen =
            |point: [f64; 2]| ends.iter().any(|end| known.grid.cell_at(*end) == known.grid.cell_at(point));
        let wrong =
            layer.points(1.0).filter(|point| passed.at(*point) == Some(true) && !seen(*point)).count();
        let gone = all - layer.points(1.0).count();
        let should = passed.cells.iter().filter(|passed| **passed).count();
        assert!(wrong <= 2 && gone.abs_diff(should) <= ends.len(), "{wrong} {gone} {should}");
        assert!(gone > 2_000, "{gone}");
    }

    #[test]
    fn only_what_one_comes_nearer_to_blocks() {
        let mut layer = Obstacles::new(&room().grid);
        layer.feel([2.0, 2.0], 0.0);
        let blocks = |point| layer.blocks(point, [1.8, 2.0], 0.3, 0.1, |_| true);
        assert!(blocks([2.0, 2.2]) && !blocks([1.75, 2.0]) && !blocks([3.0, 2.0]));
    }
}
