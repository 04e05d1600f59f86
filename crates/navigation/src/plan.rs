//! A way from here to there: A* on the cells, made straight where that is no dearer, cut into even pieces.

use pathfinding::prelude::astar;

use super::shorten::{even_pieces, shorten};
use super::{Cell, CostMap};

/// How far beyond its radius a robot may be from where it fits and still find out, metres.
const LEEWAY_M: f64 = 0.1;

/// Length of a piece of a plan, metres.
const PIECE_M: f64 = 0.1;

/// Cost of a step to a side and across, before the cell's own cost is applied.
const ASIDE: u32 = 10;
const ACROSS: u32 = 14;

/// Cost of a free cell, as [`CostMap::cost`] has it.
const FREE: u32 = 10;

/// A way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Its points, from the start to the goal, none farther than a decimetre from the next.
    pub points_m: Vec<[f64; 2]>,
    /// How long it is, metres.
    pub length_m: f64,
}

/// Why there is no way.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The robot is not where it could be.
    #[error("the robot at x {x_m:.2} m, y {y_m:.2} m is off the map or within something")]
    StartBlocked {
        /// East of the origin.
        x_m: f64,
        /// North of the origin.
        y_m: f64,
    },
    /// The map does not reach there.
    #[error("the goal at x {x_m:.2} m, y {y_m:.2} m is off the map")]
    GoalOutside {
        /// East of the origin.
        x_m: f64,
        /// North of the origin.
        y_m: f64,
    },
    /// Something is there.
    #[error(
        "the robot does not fit at the goal at x {x_m:.2} m, y {y_m:.2} m; choose one farther from walls"
    )]
    GoalBlocked {
        /// East of the origin.
        x_m: f64,
        /// North of the origin.
        y_m: f64,
    },
    /// Everything between is closed.
    #[error("there is no way to the goal at x {x_m:.2} m, y {y_m:.2} m that is wide enough")]
    NoWay {
        /// East of the origin.
        x_m: f64,
        /// North of the origin.
        y_m: f64,
    },
}

/// Finds a way; one that ends within `tolerance_m` of the goal will do if the goal itself is taken.
pub fn plan(map: &CostMap, from: [f64; 2], goal: [f64; 2], tolerance_m: f64) -> Result<Plan, PlanError> {
    let [x_m, y_m] = goal;
    let start = start(map, from, goal)?;
    let end = map.nearest_fitting(goal, tolerance_m).ok_or(PlanError::GoalBlocked { x_m, y_m })?;
    let to = map.grid().cell_at(end);
    let cells = search(map, map.grid().cell_at(start), to, 0.0, |cell| *cell == to);
    Ok(way(map, from, start, &cells.ok_or(PlanError::NoWay { x_m, y_m })?, end))
}

/// Finds the cheapest way to any point within a radius of the goal, which may itself be taken, with none of the `walls`
/// between.
pub fn plan_into(
    map: &CostMap,
    walls: &CostMap,
    from: [f64; 2],
    goal: [f64; 2],
    radius_m: f64,
) -> Result<Plan, PlanError> {
    let [x_m, y_m] = goal;
    let start = start(map, from, goal)?;
    let grid = map.grid();
    let is_within = |cell: &Cell| {
        let [x, y] = grid.middle_of(*cell);
        (x - x_m).hypot(y - y_m) <= radius_m && walls.leads_out(goal, [x, y])
    };
    let cells = search(map, grid.cell_at(start), grid.cell_at(goal), radius_m, is_within);
    let cells = cells.ok_or(PlanError::NoWay { x_m, y_m })?;
    let end = cells.last().map_or(start, |cell| grid.middle_of(*cell));
    Ok(way(map, from, start, &cells, end))
}

/// Where a way begins: where the robot is, or beside, if it does not fit there by a little.
fn start(map: &CostMap, from: [f64; 2], goal: [f64; 2]) -> Result<[f64; 2], PlanError> {
    let grid = map.grid();
    if grid.cell_of(goal).is_none() {
        return Err(PlanError::GoalOutside { x_m: goal[0], y_m: goal[1] });
    }
    let start = grid.cell_of(from).and_then(|_| map.nearest_fitting(from, map.berth().radius_m + LEEWAY_M));
    start.ok_or(PlanError::StartBlocked { x_m: from[0], y_m: from[1] })
}

/// The way over cells, from exactly where it begins to exactly where it ends.
fn way(map: &CostMap, from: [f64; 2], start: [f64; 2], cells: &[Cell], end: [f64; 2]) -> Plan {
    let grid = map.grid();
    let mut points: Vec<[f64; 2]> = vec![from];
    if start != from {
        points.push(start);
    }
    points.extend(cells.iter().skip(1).map(|cell| grid.middle_of(*cell)));
    if points.len() > 1 && cells.len() > 1 {
        points.pop();
    }
    points.push(end);
    even_pieces(&shorten(map, &points), PIECE_M)
}

/// The cheapest cells from one to one that is the end, which is within a radius of `to`; both included.
fn search(
    map: &CostMap,
    from: Cell,
    to: Cell,
    radius_m: f64,
    is_end: impl Fn(&Cell) -> bool,
) -> Option<Vec<Cell>> {
    let spared = (radius_m / map.grid().resolution_m).ceil() as u32 * FREE * ACROSS;
    let near = |cell: &Cell| {
        let [dx, dy] = [0, 1].map(|axis| cell[axis].abs_diff(to[axis]));
        (FREE * (ASIDE * dx.max(dy) + (ACROSS - ASIDE) * dx.min(dy))).saturating_sub(spared)
    };
    astar(&from, |cell| steps(map, *cell), near, is_end).map(|(cells, _)| cells)
}

