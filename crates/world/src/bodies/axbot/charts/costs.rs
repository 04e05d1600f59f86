//! How dear it is to be where, around the robot: what is known or seen to be there, and a berth about it.
//!
//! As ROS's inflation layer has it: an obstacle, then so near that the robot's middle cannot be there, then
//! ever cheaper.

use crate::geometry::Pose2;
use crate::nav::{Berth, CostMap, Grid, Known, KnownMap, Obstacles};

/// What an obstacle costs, and where the robot would touch one however it is turned (published, of ROS).
const OBSTACLE: i8 = 100;
const TOUCHING: i8 = 99;

/// What is not known costs (published, of ROS).
const UNKNOWN: i8 = -1;

/// The dearest cost of where the robot may be, at the inscribed radius (published, of ROS).
const DEAREST: f64 = 98.0;

/// How far beyond the inscribed radius costs have fallen to 1, metres (plausible); beyond is free.
const FADING_M: f64 = 0.5;

/// A square around the robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    /// Cells along each side.
    pub(super) cells: usize,
    /// Side of a cell, metres.
    pub(super) resolution_m: f64,
}

/// What costs are made of.
pub(super) struct Chart<'a> {
    /// The origin of the frame of the published costs, on the map.
    pub(super) frame: Pose2,
    /// Where the robot believes to be, on the map.
    pub(super) believed: Pose2,
    /// What is known to be there.
    pub(super) known: &'a KnownMap,
    /// What is seen there now.
    pub(super) obstacles: &'a Obstacles,
    /// Radius of the largest circle within the robot's outline, metres.
    pub(super) inscribed_m: f64,
}

impl Chart<'_> {
    /// The costs in a window about the robot, along the axes of the frame: 100 is an obstacle, 0 is free, -1
    /// is beyond the map.
    pub(super) fn costs(&self, window: Window, time_s: f64) -> Grid<i8> {
        let mut costs = self.empty(window, 0, 0_i8);
        let distances = self.distances(window, time_s);
        for index in 0..costs.cells.len() {
            let middle = costs.middle_of(costs.cell(index));
            let [x, y] = self.frame.point_out(middle[0], middle[1]);
            let off_m = distances.clearance_m(middle);
            costs.cells[index] = match (self.known.grid.at([x, y]), cost(off_m, self.inscribed_m)) {
                (None, _) => UNKNOWN,
                (Some(Known::Unknown), cost) if cost < TOUCHING => UNKNOWN,
                (Some(_), cost) => cost,
            };
        }
        costs
    }

    /// How far each cell is from an obstacle; what is just outside of the window counts, too.
    fn distances(&self, window: Window, time_s: f64) -> CostMap {
        let reach_m = self.inscribed_m + FADING_M;
        let more = (reach_m / window.resolution_m).ceil() as usize + 1;
        let mut blocked = self.empty(window, more, false);
        // Half the window's diagonal, in cells of the map.
        let side_m = blocked.width as f64 * blocked.resolution_m;
        let cells = (side_m * std::f64::consts::FRAC_1_SQRT_2 / self.known.grid.resolution_m).ceil() as i32;
        let grid = &self.known.grid;
        let about = grid.around(grid.cell_at([self.believed.x_m, self.believed.y_m]), cells + 1);
        for (cell, _) in about.filter(|(_, known)| !matches!(known, Known::Free | Known::Unknown)) {
            blocked.fill(&self.square(grid.middle_of(cell)), true);
        }
        for point in self.obstacles.points(time_s) {
            blocked.fill(&self.square(point), true);
        }
        CostMap::new(&blocked, Berth { radius_m: self.inscribed_m, margin_m: FADING_M })
    }

    /// A cell of the map about its middle, in the frame.
    fn square(&self, [x, y]: [f64; 2]) -> [[f64; 2]; 4] {
        let half = self.known.grid.resolution_m / 2.0;
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        corners.map(|[dx, dy]| self.frame.point_in(x + dx, y + dy))
    }

    /// A grid over a window and some cells more on each side; its cells lie as those of the map do, as far
    /// as the frame is not turned, so that walls do not seem to move when the robot does.
    fn empty<T: Copy>(&self, window: Window, more: usize, fill: T) -> Grid<T> {
        let resolution_m = window.resolution_m;
        let side = window.cells + 2 * more;
        let anchor = self.frame.point_in(self.known.grid.origin_m[0], self.known.grid.origin_m[1]);
        let middle = self.frame.point_in(self.believed.x_m, self.believed.y_m);
        let half_m = window.cells as f64 * resolution_m / 2.0;
        let origin_m = [0, 1].map(|axis| {
            let cells = ((middle[axis] - half_m - anchor[axis]) / resolution_m).round();
            anchor[axis] + (cells - more as f64) * resolution_m
        });
        Grid { resolution_m, origin_m, width: side, height: side, cells: vec![fill; side * side] }
    }
}

