//! `/maps`

use std::sync::Arc;

use bytes::Bytes;
use latimer_core::memory::Share;
use latimer_core::model::signal::OccupancyGrid;
use latimer_core::{Author, Timestamp};

use super::atlas::{self, find, find_with_cells, use_map};
use super::call::{Base, Call};
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::map_store::{Map, MapStore, MapStoreFull};
use crate::axbot::facade::state::mapping_store::State;
use crate::axbot::overlays::overlays_from_features;
use crate::axbot::pbstream::pbstream_from_grid;
use crate::axbot::rest::fields::{FieldError, needed};
use crate::axbot::rest::map_object::{GridPlace, MapDetail, MapDownload, MapItem, MapUrls};
use crate::axbot::rest::map_request::{MapRequest, base64_from_file};
use crate::axbot::rest::move_object::seconds;
use crate::axbot::rest::place::File;
use crate::axbot::rest::problem::Problem;

impl From<MapStoreFull> for Problem {
    fn from(full: MapStoreFull) -> Self {
        match full {
            MapStoreFull::Memory(exceeded) => exceeded.into(),
            full => Self::Bad(full.to_string()),
        }
    }
}

/// All maps, or the one of a name that distinguishes all maps anywhere.
pub(super) fn list(robot: &FacadeRobot, call: &Call) -> Reply {
    atlas::catch_up(robot);
    let uid = call.asked("uid");
    let maps = robot.rest_state.maps();
    let asked = maps.list().filter(|map| uid.is_none() || uid == map.uid.as_deref());
    Reply::ok(&asked.map(|map| item(map, Some(&call.base))).collect::<Vec<_>>())
}

/// A map as it is listed; the present one is listed without addresses.
pub(super) fn item(map: &Map, base: Option<&Base>) -> MapItem {
    let urls = base.map(|base| {
        let url = |ending: &str| base.url(&format!("maps/{}{ending}", map.id));
        MapUrls { thumbnail_url: url("/thumbnail"), image_url: url(".png"), url: url("") }
    });
    MapItem {
        id: map.id,
        uid: map.uid.clone(),
        map_name: map.name.clone(),
        create_time: seconds(map.created),
        map_version: map.version,
        overlays_version: map.overlays_version,
        urls,
    }
}

fn grid_place(grid: &OccupancyGrid) -> GridPlace {
    GridPlace {
        grid_origin_x: grid.origin_x_m,
        grid_origin_y: grid.origin_y_m,
        grid_resolution: grid.resolution_m,
    }
}

fn detail(map: &Map, base: &Base) -> MapDetail {
    MapDetail {
        item: item(map, Some(base)),
        last_modified_time: seconds(map.modified),
        grid: map.grid.as_ref().map(grid_place),
        overlays: map.overlays.clone(),
        pbstream_url: has_pbstream(map).then(|| base.url(&format!("maps/{}.pbstream", map.id))),
        download_url: base.url(&format!("maps/{}/download", map.id)),
    }
}

fn has_pbstream(map: &Map) -> bool {
    map.pbstream.is_some() || map.grid.is_some()
}

/// The scanner's own map: as it was given, or made of the cells.
fn pbstream(map: &Map) -> Option<Bytes> {
    map.pbstream.clone().or_else(|| map.grid.as_ref().map(pbstream_from_grid))
}

/// All that is known of a map.
pub(super) async fn get(robot: &FacadeRobot, id: i64, call: &Call) -> Result<Reply, Problem> {
    Ok(Reply::ok(&detail(&*find_with_cells(robot, id).await?, &call.base)))
}

/// What is given of a map; cells and marks are decoded beside the tasks that serve clients.
pub(super) async fn given(
    robot: &FacadeRobot,
    call: &Call,
) -> Result<Result<MapRequest, FieldError>, Problem> {
    if !["occupancy_grid", "carto_map", "overlays"].iter().any(|field| call.fields.has(field)) {
        return Ok(MapRequest::read(&call.fields));
    }
    let fields = call.fields.clone();
    let read = move || MapRequest::read(&fields);
    Ok(robot.hub.memory().decode(Share::Maps, &call.author, read).await?)
}

