//! The maps of a robot as its requests need them: the store, brought up to date, with the cells that the robot has.

use std::sync::Arc;

use bytes::Bytes;
use latimer_core::model::signal::{Localization, LocalizationState, OccupancyGrid};
use latimer_core::model::{Kind, MapUse, Signal};
use latimer_core::{Author, Command};

use super::dispatch::dispatch;
use super::wait_for;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::map_store::Map;
use crate::axbot::picture::{Paint, png_from_grid};
use crate::axbot::rest::problem::Problem;

/// Longest side of a small picture, pixels.
const SMALL: u32 = 200;

/// Takes in which map the robot said last that it drives by.
pub(super) fn catch_up(robot: &FacadeRobot) {
    if let Some(last) = robot.last(Kind::MapInfo)
        && let Signal::MapInfo(info) = &last.signal
    {
        robot.rest_state.maps().observe(info, last.received, robot.hub.clock().now());
    }
}

/// A map by its number.
pub(super) fn find(robot: &FacadeRobot, id: i64) -> Result<Arc<Map>, Problem> {
    catch_up(robot);
    let found = robot.rest_state.maps().get(id).cloned();
    found.ok_or_else(|| {
        Problem::NotFound(format!("there is no map {id}; GET /maps/ lists those that there are"))
    })
}

/// The same with its cells, for which the robot may have to be listened to.
pub(super) async fn find_with_cells(robot: &FacadeRobot, id: i64) -> Result<Arc<Map>, Problem> {
    let map = find(robot, id)?;
    let is_current = robot.rest_state.maps().current().is_some_and(|current| current.id == id);
    if map.grid.is_some() || !map.of_robot || !is_current || makes_map(robot) {
        return Ok(map);
    }
    let since = map.since;
    let reported = wait_for::update(robot, Kind::Map, "map", |update| update.received >= since).await;
    // An earlier map is better than nothing; a robot may publish its map only once.
    let reported = reported.or_else(|| robot.last_of(Kind::Map, "map"));
    let Some(Signal::Map(grid)) = reported.map(|update| update.signal.clone()) else { return Ok(map) };
    let mut map_store = robot.rest_state.maps();
    // It may have changed meanwhile.
    let Some(map) = map_store.get(id).cloned() else { return Ok(map) };
    if map.since != since || map.grid.is_some() {
        return Ok(map);
    }
    let with_cells = Map { grid: Some(grid.upright().into_owned()), ..Map::clone(&map) };
    // A map that there is no room for is asked for again the next time.
    Ok(map_store.put(with_cells.clone(), &robot.robot).unwrap_or_else(|_| Arc::new(with_cells)))
}

/// Whether the cells that the robot tells are those of a map that is not done yet.
pub(super) fn makes_map(robot: &FacadeRobot) -> bool {
    match robot.record::<Localization>() {
        Some(localization) => localization.state == LocalizationState::Mapping,
        None => *robot.rest_state.makes_map.borrow(),
    }
}

/// Commands the robot to use a map; its cells are sent, too, unless it has them.
pub(super) async fn use_map(
    robot: &FacadeRobot,
    author: &Author,
    map: &Map,
    has_cells: bool,
) -> Result<(), Problem> {
    if !has_cells && !map.of_robot && map.grid.is_none() {
        return Err(Problem::Bad(format!(
            "the cells of map {} are not known, and only a chassis reads its carto_map; give an occupancy_grid",
            map.id
        )));
    }
    let grid = if has_cells { None } else { map.grid.clone() };
    dispatch(robot, author, Command::UseMap(Some(Box::new(MapUse { info: map.info(), grid })))).await
}

/// A map as a PNG file, if its cells are known.
pub(super) fn png(map: &Map) -> Option<Bytes> {
    map.png.clone().or_else(|| map.grid.as_ref().map(|grid| png_from_grid(grid, Paint::Map)))
}

/// The same, small.
pub(super) fn small_png(grid: &OccupancyGrid) -> Bytes {
    let step = grid.width.max(grid.height).div_ceil(SMALL).max(1);
    if step == 1 {
        return png_from_grid(grid, Paint::Map);
    }
    let (width, height) = (grid.width.div_ceil(step), grid.height.div_ceil(step));
    let mut cells = Vec::with_capacity(width as usize * height as usize);
    for row in 0..height {
        for column in 0..width {
            cells.push(most_occupied(grid, column * step, row * step, step));
        }
    }
    let resolution_m = grid.resolution_m * f64::from(step);
    png_from_grid(
        &OccupancyGrid { width, height, resolution_m, cells: cells.into(), ..grid.clone() },
        Paint::Map,
    )
}

/// Walls are thin; one that is left out would be missed.
fn most_occupied(grid: &OccupancyGrid, column: u32, row: u32, step: u32) -> u8 {
    let rows = row..(row + step).min(grid.height);
    let cells = rows.flat_map(|row| {
        let begin = row as usize * grid.width as usize;
        let columns = column as usize..(column + step).min(grid.width) as usize;
        grid.cells.get(begin + columns.start..begin + columns.end).unwrap_or_default()
    });
    cells.map(|cell| cell.cast_signed()).max().unwrap_or(-1).cast_unsigned()
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_small_picture_leaves_no_wall_out() {
        let cells: Vec<u8> = (0..9).map(|i| if i == 4 { 100 } else { 0 }).collect();
        let grid = OccupancyGrid {
            resolution_m: 0.05,
            width: 3,
            height: 3,
            cells: cells.into(),
            ..OccupancyGrid::UPRIGHT
        };
        assert_eq!(most_occupied(&grid, 0, 0, 2), 100);
        assert_eq!(most_occupied(&grid, 2, 2, 2), 0);
        let unknown = OccupancyGrid { cells: vec![255; 9].into(), ..grid };
        assert_eq!(most_occupied(&unknown, 0, 0, 2), 255);
    }
}
