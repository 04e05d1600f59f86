//! The making of maps.

use latimer_core::model::LocalizationCommand;
use latimer_core::model::signal::{Frame, LocalizationState, OccupancyGrid, Path};
use latimer_core::{Command, Outcome};
use latimer_dialects::axbot::pbstream::grid_from_pbstream;
use serde_json::json;

use super::gateway::Gateway;
use super::sent;

const MAPPING: fn(bool) -> Command = |on| Command::Localization(LocalizationCommand::Mapping(on));

async fn mapping() -> Gateway {
    let mut gateway = Gateway::start().await;
    gateway.publish(sent::hall());
    gateway.say_of("map", sent::cells());
    let (command, (status, object)) = gateway.done("POST", "mappings/", "").await;
    assert_eq!((command, status, &object["id"]), (MAPPING(true), 201, &json!(1)), "{object}");
    assert_eq!((&object["state"], &object["end_time"]), (&json!("running"), &json!(null)));
    assert_eq!((&object["image_url"], &object["grid_resolution"]), (&json!(null), &json!(0.0)));
    gateway.publish(sent::localization(LocalizationState::Mapping));
    gateway
}

#[tokio::test]
async fn what_was_mapped_becomes_a_map_to_drive_by() {
    let mut gateway = mapping().await;
    assert_eq!(gateway.get("mappings/current").await.1["id"], 1);
    let made = OccupancyGrid { resolution_m: 0.1, ..sent::cells() };
    gateway.say_of("map", made.clone());
    gateway.say_of("trajectory", Path::of(Frame::Map, vec![[0.0, 0.0], [1.0, 0.5]]));
    let finished = r#"{"state": "finished"}"#;
    let (command, (status, object)) = gateway.done("PATCH", "mappings/current", finished).await;
    assert_eq!((command, status, &object["state"]), (MAPPING(false), 200, &json!("finished")));
    // What it tells from now on is the map that it drives by again.
    gateway.publish(sent::localization(LocalizationState::Tracking));
    gateway.say_of("map", sent::cells());
    let (_, object) = gateway.get("mappings/1").await;
    assert_eq!((&object["grid_resolution"], &object["grid_origin_x"]), (&json!(0.1), &json!(-1.5)));
    assert_eq!(object["image_url"], gateway.url("mappings/1.png"));
    for path in ["mappings/1.png", "mappings/1/thumbnail"] {
        let response = gateway.client().request("GET", path).send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "image/png", "{path}");
    }
    let way = json!([{"id": 0, "coordinates": [[0.0, 0.0], [1.0, 0.5]]}]);
    assert_eq!(gateway.get("mappings/1/trajectories.json").await, (200, way));
    assert_eq!(gateway.get("mappings/1/landmarks.json").await, (200, json!([])));
    assert!(gateway.get("mappings/1/download").await.1["occupancy_grid"].is_string());
    assert_eq!(object["pbstream_url"], gateway.url("mappings/1.pbstream"));
    let file = gateway.client().request("GET", "mappings/1.pbstream").send().await.unwrap();
    assert_eq!(grid_from_pbstream(&file.bytes().await.unwrap()), Ok(Some(made.clone())));
    assert!(gateway.get("mappings/1/download").await.1["carto_map"].is_string());
    let body = r#"{"map_name": "made here", "mapping_id": 1}"#;
    let (status, map) = gateway.call("POST", "maps/", body).await;
    assert_eq!((status, &map["map_name"]), (201, &json!("made here")), "{map}");
    let body = json!({"map_id": map["id"]}).to_string();
    match gateway.done("POST", "chassis/current-map", &body).await {
        (Command::UseMap(Some(map)), (200, _)) => {
            assert_eq!((map.info.name.as_str(), map.grid), ("made here", Some(made)));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn one_that_was_called_off_made_nothing() {
    let mut gateway = mapping().await;
    gateway.say_of("map", sent::cells());
    let (command, (status, object)) = gateway.done("PATCH", "mappings/1", r#"{"state": "cancelled"}"#).await;
    assert_eq!((command, status, &object["state"]), (MAPPING(false), 200, &json!("cancelled")));
    assert_eq!(gateway.get("mappings/1.png").await.0, 404);
    assert_eq!(gateway.get("mappings/current").await.0, 404);
    let (status, map) = gateway.call("POST", "maps", r#"{"map_name": "x", "mapping_id": 1}"#).await;
    assert!(status == 400 && map["mapping_id"][0].as_str().unwrap().contains("made no map"), "{map}");
    let (status, text) = gateway.refused("PATCH", "mappings/1", r#"{"state": "finished"}"#).await;
    assert!(status == 400 && text.contains("over already"), "{text}");
    assert_eq!(gateway.call("DELETE", "mappings/1", "").await.0, 204);
    assert_eq!(gateway.get("mappings").await, (200, json!([])));
}

#[tokio::test]
async fn a_robot_that_tells_no_map_failed() {
    let mut gateway = mapping().await;
    let (_, (status, object)) = gateway.done("PATCH", "mappings/current", r#"{"state": "finished"}"#).await;
    assert_eq!((status, &object["state"]), (200, &json!("failed")), "{object}");
}

#[tokio::test]
async fn a_robot_that_forgot_it_has_nothing_to_end() {
    let mut gateway = mapping().await;
    let no = Outcome::not_now("it makes no map");
    let cancelled = r#"{"state": "cancelled"}"#;
    let (_, answer) = gateway.asked("PATCH", "mappings/current", cancelled, no.clone()).await;
    assert_eq!(answer, (400, json!({"detail": "it makes no map"})));
    gateway.publish(sent::localization(LocalizationState::Tracking));
    let (_, (status, object)) = gateway.asked("PATCH", "mappings/current", cancelled, no).await;
    assert_eq!((status, &object["state"]), (200, &json!("cancelled")));
}

#[tokio::test]
async fn mistakes_are_explained() {
    let gateway = mapping().await;
    for (method, path, body, status, words) in [
        ("POST", "mappings", "", 400, "mapping 1 goes on"),
        ("POST", "mappings", r#"{"continue_mapping": true}"#, 400, "not possible here"),
        ("POST", "mappings", r#"{"start_pose_type": "moon"}"#, 400, "zero nor current_pose"),
        ("PATCH", "mappings/current", "{}", 400, "neither \"finished\" nor \"cancelled\""),
        ("PATCH", "mappings/7", r#"{"state": "finished"}"#, 404, "no mapping 7"),
        ("GET", "mappings/1.png", "", 404, "made no map"),
        ("DELETE", "mappings/1", "", 400, "goes on"),
    ] {
        let reported = gateway.refused(method, path, body).await;
        assert!(reported.0 == status && reported.1.contains(words), "{method} {path} {body}: {reported:?}");
    }
    assert_eq!(gateway.call("DELETE", "mappings", "").await.0, 204);
    assert_eq!(gateway.get("mappings").await.1.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_map_that_is_set_ends_the_making_of_one() {
    let mut gateway = mapping().await;
    let map = super::maps::given("cellar").to_string();
    let (commands, (status, current)) = gateway.asked_twice("POST", "chassis/current-map", &map).await;
    assert!(
        matches!(&commands, [ended, Command::UseMap(Some(_))] if *ended == MAPPING(false)),
        "{commands:?}"
    );
    assert_eq!(status, 200, "{current}");
    assert_eq!(gateway.get("mappings/current").await.0, 404);
    assert_eq!(gateway.get("mappings/1").await.1["state"], "cancelled");
}

#[tokio::test]
async fn where_a_map_begins_is_for_the_client_to_say() {
    for (body, begins) in [
        ("", LocalizationCommand::Mapping(true)),
        (r#"{"start_pose_type": "zero"}"#, LocalizationCommand::Mapping(true)),
        (r#"{"start_pose_type": "current_pose"}"#, LocalizationCommand::MappingInFrame),
    ] {
        let mut gateway = Gateway::start().await;
        let (command, (status, _)) = gateway.done("POST", "mappings/", body).await;
        assert_eq!((command, status), (Command::Localization(begins), 201), "{body}");
    }
}