/// A file of a map.
pub(super) async fn file(robot: &FacadeRobot, id: i64, file: File, call: &Call) -> Result<Reply, Problem> {
    let map = find_with_cells(robot, id).await?;
    let missing = || {
        Problem::NotFound(format!(
            "the cells of map {id} are not known; the robot did not tell them within 3 s"
        ))
    };
    let memory = robot.hub.memory();
    let encoded = async |encode: fn(&Map) -> Option<Bytes>| {
        let map = map.clone();
        memory.decode(Share::Maps, &call.author, move || encode(&map)).await
    };
    match file {
        File::Pbstream => Ok(Reply::download(encoded(pbstream).await?.ok_or_else(missing)?, &call.headers)),
        File::Thumbnail => {
            let small = encoded(|map| map.grid.as_ref().map(atlas::small_png)).await?;
            Ok(Reply::file("image/png", small.ok_or_else(missing)?))
        }
        File::Download => Ok(Reply::ok(&MapDownload {
            item: item(&map, None),
            grid: map.grid.as_ref().map(grid_place),
            overlays: map.overlays.clone(),
            occupancy_grid: encoded(atlas::png).await?.map(|png| base64_from_file(&png)),
            carto_map: encoded(pbstream).await?.map(|it| base64_from_file(&it)),
        })),
        _ => Ok(Reply::file("image/png", encoded(atlas::png).await?.ok_or_else(missing)?)),
    }
}

/// Makes a map, of what is given or of what was mapped.
pub(super) async fn create(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    atlas::catch_up(robot);
    let mapping = call.fields.integer("mapping_id").map_err(Problem::Field)?;
    let mut request = given(robot, call).await?.map_err(Problem::Field)?;
    needed("map_name", request.name.as_ref()).map_err(Problem::Field)?;
    let mut map = match mapping {
        Some(id) => of_mapping(robot, id)?,
        None => {
            let missing = match request.pbstream {
                None => "is required: base64 of a PNG file; or give the mapping_id of a finished mapping",
                Some(_) => "is required: the carto_map was not made here, and only a chassis can read it",
            };
            let missing = || Problem::Field(FieldError::new("occupancy_grid", missing));
            request.cells.as_ref().ok_or_else(missing)?;
            empty(robot)
        }
    };
    if mapping.is_some() {
        request.cells = None;
    }
    fill(&mut map, request);
    let map = put(robot, &call.author, map)?;
    Ok(Reply::created(&item(&map, Some(&call.base))))
}

/// A map that nothing was given of yet.
pub(super) fn empty(robot: &FacadeRobot) -> Map {
    let now = robot.hub.clock().now();
    Map {
        id: 0,
        uid: Some(uid()),
        name: String::new(),
        version: Some(1),
        overlays_version: Some(1),
        overlays: overlays_from_features(&[]),
        features: Vec::new(),
        created: now,
        modified: now,
        grid: None,
        png: None,
        pbstream: None,
        of_robot: false,
        since: Timestamp::default(),
    }
}

