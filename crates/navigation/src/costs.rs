//! Where a robot of some size can be, and how much it would rather not.

use super::distance::distances;
use super::walk::cells_between;
use super::{Cell, Grid};

/// The cost of a cell as dear as can be, as a multiple of a free one, less 1.
const DEAREST: f64 = 6.0;

/// Cost of a free cell; costs are whole numbers, so that sums do not depend on their order.
const CHEAP: f64 = 10.0;

/// Marks a cell where the robot does not fit.
const BLOCKED: u8 = u8::MAX;

/// How much room a robot needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Berth {
    /// Radius of a circle around its footprint, metres.
    pub radius_m: f64,
    /// How much more it likes to keep off things, metres.
    pub margin_m: f64,
}

/// The map that ways are planned on.
#[derive(Clone, Debug)]
pub struct CostMap {
    berth: Berth,
    costs: Grid<u8>,
    distances: Grid<f32>,
}

impl CostMap {
    /// A map for a robot's size.
    pub fn new(blocked: &Grid<bool>, berth: Berth) -> Self {
        let distances = distances(blocked);
        let half_m = blocked.resolution_m / 2.0;
        let costs = distances.map(|distance_m| {
            let free_m = f64::from(distance_m) - half_m - berth.radius_m;
            if free_m < 0.0 {
                return BLOCKED;
            }
            let near = (1.0 - free_m / berth.margin_m.max(1e-9)).clamp(0.0, 1.0);
            (CHEAP * (1.0 + DEAREST * near * near)).round() as u8
        });
        Self { berth, costs, distances }
    }

    /// The room that the robot needs.
    pub fn berth(&self) -> Berth {
        self.berth
    }

    /// The costs as a grid.
    pub(super) fn grid(&self) -> &Grid<u8> {
        &self.costs
    }

    /// What a cell costs, tenths of a free one; `None` where the robot does not fit.
    pub fn cost(&self, cell: Cell) -> Option<u8> {
        self.costs.get(cell).filter(|cost| *cost != BLOCKED)
    }

    /// Whether the robot's middle can be at a point.
    pub fn fits(&self, point: [f64; 2]) -> bool {
        self.costs.cell_of(point).is_some_and(|cell| self.cost(cell).is_some())
    }

    /// How far a point is from what is blocked, metres; 0 beyond the map.
    pub fn clearance_m(&self, point: [f64; 2]) -> f64 {
        self.distances.at(point).map_or(0.0, f64::from)
    }

    /// Takes away what is near a point, metres, and of no use; what is farther off goes, too.
    pub(super) fn keep_to(&mut self, [x, y]: [f64; 2], reach_m: f64, is_of_use: impl Fn([f64; 2]) -> bool) {
        for index in 0..self.costs.cells.len() {
            let middle = self.costs.middle_of(self.costs.cell(index));
            let near = (middle[0] - x).hypot(middle[1] - y) <= reach_m;
            if !(near && is_of_use(middle)) {
                self.costs.cells[index] = BLOCKED;
            }
        }
    }

    /// What going straight from point to point costs, metres of free way; `None` if it is no way.
    pub(super) fn straight(&self, from: [f64; 2], to: [f64; 2]) -> Option<f64> {
        let (mut sum, mut count) = (0_u32, 0_u32);
        for cell in cells_between(&self.costs, from, to) {
            sum += u32::from(self.cost(cell)?);
            count += 1;
        }
        let length_m = (to[0] - from[0]).hypot(to[1] - from[1]);
        Some(length_m * f64::from(sum) / f64::from(count.max(1)) / CHEAP)
    }

    /// The nearest point within a radius from where the robot fits, reached without passing anything
    /// blocked but what the start itself is in.
    pub(super) fn nearest_fitting(&self, point: [f64; 2], within_m: f64) -> Option<[f64; 2]> {
        if self.fits(point) {
            return Some(point);
        }
        let reach = (within_m / self.costs.resolution_m).ceil() as i32;
        let off = |to: [f64; 2]| (to[0] - point[0]).hypot(to[1] - point[1]);
        let fitting = self.costs.around(self.costs.cell_at(point), reach);
        let fitting = fitting.filter(|(_, cost)| *cost != BLOCKED);
        fitting
            .map(|(cell, _)| self.costs.middle_of(cell))
            .filter(|to| off(*to) <= within_m && self.leads_out(point, *to))
            .min_by(|a, b| off(*a).total_cmp(&off(*b)))
    }

    /// Whether the straight line from within something, or not, to a point passes nothing blocked but that.
    pub(super) fn leads_out(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        let mut was_free = false;
        cells_between(&self.distances, from, to).all(|cell| {
            let free = self.distances.get(cell).is_some_and(|distance_m| distance_m > 0.0);
            let sound = free || !was_free;
            was_free |= free;
            sound
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall_at_1m() -> CostMap {
        let mut blocked = Grid::over([0.0, 0.0], [2.0, 1.0], 0.0, 0.05, false);
        blocked.fill(&[[1.0, 0.0], [1.05, 0.0], [1.05, 1.0], [1.0, 1.0]], true);
        CostMap::new(&blocked, Berth { radius_m: 0.2, margin_m: 0.3 })
    }

    #[test]
    fn the_radius_is_kept_and_near_is_dear() {
        let map = wall_at_1m();
        assert!(!map.fits([0.83, 0.5]) && map.fits([0.77, 0.5]));
        let cost = |x: f64| map.cost(map.grid().cell_at([x, 0.5])).unwrap();
        assert!(cost(0.77) > 55 && cost(0.6) < cost(0.77) && cost(0.2) == 10);
    }

    #[test]
    fn straight_ways_cost_their_length_or_do_not_exist() {
        let map = wall_at_1m();
        assert!((map.straight([0.1, 0.1], [0.1, 0.9]).unwrap() - 0.8).abs() < 1e-9);
        assert_eq!(map.straight([0.5, 0.5], [1.5, 0.5]), None);
    }

    #[test]
    fn a_start_too_near_is_led_out_on_its_own_side_of_the_wall() {
        let map = wall_at_1m();
        let [x, _] = map.nearest_fitting([0.97, 0.5], 0.3).unwrap();
        assert!((0.7..0.8).contains(&x), "{x}");
        assert_eq!(map.nearest_fitting([0.97, 0.5], 0.1), None);
    }
}
