//! The floor as the gateway knows it: a robot's own map, the map of another robot of the site, or none.

use latimer_core::hub::Shared;
use latimer_core::model::Kind;
use latimer_core::model::signal::OccupancyGrid;
use latimer_core::{Hub, RobotId, Signal};

use crate::{Grid, Known, KnownMap};

/// The part of a robot's map, if its maps have parts.
pub(super) const PART: &str = "map";

/// Side of the cells that ways are planned on, metres.
const CELL_M: f64 = 0.05;

/// Most cells that are planned on; a larger floor has larger ones.
const MOST_CELLS: f64 = 1e6;

/// How much free floor is assumed around start and goal where there is no map, metres.
const AROUND_M: f64 = 5.0;

/// The floor on the map of a robot, for which a way is planned.
pub(super) struct Floor {
    pub(super) known: KnownMap,
    /// Whether a map says so.
    pub(super) is_mapped: bool,
}

impl Floor {
    /// The floor for a robot that goes through points: of the first map that has all of them, its own one first.
    pub(super) fn of(hub: &Hub, robot: &RobotId, points: &[[f64; 2]]) -> Self {
        let robots = hub.robots().into_iter().map(|it| it.info.robot);
        let others = robots.filter(|other| other != robot);
        let maps = std::iter::once(robot.clone()).chain(others);
        let known = maps.filter_map(|owner| known(hub, robot, &owner));
        match known.into_iter().find(|known| points.iter().all(|point| known.grid.cell_of(*point).is_some()))
        {
            Some(known) => Self { known, is_mapped: true },
            None => Self { known: free(points), is_mapped: false },
        }
    }
}

/// The map of an owner, on the map of a robot.
fn known(hub: &Hub, robot: &RobotId, owner: &RobotId) -> Option<KnownMap> {
    let last = hub.last_of_parts(owner, Kind::Map);
    let grid = last.iter().find_map(|update| occupancy(update))?;
    // The lower left corner, along whose sides the cells lie.
    let frame = grid.corner().out_of(hub.frame_on_map(robot, owner, grid.frame)?);
    let (width, height) = (grid.width as usize, grid.height as usize);
    let cells: Vec<i8> = grid.cells.iter().map(|cell| i8::from_ne_bytes([*cell])).collect();
    if cells.len() != width.checked_mul(height)? || !frame.is_finite() {
        return None;
    }
    let floor = width as f64 * height as f64 * grid.resolution_m * grid.resolution_m;
    let cells = Grid { resolution_m: grid.resolution_m, origin_m: [0.0; 2], width, height, cells };
    Some(KnownMap::of_occupancy(&cells, frame, cell_m(floor).max(grid.resolution_m)))
}

fn occupancy(update: &Shared) -> Option<&OccupancyGrid> {
    // Other parts are costs of a robot's own planner.
    if update.part.as_ref().is_some_and(|part| part.as_str() != PART) {
        return None;
    }
    match &update.signal {
        Signal::Map(grid) if grid.resolution_m > 0.0 && grid.resolution_m.is_finite() => Some(grid),
        _ => None,
    }
}

/// Free floor around points.
fn free(points: &[[f64; 2]]) -> KnownMap {
    let edge = |pick: fn(f64, f64) -> f64, from: f64| {
        [0, 1].map(|axis| points.iter().fold(from, |edge, point| pick(edge, point[axis])))
    };
    let (low, high) = (edge(f64::min, f64::INFINITY), edge(f64::max, f64::NEG_INFINITY));
    let side = |axis: usize| high[axis] - low[axis] + 2.0 * AROUND_M;
    KnownMap { grid: Grid::over(low, high, AROUND_M, cell_m(side(0) * side(1)), Known::Free) }
}

/// The side of the cells of a floor of so many square metres.
fn cell_m(square_m: f64) -> f64 {
    (square_m / MOST_CELLS).sqrt().max(CELL_M)
}
