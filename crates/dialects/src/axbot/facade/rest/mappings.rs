//! `/mappings`

use bytes::Bytes;
use latimer_core::memory::Share;
use latimer_core::model::signal::{Frame, Objects, OccupancyGrid, Path};
use latimer_core::model::{Kind, LocalizationCommand, Signal};
use latimer_core::{Author, Command};
use serde_json::json;

use super::atlas;
use super::call::{Base, Call, Which};
use super::dispatch::dispatch;
use super::reply::Reply;
use crate::axbot::facade::robot::FacadeRobot;
use crate::axbot::facade::state::mapping_store::{Mapping, State};
use crate::axbot::pbstream::pbstream_from_grid;
use crate::axbot::picture::{Paint, png_from_grid};
use crate::axbot::rest::map_request::base64_from_file;
use crate::axbot::rest::mapping_object::{Landmark, MappingObject, Trajectory};
use crate::axbot::rest::move_object::seconds;
use crate::axbot::rest::place::File;
use crate::axbot::rest::problem::Problem;

impl Mapping {
    /// As it is published.
    fn object(&self, base: &Base) -> MappingObject {
        let url = |ending: &str| base.url(&format!("mappings/{}{ending}", self.id));
        let made = (self.state == State::Finished).then_some(());
        let grid = self.grid.as_ref().filter(|_| made.is_some());
        let file = |ending: &str| made.map(|()| url(ending));
        MappingObject {
            id: self.id,
            thumbnail_url: file("/thumbnail"),
            image_url: file(".png"),
            grid_origin_x: grid.map_or(0.0, |it| it.origin_x_m),
            grid_origin_y: grid.map_or(0.0, |it| it.origin_y_m),
            grid_resolution: grid.map_or(0.0, |it| it.resolution_m),
            url: url(""),
            start_time: seconds(self.began),
            end_time: self.ended.map(seconds),
            state: self.state.as_str(),
            bag_id: None,
            bag_url: None,
            pbstream_url: file(".pbstream"),
            download_url: file("/download"),
            properties_url: file("/properties.json"),
            trajectories_url: file("/trajectories.json"),
            landmark_url: file("/landmarks.json"),
        }
    }
}

/// All of them, the newest first.
pub(super) fn list(robot: &FacadeRobot, call: &Call) -> Reply {
    let mappings = robot.rest_state.mappings();
    Reply::ok(&mappings.list().map(|it| it.object(&call.base)).collect::<Vec<_>>())
}

fn find(robot: &FacadeRobot, which: Which) -> Result<Mapping, Problem> {
    let mappings = robot.rest_state.mappings();
    let (found, missing) = match which {
        Which::Current => (mappings.running(), "no map is being made now".to_owned()),
        Which::Id(id) => {
            (mappings.get(id), format!("there is no mapping {id}; GET /mappings/ lists those that there are"))
        }
    };
    found.cloned().ok_or(Problem::NotFound(missing))
}

/// One of them.
pub(super) fn get(robot: &FacadeRobot, which: Which, base: &Base) -> Result<Reply, Problem> {
    Ok(Reply::ok(&find(robot, which)?.object(base)))
}

/// Begins to make a map.
pub(super) async fn create(robot: &FacadeRobot, call: &Call) -> Result<Reply, Problem> {
    if call.fields.boolean("continue_mapping")? == Some(true) {
        let text =
            "\"continue_mapping\" is not possible here: a map is made anew; leave it out or send false";
        return Err(Problem::Bad(text.into()));
    }
    let begin = match call.fields.text("start_pose_type")?.as_deref() {
        None | Some("zero") => LocalizationCommand::Mapping(true),
        Some("current_pose") => LocalizationCommand::MappingInFrame,
        Some(_) => {
            return Err(Problem::Bad("\"start_pose_type\" is neither zero nor current_pose".into()));
        }
    };
    if let Some(running) = robot.rest_state.mappings().running() {
        let id = running.id;
        return Err(Problem::Bad(format!(
            "mapping {id} goes on; PATCH /mappings/current {{\"state\": \"finished\"}} or \"cancelled\" first"
        )));
    }
    // The cells of the map that it leaves are kept, for the robot's return to it.
    atlas::catch_up(robot);
    let before = robot.rest_state.maps().current().map(|map| map.id);
    if let Some(before) = before {
        let _ = atlas::find_with_cells(robot, before).await;
    }
    let began = robot.hub.clock().now();
    dispatch(robot, &call.author, Command::Localization(begin)).await?;
    let mapping = robot.rest_state.mappings().begin(began);
    robot.rest_state.makes_map.send_replace(true);
    Ok(Reply::created(&mapping.object(&call.base)))
}

/// Ends the making of a map, with or without one.
pub(super) async fn change(robot: &FacadeRobot, which: Which, call: &Call) -> Result<Reply, Problem> {
    let state = match call.fields.text("state")?.as_deref() {
        Some("finished") => State::Finished,
        Some("cancelled") => State::Cancelled,
        _ => {
            return Err(Problem::Bad(
                "\"state\" is neither \"finished\" nor \"cancelled\"; send one of them".into(),
            ));
        }
    };
    if call.fields.boolean("new_map_only")? == Some(true) {
        return Err(Problem::Bad(
            "\"new_map_only\" is not possible here: a map is made anew; leave it out".into(),
        ));
    }
    let mapping = find(robot, which)?;
    if mapping.state != State::Running {
        let id = mapping.id;
        return Err(Problem::Bad(format!("mapping {id} is over already")));
    }
    Ok(Reply::ok(&end(robot, &call.author, mapping, state).await?.object(&call.base)))
}