/// A name that no other map has: 24 hexadecimal digits.
fn uid() -> String {
    rand::random::<[u8; 12]>().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_mapping(robot: &FacadeRobot, id: i64) -> Result<Map, Problem> {
    let mappings = robot.rest_state.mappings();
    let wrong = |problem: String| Problem::Field(FieldError::new("mapping_id", problem));
    match mappings.get(id) {
        Some(mapping) if mapping.state == State::Finished => {
            Ok(Map { grid: mapping.grid.clone(), ..empty(robot) })
        }
        Some(_) => Err(wrong(format!("{id} is of a mapping that made no map; finish it first"))),
        None => Err(wrong(format!("{id} is of no mapping; GET /mappings/ lists those that there are"))),
    }
}

/// Takes in what is given.
pub(super) fn fill(map: &mut Map, request: MapRequest) {
    let MapRequest { name, uid, version, overlays_version, overlays, cells, pbstream } = request;
    map.name = name.unwrap_or_else(|| std::mem::take(&mut map.name));
    map.uid = uid.or_else(|| map.uid.take());
    map.version = version.or(map.version);
    map.overlays_version = overlays_version.or(map.overlays_version);
    if let Some((text, features)) = overlays {
        (map.overlays, map.features) = (text, features);
    }
    if let Some((png, grid)) = cells {
        (map.png, map.grid, map.of_robot) = (png, Some(grid), false);
    }
    map.pbstream = pbstream.or_else(|| map.pbstream.take());
}

/// Adds a map to the store unless its names are taken.
fn put(robot: &FacadeRobot, author: &Author, map: Map) -> Result<Arc<Map>, Problem> {
    let mut map_store = robot.rest_state.maps();
    names_are_free(&map_store, &map)?;
    Ok(map_store.put(map, author)?)
}

/// Whether no other map has a map's names.
fn names_are_free(map_store: &MapStore, map: &Map) -> Result<(), Problem> {
    if map_store.is_taken(&map.name, Some(map.id)) {
        let problem = "is the name of another map; choose another one";
        return Err(Problem::Field(FieldError::new("map_name", problem)));
    }
    let same = map.uid.as_deref().and_then(|uid| map_store.by_uid(uid)).filter(|other| other.id != map.id);
    match same {
        Some(other) => {
            let problem = format!("is that of map {}; PATCH or PUT that one, or leave it out", other.id);
            Err(Problem::Field(FieldError::new("uid", problem)))
        }
        None => Ok(()),
    }
}

/// Changes a map; what is marked on the one that is driven by counts at once.
pub(super) async fn change(robot: &FacadeRobot, id: i64, call: &Call) -> Result<Reply, Problem> {
    let mut map = Map::clone(&*find(robot, id)?);
    let request = given(robot, call).await?.map_err(Problem::Field)?;
    let before = map.clone();
    let given_version = request.overlays_version;
    let marks = request.overlays.is_some();
    fill(&mut map, request);
    if map.version < before.version {
        return Err(older("map_version", before.version));
    }
    if map.overlays_version < before.overlays_version {
        return Err(older("overlays_version", before.overlays_version));
    }
    if marks && given_version <= before.overlays_version {
        map.overlays_version = Some(before.overlays_version.unwrap_or_default() + 1);
    }
    if map.grid != before.grid && map.version == before.version {
        map.version = Some(before.version.unwrap_or_default() + 1);
    }
    map.modified = robot.hub.clock().now();
    store(robot, &call.author, map, &before).await.map(|map| Reply::ok(&detail(&map, &call.base)))
}

/// Gives a map anew.
pub(super) async fn replace(robot: &FacadeRobot, id: i64, call: &Call) -> Result<Reply, Problem> {
    let before = find(robot, id)?;
    let request = given(robot, call).await?.map_err(Problem::Field)?;
    needed("map_name", request.name.as_ref()).map_err(Problem::Field)?;
    let known = before.grid.clone().filter(|_| request.cells.is_none());
    let next = |version: Option<i64>| Some(version.unwrap_or_default() + 1);
    let mut map = Map {
        id,
        uid: before.uid.clone(),
        version: if request.cells.is_some() { next(before.version) } else { before.version },
        overlays_version: next(before.overlays_version),
        created: before.created,
        grid: known,
        png: before.png.clone(),
        of_robot: before.of_robot,
        since: before.since,
        ..empty(robot)
    };
    fill(&mut map, request);
    store(robot, &call.author, map, &before).await.map(|map| Reply::ok(&detail(&map, &call.base)))
}

/// Keeps a changed map, after the robot took it if it drives by it.
async fn store(robot: &FacadeRobot, author: &Author, map: Map, before: &Map) -> Result<Arc<Map>, Problem> {
    names_are_free(&robot.rest_state.maps(), &map)?;
    let is_current = robot.rest_state.maps().current().is_some_and(|current| current.id == map.id);
    let asked = robot.hub.clock().now();
    let reported = is_current && map.info() != before.info();
    if reported {
        use_map(robot, author, &map, map.grid == before.grid).await?;
    }
    let map = put(robot, author, map)?;
    if reported {
        robot.rest_state.maps().choose(Some(map.id), asked);
    }
    Ok(map)
}

fn older(field: &'static str, known: Option<i64>) -> Problem {
    let known = known.unwrap_or_default();
    Problem::Field(FieldError::new(
        field,
        format!("is older than {known}, which is known here; fetch the map first"),
    ))
}

/// Removes a map.
pub(super) fn delete(robot: &FacadeRobot, id: i64) -> Result<Reply, Problem> {
    find(robot, id)?;
    let mut map_store = robot.rest_state.maps();
    if map_store.current().is_some_and(|current| current.id == id) {
        let text = format!("the robot drives by map {id}; POST /chassis/current-map another one first");
        return Err(Problem::Bad(text));
    }
    map_store.remove(id);
    Ok(Reply::deleted())
}

/// Removes all maps but the one that the robot drives by.
pub(super) fn clear(robot: &FacadeRobot) -> Reply {
    atlas::catch_up(robot);
    let mut map_store = robot.rest_state.maps();
    let current = map_store.current().map(|map| map.id);
    let ids: Vec<i64> = map_store.list().map(|map| map.id).filter(|id| Some(*id) != current).collect();
    ids.into_iter().for_each(|id| map_store.remove(id));
    Reply::deleted()
}
