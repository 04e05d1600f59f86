//! `/chassis/current-map`

use std::sync::Arc;

use latimer_core::{Author, Command};

use super::atlas::{self, find, find_with_cells, use_map};
use super::call::Call;
use super::dispatch::dispatch;
use super::mappings;
use super::maps::{empty, fill, given, item};
use super::reply::{Reply, done};
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::map_store::{Map, UNSAVED};
use crate::axbot::rest::fields::{FieldError, needed};
use crate::axbot::rest::problem::Problem;

/// The map that the robot drives by.
pub(super) fn get(robot: &FacadeRobot) -> Result<Reply, Problem> {
    atlas::catch_up(robot);
    match robot.rest_state.maps().current() {
        Some(map) => Ok(Reply::ok(&item(map, None))),
        None => Err(Problem::NotFound(format!("{} drives by no map now", robot.robot))),
    }
}

/// Makes the robot drive by a map: one of the list, or one that is given. The same map again is read anew.
pub(super) async fn set(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    atlas::catch_up(robot);
    let before = robot.rest_state.maps().current().map(|map| map.id);
    let map = wanted(robot, call).await?;
    // A later return to the robot's own map finds its cells in the store.
    if let Some(before) = before.filter(|before| *before != map.id) {
        let _ = find_with_cells(robot, before).await;
    }
    mappings::give_way(robot, &call.author).await?;
    let asked = robot.hub.clock().now();
    let has_cells = before == Some(map.id) && map.id != UNSAVED;
    use_map(robot, &call.author, &map, has_cells).await?;
    let mut map_store = robot.rest_state.maps();
    let map = if map.id == UNSAVED { map_store.put(Map::clone(&map), &call.author)? } else { map };
    map_store.choose(Some(map.id), asked);
    Ok(Reply::ok(&item(&map, None)))
}

async fn wanted(robot: &FacadeRobot, call: &Call) -> Result<Arc<Map>, Problem> {
    let fields = &call.fields;
    if let Some(id) = fields.integer("map_id")? {
        return find(robot, id);
    }
    if let Some(uid) = fields.text("map_uid")? {
        let found = robot.rest_state.maps().by_uid(&uid).cloned();
        let shown: String = uid.chars().take(80).collect();
        let missing = || {
            Problem::NotFound(format!(
                "there is no map of uid {shown:?}; GET /maps/ lists those that there are"
            ))
        };
        return found.ok_or_else(missing);
    }
    let request = given(robot, call).await??;
    if request.cells.is_none() {
        let problem = "is required, or map_uid, or a map itself: map_name, occupancy_grid, grid_origin_x, \
                       grid_origin_y, grid_resolution";
        return Err(FieldError::new("map_id", problem).into());
    }
    needed("map_name", request.name.as_ref())?;
    let mut map = Map { id: UNSAVED, ..empty(robot) };
    fill(&mut map, request);
    Ok(Arc::new(map))
}

/// Makes the robot drive by no map.
pub(super) async fn clear(robot: &FacadeRobot, author: &Author) -> Result<Reply, Problem> {
    atlas::catch_up(robot);
    let before = robot.rest_state.maps().current().map(|map| map.id);
    if let Some(before) = before {
        let _ = find_with_cells(robot, before).await;
    }
    mappings::give_way(robot, author).await?;
    let asked = robot.hub.clock().now();
    dispatch(robot, author, Command::UseMap(None)).await?;
    robot.rest_state.maps().choose(None, asked);
    Ok(Reply::ok(&done()))
}