/// The neighbours of a cell and what going there costs; corners are not cut.
fn steps(map: &CostMap, [x, y]: Cell) -> impl Iterator<Item = (Cell, u32)> {
    let side = |dx: i32, dy: i32| map.cost([x + dx, y + dy]).map(u32::from);
    let [east, west, north, south] = [side(1, 0), side(-1, 0), side(0, 1), side(0, -1)];
    let aside = |cost: Option<u32>, dx: i32, dy: i32| cost.map(|it| ([x + dx, y + dy], it * ASIDE));
    let across = |a: Option<u32>, b: Option<u32>, dx: i32, dy: i32| {
        a.and(b).and_then(|_| side(dx, dy)).map(|it| ([x + dx, y + dy], it * ACROSS))
    };
    let all = [
        aside(east, 1, 0),
        aside(west, -1, 0),
        aside(north, 0, 1),
        aside(south, 0, -1),
        across(east, north, 1, 1),
        across(west, north, -1, 1),
        across(west, south, -1, -1),
        across(east, south, 1, -1),
    ];
    all.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Berth, Grid};

    const BERTH: Berth = Berth { radius_m: 0.2, margin_m: 0.3 };

    fn map(walls: &[[[f64; 2]; 2]]) -> CostMap {
        let mut blocked = Grid::over([0.0, 0.0], [4.0, 4.0], 0.0, 0.05, false);
        for [low, high] in walls {
            blocked.fill(&[*low, [high[0], low[1]], *high, [low[0], high[1]]], true);
        }
        CostMap::new(&blocked, BERTH)
    }

    #[test]
    fn a_free_way_is_straight_and_exact_at_both_ends() {
        let plan = plan(&map(&[]), [0.51, 0.52], [3.33, 2.77], 0.0).unwrap();
        assert!((plan.length_m - (2.82_f64).hypot(2.25)).abs() < 1e-9);
        assert_eq!(plan.points_m.first(), Some(&[0.51, 0.52]));
        assert_eq!(plan.points_m.last(), Some(&[3.33, 2.77]));
        let longest = plan.points_m.windows(2).map(|it| (it[1][0] - it[0][0]).hypot(it[1][1] - it[0][1]));
        assert!(longest.fold(0.0, f64::max) <= PIECE_M + 1e-9);
    }

    #[test]
    fn the_same_place_is_a_plan_of_no_length() {
        let plan = plan(&map(&[]), [1.0, 1.0], [1.0, 1.0], 0.0).unwrap();
        assert_eq!((plan.length_m, plan.points_m.len()), (0.0, 2));
    }

    #[test]
    fn a_way_around_a_wall_keeps_off_it() {
        let map = map(&[[[2.0, 0.0], [2.1, 3.0]]]);
        let plan = plan(&map, [1.0, 1.0], [3.0, 1.0], 0.0).unwrap();
        assert!((4.5..6.0).contains(&plan.length_m), "{}", plan.length_m);
        assert!(plan.points_m.iter().all(|point| map.clearance_m(*point) > 0.35), "{plan:?}");
    }

    #[test]
    fn each_way_to_have_no_way_has_its_name() {
        let closed = map(&[
            [[2.0, 2.0], [3.5, 2.1]],
            [[2.0, 2.0], [2.1, 3.5]],
            [[2.0, 3.4], [3.5, 3.5]],
            [[3.4, 2.0], [3.5, 3.5]],
        ]);
        let ask = |from, goal, tolerance| plan(&closed, from, goal, tolerance).unwrap_err();
        assert!(matches!(ask([1.0, 1.0], [9.0, 1.0], 0.1), PlanError::GoalOutside { .. }));
        assert!(matches!(ask([1.0, 1.0], [f64::NAN, 1.0], 0.1), PlanError::GoalOutside { .. }));
        assert!(matches!(ask([1.0, 1.0], [2.05, 2.9], 0.1), PlanError::GoalBlocked { .. }));
        assert!(matches!(ask([1.0, 1.0], [2.75, 2.75], 0.1), PlanError::NoWay { .. }));
        assert!(matches!(ask([-1.0, 1.0], [1.0, 1.0], 0.1), PlanError::StartBlocked { .. }));
        assert!(plan(&closed, [1.0, 1.0], [1.9, 2.9], 0.25).is_ok(), "nearly there will do");
    }

    #[test]
    fn a_place_that_is_taken_is_met_from_this_side() {
        // Somebody of whom this side alone is seen: what is behind looks free, and is nearer to the middle.
        let map = self::map(&[[[1.8, 1.8], [2.2, 1.85]]]);
        let (from, person) = ([2.0, 0.5], [2.0, 2.0]);
        let walls = self::map(&[]);
        let ahead = plan_into(&map, &walls, from, person, 0.8).unwrap();
        assert!(ahead.length_m < 0.8 && ahead.points_m.last().unwrap()[1] < 1.5, "{ahead:?}");
        let behind = plan(&map, from, person, 0.8).unwrap();
        assert!(behind.points_m.last().unwrap()[1] > 1.8, "{behind:?}");
        let already = plan_into(&map, &walls, [2.0, 1.3], person, 0.8).unwrap();
        assert!(already.length_m < 0.1, "{already:?}");
        let wall = self::map(&[[[0.0, 1.4], [3.0, 1.45]]]);
        let around = plan_into(&wall, &wall, from, person, 0.8).unwrap();
        assert!(around.points_m.last().unwrap()[1] > 1.6, "{around:?}");
    }

    #[test]
    fn a_start_beside_a_wall_is_forgiven() {
        let map = map(&[[[2.0, 0.0], [2.1, 3.0]]]);
        assert!(plan(&map, [1.9, 1.0], [1.0, 1.0], 0.0).unwrap().length_m < 1.0);
    }
}
