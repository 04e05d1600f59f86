use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use latimer_core::Signal;
use latimer_core::model::signal::{MapInfo, OccupancyGrid};
use latimer_core::model::{Command, Kind, MapUse, Outcome};
use latimer_dialects::axbot::picture::{Paint, png_from_grid};
use serde_json::{Value, json};

use super::chassis::{Answer, Chassis, answer, info};
use super::gateway::{Gateway, refusal};

const ADDRESS: &str = "static-files/map-d69c26ec2bdff8dad76fe6e8d3fa65d9b3041fc669ee3c0a96f7b544473fcec0.png";

fn grid() -> OccupancyGrid {
    OccupancyGrid {
        resolution_m: 0.05,
        width: 3,
        height: 2,
        origin_x_m: -1.0,
        origin_y_m: -2.0,
        cells: Bytes::from_static(&[0, 100, 255, 0, 0, 100]),
        ..OccupancyGrid::UPRIGHT
    }
}

fn cached(address: &str) -> Value {
    json!({
        "topic": "/map_v2", "stamp": 1693570028.939, "resolution": 0.05, "size": [3, 2], "origin": [-1.0, -2.0],
        "data_url": address,
    })
}

async fn robot_with_cached_topics() -> Chassis {
    let chassis = Chassis::start().await;
    let mut info = info();
    info["caps"]["supportsCachedTopics"] = json!(true);
    chassis.answers("GET device/info", answer(200, &info));
    chassis
}

#[tokio::test]
async fn a_map_is_fetched_once_and_put_in_place_of_its_address() {
    let mut chassis = robot_with_cached_topics().await;
    let png = png_from_grid(&grid(), Paint::Map);
    chassis.answers(&format!("GET {ADDRESS}"), Answer(200, png.clone(), std::time::Duration::ZERO));
    let gateway = Gateway::looking_at(&chassis, "axbot-1/map/map").await;
    chassis.enabled("/map_v2").await;
    for _ in 0..2 {
        chassis.publish(cached(ADDRESS));
        let update = gateway.of_kind(Kind::Map).await;
        let Signal::Map(map) = &update.signal else { unreachable!() };
        assert_eq!(*map, grid());
        let native = update.native.as_ref().unwrap();
        let frame: Value = serde_json::from_slice(&native.payload).unwrap();
        assert_eq!((&*native.topic, &frame["topic"]), ("/map", &json!("/map")));
        assert_eq!(STANDARD.decode(frame["data"].as_str().unwrap()).unwrap(), png);
    }
    let fetched = chassis.requests_so_far().iter().filter(|request| request.ends_with(ADDRESS)).count();
    assert_eq!(fetched, 1);
}

#[tokio::test]
async fn a_robot_whose_pictures_cannot_be_fetched_is_asked_for_them_inside_its_messages() {
    let mut chassis = robot_with_cached_topics().await;
    let _gateway = Gateway::looking_at(&chassis, "axbot-1/map/map").await;
    chassis.enabled("/map_v2").await;
    for address in ["static-files/none.png", "http://127.0.0.1:1/elsewhere.png", "../../../secret"] {
        chassis.publish(cached(address));
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    chassis.enabled("/map").await;
    assert!(chassis.requests_so_far().iter().all(|request| !request.contains("elsewhere")));
}

#[tokio::test]
async fn a_map_is_set_by_its_uid_or_whole() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    gateway.is_up().await;
    let info = |uid: &str| MapInfo {
        name: "Hall".into(),
        uid: Some(uid.into()),
        version: Some(2),
        features_version: None,
        features: Vec::new(),
    };
    let set = |uid: &str, grid| Command::UseMap(Some(Box::new(MapUse { info: info(uid), grid })));
    chassis.answers("GET maps/", answer(200, &json!([{"id": 1, "uid": "known", "map_version": 2}])));
    assert_eq!(gateway.command(set("known", None)).await, Outcome::Accepted);
    let (body, _) = chassis.request("POST chassis/current-map").await;
    assert_eq!(body, json!({"map_uid": "known"}));
    assert_eq!(gateway.command(set("new", Some(grid()))).await, Outcome::Accepted);
    let (body, _) = chassis.request("POST chassis/current-map").await;
    assert_eq!(
        (&body["map_name"], &body["grid_origin_x"], &body["uid"]),
        (&json!("Hall"), &json!(-1.0), &json!("new"))
    );
    assert!(STANDARD.decode(body["occupancy_grid"].as_str().unwrap()).unwrap().starts_with(b"\x89PNG"));
    chassis.answers("GET chassis/current-map", answer(200, &json!({"id": 5})));
    assert_eq!(gateway.command(set("new", None)).await, Outcome::Accepted);
    chassis.request("PATCH maps/5").await;
    assert_eq!(chassis.request("POST chassis/current-map").await.0, json!({"map_id": 5}));
    chassis.answers("GET chassis/current-map", answer(404, &json!({"detail": "no map"})));
    assert_eq!(refusal(gateway.command(set("new", None)).await), "no map");
    assert_eq!(gateway.command(Command::UseMap(None)).await, Outcome::Accepted);
    chassis.request("DELETE chassis/current-map").await;
}