/// Ends the making of a map, if one is made, because the robot is given another one to drive by.
pub(super) async fn give_way(robot: &FacadeRobot, author: &Author) -> Result<(), Problem> {
    let running = robot.rest_state.mappings().running().cloned();
    match running {
        Some(mapping) => end(robot, author, mapping, State::Cancelled).await.map(drop),
        None => Ok(()),
    }
}

async fn end(
    robot: &FacadeRobot,
    author: &Author,
    mut mapping: Mapping,
    state: State,
) -> Result<Mapping, Problem> {
    // What it tells afterwards is the map that it drives by again, perhaps in another frame.
    take_in(robot);
    let seen = (way(robot, &mapping), landmarks(robot));
    match dispatch(robot, author, Command::Localization(LocalizationCommand::Mapping(false))).await {
        // A robot that was switched off meanwhile makes no map any more, and has nothing to end.
        Err(Problem::Bad(_)) if !atlas::makes_map(robot) => {}
        asked => asked?,
    }
    robot.rest_state.makes_map.send_replace(false);
    mapping.grid = robot.rest_state.mappings().get(mapping.id).and_then(|it| it.grid.clone());
    mapping.state = if state == State::Finished && mapping.grid.is_none() { State::Failed } else { state };
    mapping.ended = Some(robot.hub.clock().now());
    if mapping.state == State::Finished {
        (mapping.way_m, mapping.landmarks) = seen;
    } else {
        mapping.grid = None;
    }
    robot.rest_state.mappings().end(mapping.clone());
    Ok(mapping)
}

/// Takes in what was mapped so far.
pub(super) fn take_in(robot: &FacadeRobot) {
    let last = robot.last_of(Kind::Map, "map").filter(|_| atlas::makes_map(robot));
    if let Some((Signal::Map(grid), received)) = last.as_ref().map(|it| (&it.signal, it.received)) {
        robot.rest_state.mappings().see(&grid.upright(), received);
    }
}

fn way(robot: &FacadeRobot, mapping: &Mapping) -> Vec<[f64; 2]> {
    let last = robot.last_of(Kind::Path, "trajectory").filter(|update| update.received >= mapping.began);
    match last.map(|update| update.signal.clone()) {
        Some(Signal::Path(Path { frame: Frame::Map, points_m, .. })) => points_m,
        _ => Vec::new(),
    }
}

fn landmarks(robot: &FacadeRobot) -> Vec<Landmark> {
    let Some(Objects { objects }) = robot.record_of("landmarks") else { return Vec::new() };
    let in_map = objects.into_iter().filter(|it| it.pose.frame == Frame::Map);
    in_map
        .map(|it| Landmark {
            id: it.label.unwrap_or_else(|| format!("landmark_{}", it.id)),
            pos: [it.pose.x_m, it.pose.y_m],
        })
        .collect()
}

/// A file of a mapping that made a map.
pub(super) async fn file(robot: &FacadeRobot, id: i64, file: File, call: &Call) -> Result<Reply, Problem> {
    let mapping = find(robot, Which::Id(id))?;
    let Some(grid) = mapping.grid.as_ref().filter(|_| mapping.state == State::Finished) else {
        return Err(Problem::NotFound(format!("mapping {id} made no map; finish it first")));
    };
    let encoded = async |encode: fn(&OccupancyGrid) -> Bytes| {
        let grid = grid.clone();
        robot.hub.memory().decode(Share::Maps, &call.author, move || encode(&grid)).await
    };
    let png: fn(&OccupancyGrid) -> Bytes = |grid| png_from_grid(grid, Paint::Map);
    Ok(match file {
        File::Image => Reply::file("image/png", encoded(png).await?),
        File::Thumbnail => Reply::file("image/png", encoded(atlas::small_png).await?),
        File::Pbstream => Reply::download(encoded(pbstream_from_grid).await?, &call.headers),
        File::Trajectories => Reply::ok(&trajectories(&mapping)),
        File::Landmarks => Reply::ok(&mapping.landmarks),
        File::Properties => Reply::ok(&json!({"landmarks": mapping.landmarks})),
        File::Download => {
            let mut download = json!(mapping.object(&call.base));
            if let Some(download) = download.as_object_mut() {
                download.insert("occupancy_grid".into(), base64_from_file(&encoded(png).await?).into());
                let pbstream = encoded(pbstream_from_grid).await?;
                download.insert("carto_map".into(), base64_from_file(&pbstream).into());
            }
            Reply::ok(&download)
        }
    })
}

fn trajectories(mapping: &Mapping) -> Vec<Trajectory> {
    let way = (!mapping.way_m.is_empty()).then(|| Trajectory { id: 0, coordinates: mapping.way_m.clone() });
    way.into_iter().collect()
}

/// Forgets one that is over.
pub(super) fn delete(robot: &FacadeRobot, id: i64) -> Result<Reply, Problem> {
    if find(robot, Which::Id(id))?.state == State::Running {
        let text = format!("mapping {id} goes on; PATCH it {{\"state\": \"cancelled\"}} first");
        return Err(Problem::Bad(text));
    }
    robot.rest_state.mappings().remove(id);
    Ok(Reply::deleted())
}

/// Forgets all that are over.
pub(super) fn clear(robot: &FacadeRobot) -> Reply {
    robot.rest_state.mappings().clear();
    Reply::deleted()
}