/// What it costs to be so far from an obstacle, metres from middle to middle of cells.
fn cost(off_m: f64, inscribed_m: f64) -> i8 {
    // Distances are rounded to `f32`.
    let beyond_m = off_m - inscribed_m - 1e-6;
    if off_m <= 0.0 {
        OBSTACLE
    } else if beyond_m <= 0.0 {
        TOUCHING
    } else if beyond_m <= FADING_M {
        (DEAREST.powf(1.0 - beyond_m / FADING_M)).round() as i8
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nav::Shapes;

    const WIDE: Window = Window { cells: 200, resolution_m: 0.05 };
    const FINE: Window = Window { cells: 300, resolution_m: 0.01 };

    fn room() -> KnownMap {
        let wall = vec![[4.0, 1.0], [4.05, 1.0], [4.05, 5.0], [4.0, 5.0]];
        KnownMap::of(&Shapes { size_m: [8.0, 6.0], solid: vec![wall], ..Shapes::default() }, 0.05)
    }

    /// The costs about a place, with something felt at a point if there is one.
    fn costs(at: [f64; 2], window: Window, felt: Option<[f64; 2]>) -> Grid<i8> {
        let known = room();
        let mut obstacles = Obstacles::new(&known.grid);
        if let Some(point) = felt {
            obstacles.feel(point, 0.9);
        }
        let (frame, believed) = (Pose2::default(), Pose2::new(at[0], at[1], 0.4));
        Chart { frame, believed, known: &known, obstacles: &obstacles, inscribed_m: 0.2 }.costs(window, 1.0)
    }

    #[test]
    fn a_wall_is_at_its_cells_and_dear_around() {
        let costs = costs([3.01, 3.02], WIDE, None);
        let row: Vec<i8> = (0..24).map(|i| costs.at([4.025 - 0.05 * f64::from(i), 3.02]).unwrap()).collect();
        assert_eq!(row[..5], [100, 99, 99, 99, 99]);
        assert!(row[5..15].windows(2).all(|pair| pair[0] > pair[1]), "{row:?}");
        assert!(row[5] < 99 && row[14] >= 1 && row[15..].iter().all(|it| *it == 0), "{row:?}");
        assert_eq!(costs.at([4.075, 3.02]), Some(99));
        assert_eq!(costs.at([-1.0, 3.0]), Some(-1), "beyond the map");
    }

    #[test]
    fn fine_cells_show_the_same_wall() {
        let costs = costs([3.2, 3.0], FINE, None);
        let at = |x: f64| costs.at([x, 3.005]).unwrap();
        assert_eq!([3.995, 4.005, 4.045, 4.055].map(at), [99, 100, 100, 99]);
        assert!(at(3.75) < 99 && at(3.75) > at(3.5) && at(3.25) == 0);
    }

    #[test]
    fn a_wall_just_outside_is_dear_within() {
        let costs = costs([2.45, 3.0], FINE, None);
        assert_eq!((costs.at([3.94, 3.0]), costs.at([4.005, 3.0])), (Some(99), None));
    }

    #[test]
    fn what_is_seen_now_counts() {
        assert_eq!(costs([2.0, 3.0], WIDE, None).at([1.02, 3.02]), Some(0));
        let costs = costs([2.0, 3.0], WIDE, Some([1.02, 3.02]));
        assert_eq!((costs.at([1.02, 3.02]), costs.at([1.12, 3.02])), (Some(100), Some(99)));
    }

    #[test]
    fn a_turned_frame_has_no_holes_in_its_walls() {
        let (known, believed) = (room(), Pose2::new(3.0, 3.0, 0.0));
        let obstacles = Obstacles::new(&known.grid);
        let frame = Pose2::new(1.0, 1.0, 0.6);
        let chart = Chart { frame, believed, known: &known, obstacles: &obstacles, inscribed_m: 0.2 };
        let costs = chart.costs(WIDE, 1.0);
        for i in 0..300 {
            let [x, y] = frame.point_in(4.025, 1.5 + 0.01 * f64::from(i));
            assert_eq!(costs.at([x, y]), Some(100));
        }
    }
}
