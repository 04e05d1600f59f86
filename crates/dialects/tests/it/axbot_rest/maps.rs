//! Maps, and the one that is driven by.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use latimer_core::model::MapUse;
use latimer_core::model::signal::{FeatureKind, MapInfo, OccupancyGrid};
use latimer_core::{Command, Outcome};
use latimer_dialects::axbot::pbstream::grid_from_pbstream;
use latimer_dialects::axbot::picture::{Paint, cells_from_png, png_from_grid};
use serde_json::{Value, json};

use super::gateway::Gateway;
use super::sent;

/// What a client sends to make a map.
pub(super) fn given(name: &str) -> Value {
    let png = STANDARD.encode(png_from_grid(&sent::cells(), Paint::Map));
    json!({
        "map_name": name,
        "occupancy_grid": png,
        "carto_map": STANDARD.encode(b"the scanner's own"),
        "grid_origin_x": -1.5,
        "grid_origin_y": -2.5,
        "grid_resolution": 0.05,
    })
}

async fn with_hall() -> Gateway {
    let gateway = Gateway::start().await;
    gateway.publish(sent::hall());
    gateway.say_of("map", sent::cells());
    gateway
}

fn used(command: Command) -> MapUse {
    match command {
        Command::UseMap(Some(map)) => *map,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_robots_own_map_is_a_map() {
    let gateway = with_hall().await;
    let (status, list) = gateway.get("maps/").await;
    assert_eq!((status, list.as_array().unwrap().len()), (200, 1));
    let item = &list[0];
    assert_eq!(item["map_name"], "hall");
    assert_eq!((&item["map_version"], &item["overlays_version"]), (&json!(3), &json!(5)));
    assert_eq!(item["image_url"], gateway.url("maps/1.png"));
    assert_eq!(item["thumbnail_url"], gateway.url("maps/1/thumbnail"));
    let (_, detail) = gateway.get("maps/1").await;
    assert_eq!((&detail["grid_origin_x"], &detail["grid_resolution"]), (&json!(-1.5), &json!(0.05)));
    let overlays: Value = serde_json::from_str(detail["overlays"].as_str().unwrap()).unwrap();
    assert_eq!(overlays["features"][0]["properties"]["type"], "9");
    assert_eq!(overlays["features"][0]["properties"]["yaw"], 90.0);
    let current = gateway.get("chassis/current-map").await.1;
    assert_eq!((&current["id"], &current["uid"]), (&json!(1), &json!("uid-of-the-hall")));
    assert!(current.get("url").is_none(), "{current}");
    assert_eq!(gateway.get("maps?uid=uid-of-the-hall").await.1.as_array().unwrap().len(), 1);
    assert_eq!(gateway.get("maps?uid=other").await.1, json!([]));
}

#[tokio::test]
async fn its_picture_shows_its_cells() {
    let gateway = with_hall().await;
    for path in ["maps/1.png", "maps/1/thumbnail"] {
        let response = gateway.client().request("GET", path).send().await.unwrap();
        assert_eq!(response.headers()["content-type"], "image/png");
        let png = response.bytes().await.unwrap();
        assert_eq!(cells_from_png(&png, Paint::Map).unwrap(), (2, 2, sent::cells().cells), "{path}");
    }
    let (_, download) = gateway.get("maps/1/download").await;
    let png = STANDARD.decode(download["occupancy_grid"].as_str().unwrap()).unwrap();
    assert_eq!(cells_from_png(&png, Paint::Map).unwrap().2, sent::cells().cells);
}

async fn fetch(gateway: &Gateway, path: &str, range: Option<&str>) -> (u16, Vec<u8>) {
    let request = gateway.client().request("GET", path);
    let request = if let Some(range) = range { request.header("range", range) } else { request };
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn a_pbstream_that_was_made_here_is_loaded_again_without_loss() {
    let mut gateway = with_hall().await;
    let (status, file) = fetch(&gateway, "maps/1.pbstream", None).await;
    assert_eq!((status, grid_from_pbstream(&file)), (200, Ok(Some(sent::cells()))));
    assert_eq!(gateway.get("maps/1").await.1["pbstream_url"], gateway.url("maps/1.pbstream"));
    // In parts, as large ones are fetched.
    let mut parts = fetch(&gateway, "maps/1.pbstream", Some("bytes=0-19")).await;
    let (status, rest) = fetch(&gateway, "maps/1.pbstream", Some("bytes=20-")).await;
    parts.1.extend(rest);
    assert_eq!((parts, status), ((206, file.clone()), 206));
    assert_eq!(fetch(&gateway, "maps/1.pbstream", Some("bytes=100000-")).await.0, 416);
    let whole = gateway.client().request("GET", "maps/1.pbstream").send().await.unwrap();
    let etag = whole.headers()["etag"].clone();
    let again = gateway.client().request("GET", "maps/1.pbstream").header("if-none-match", etag);
    assert_eq!(again.send().await.unwrap().status().as_u16(), 304);
    // Alone it is a map.
    let carto_map = STANDARD.encode(&file);
    let body = json!({"map_name": "again", "carto_map": carto_map}).to_string();
    let (status, made) = gateway.call("POST", "maps/", &body).await;
    assert_eq!((status, &made["id"]), (201, &json!(2)), "{made}");
    let (_, detail) = gateway.get("maps/2").await;
    assert_eq!(detail["grid_origin_x"], sent::cells().origin_x_m);
    assert_eq!(fetch(&gateway, "maps/2.pbstream", None).await, (200, file));
    assert_eq!(gateway.get("maps/2/download").await.1["carto_map"], json!(carto_map));
    let map = used(gateway.done("POST", "chassis/current-map", r#"{"map_id": 2}"#).await.0);
    assert_eq!((map.info.name.as_str(), map.grid), ("again", Some(sent::cells())));
    // At once, too.
    let body = json!({"map_name": "at once", "carto_map": carto_map}).to_string();
    let map = used(gateway.done("POST", "chassis/current-map", &body).await.0);
    assert_eq!(map.grid, Some(sent::cells()));
}

#[tokio::test]
async fn a_foreign_or_broken_pbstream_says_what_it_would_need() {
    let gateway = with_hall().await;
    let create = async |carto_map: &[u8]| {
        let body = json!({"map_name": "x", "carto_map": STANDARD.encode(carto_map)}).to_string();
        gateway.call("POST", "maps/", &body).await
    };
    let (status, answer) = create(b"the scanner's own").await;
    let reported = answer["occupancy_grid"][0].as_str().unwrap_or_default();
    assert!(status == 400 && reported.contains("only a chassis can read it"), "{answer}");
    let (_, file) = fetch(&gateway, "maps/1.pbstream", None).await;
    let (status, answer) = create(&file[..file.len() - 5]).await;
    assert!(status == 400 && answer["carto_map"][0].as_str().unwrap().contains("not whole"), "{answer}");
}

#[tokio::test]
async fn a_robot_without_a_map_says_so() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.get("maps").await, (200, json!([])));
    assert_eq!(gateway.get("chassis/current-map").await.0, 404);
    let none = MapInfo {
        name: String::new(),
        uid: None,
        version: None,
        features_version: None,
        features: Vec::new(),
    };
    gateway.publish(none);
    assert_eq!(gateway.get("maps").await, (200, json!([])));
    assert_eq!(gateway.get("chassis/current-map").await.0, 404);
}

#[tokio::test]
async fn a_given_map_is_kept_and_driven_by() {
    let mut gateway = with_hall().await;
    let (status, made) = gateway.call("POST", "maps/", &given("cellar").to_string()).await;
    assert_eq!((status, &made["id"], &made["map_version"]), (201, &json!(2), &json!(1)), "{made}");
    assert_eq!(made["uid"].as_str().unwrap().len(), 24);
    let (status, file) = gateway.refused("GET", "maps/3.pbstream", "").await;
    assert!(status == 404 && file.contains("no map 3"), "{file}");
    let file = gateway.client().request("GET", "maps/2.pbstream").send().await.unwrap();
    assert_eq!(file.bytes().await.unwrap(), b"the scanner's own".as_slice());
    let (command, (status, current)) = gateway.done("POST", "chassis/current-map", r#"{"map_id": 2}"#).await;
    let map = used(command);
    assert_eq!((status, &current["id"], &current["map_name"]), (200, &json!(2), &json!("cellar")));
    assert_eq!((map.info.name.as_str(), map.info.version), ("cellar", Some(1)));
    assert_eq!(map.grid, Some(sent::cells()));
    assert_eq!(gateway.get("chassis/current-map").await.1["id"], 2);
    // The robot publishes the same soon, and goes back to the map before it on request.
    gateway.publish(map.info);
    assert_eq!(gateway.get("chassis/current-map").await.1["id"], 2);
    let by_uid = r#"{"map_uid": "uid-of-the-hall"}"#;
    let (command, (status, _)) = gateway.done("POST", "chassis/current-map", by_uid).await;
    let map = used(command);
    assert_eq!((status, map.info, map.grid), (200, sent::hall(), Some(sent::cells())));
}

#[tokio::test]
async fn a_map_comes_as_a_form_too() {
    let gateway = Gateway::start().await;
    let client = gateway.client();
    let mut body = Vec::new();
    let mut part = |head: &str, value: &[u8]| {
        body.extend_from_slice(
            format!("--edge\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(value);
        body.extend_from_slice(b"\r\n");
    };
    let given = given("loft");
    let text = |field: &str| given[field].as_str().map_or_else(|| given[field].to_string(), str::to_owned);
    for field in ["map_name", "grid_origin_x", "grid_origin_y", "grid_resolution"] {
        part(&format!("name=\"{field}\""), text(field).as_bytes());
    }
    let png = STANDARD.decode(text("occupancy_grid")).unwrap();
    part("name=\"occupancy_grid\"; filename=\"map.png\"\r\nContent-Type: image/png", &png);
    part("name=\"carto_map\"; filename=\"a.pbstream\"", &[0, 255, 1]);
    body.extend_from_slice(b"--edge--\r\n");
    let request =
        client.request("POST", "maps/").header("content-type", "multipart/form-data; boundary=edge");
    let response = request.body(body).send().await.unwrap();
    assert_eq!(response.status().as_u16(), 201);
    let id = response.json::<serde_json::Value>().await.unwrap()["id"].as_i64().unwrap();
    let file = async |path: String| {
        client.request("GET", &path).send().await.unwrap().bytes().await.unwrap().to_vec()
    };
    assert_eq!(file(format!("maps/{id}.pbstream")).await, [0, 255, 1]);
    assert_eq!(file(format!("maps/{id}.png")).await, png);
    let request =
        client.request("POST", "maps/").header("content-type", "multipart/form-data; boundary=edge");
    let response = request.body("--edge").send().await.unwrap();
    assert_eq!(response.status().as_u16(), 400);
}

#[tokio::test]
async fn a_map_may_be_driven_by_without_being_kept() {
    let mut gateway = with_hall().await;
    let body = given("only once").to_string();
    let (command, (status, current)) = gateway.done("POST", "chassis/current-map", &body).await;
    assert_eq!((status, &current["id"]), (200, &json!(-1)), "{current}");
    assert_eq!(used(command).grid, Some(sent::cells()));
    assert_eq!(gateway.get("chassis/current-map").await.1["id"], -1);
    assert_eq!(gateway.get("maps").await.1.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn no_map_is_a_choice_too() {
    let mut gateway = with_hall().await;
    let (command, (status, _)) = gateway.done("DELETE", "chassis/current-map", "").await;
    assert_eq!((command, status), (Command::UseMap(None), 200));
    assert_eq!(gateway.get("chassis/current-map").await.0, 404);
    assert_eq!(gateway.get("maps/1").await.1["grid_resolution"], 0.05);
}

#[tokio::test]
async fn marks_count_at_once_and_keep_what_nobody_understands() {
    let mut gateway = with_hall().await;
    let overlays = r#"{"type":"FeatureCollection","features":[{"id":"w","type":"Feature","properties":{"lineType":"2","vendor":"x"},"geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}},{"type":"Feature","geometry":null,"properties":{"note":"mine"}}]}"#;
    let body = json!({"overlays": overlays}).to_string();
    let (command, (status, detail)) = gateway.done("PATCH", "maps/1", &body).await;
    let MapUse { info, grid } = used(command);
    assert_eq!((status, &detail["overlays_version"]), (200, &json!(6)), "{detail}");
    assert_eq!(detail["overlays"], overlays);
    let marks: Vec<_> = info.features.iter().map(|it| it.kind).collect();
    assert_eq!((marks, info.features_version, grid), (vec![FeatureKind::VirtualWall], Some(6), None));
    gateway.publish(info);
    assert_eq!(gateway.get("maps/1").await.1["overlays"], overlays);
    // The reload that robots want does no harm.
    let (command, (status, current)) = gateway.done("POST", "chassis/current-map", r#"{"map_id": 1}"#).await;
    assert_eq!((status, &current["overlays_version"]), (200, &json!(6)));
    assert_eq!(used(command).info.features.len(), 1);
}

#[tokio::test]
async fn marks_that_the_robot_refuses_stay_as_they_were() {
    let mut gateway = with_hall().await;
    let body = json!({"overlays": ""}).to_string();
    let no = Outcome::not_now("not while it drives");
    let (_, answer) = gateway.asked("PATCH", "maps/1", &body, no).await;
    assert_eq!(answer, (400, json!({"detail": "not while it drives"})));
    assert_eq!(gateway.get("maps/1").await.1["overlays_version"], 5);
}

#[tokio::test]
async fn a_map_that_is_not_driven_by_is_changed_without_the_robot() {
    let gateway = with_hall().await;
    gateway.call("POST", "maps", &given("cellar").to_string()).await;
    let (status, detail) = gateway.call("PATCH", "maps/2/", r#"{"map_name": "store room"}"#).await;
    assert_eq!((status, &detail["map_name"]), (200, &json!("store room")));
    let (status, detail) = gateway.call("PUT", "maps/2", &given("attic").to_string()).await;
    assert_eq!((status, &detail["map_name"], &detail["map_version"]), (200, &json!("attic"), &json!(2)));
    assert_eq!(gateway.call("DELETE", "maps/2", "").await, (204, json!(null)));
    assert_eq!(gateway.get("maps/2").await.0, 404);
}

#[tokio::test]
async fn all_maps_but_the_current_one_can_be_removed() {
    let gateway = with_hall().await;
    gateway.call("POST", "maps", &given("cellar").to_string()).await;
    let (status, text) = gateway.refused("DELETE", "maps/1", "").await;
    assert!(status == 400 && text.contains("drives by map 1"), "{text}");
    assert_eq!(gateway.call("DELETE", "maps", "").await.0, 204);
    let (_, list) = gateway.get("maps").await;
    assert_eq!((list.as_array().unwrap().len(), &list[0]["id"]), (1, &json!(1)));
}

#[tokio::test]
async fn mistakes_are_reported_by_field() {
    let gateway = with_hall().await;
    let change = |key: &str, value: Value| {
        let mut given = given("cellar");
        given[key] = value;
        given.to_string()
    };
    let mut nameless = given("");
    nameless.as_object_mut().unwrap().remove("map_name");
    for (body, field, words) in [
        (change("map_name", json!("hall")), "map_name", "another map"),
        (nameless.to_string(), "map_name", "required"),
        (change("occupancy_grid", json!(null)), "occupancy_grid", "required"),
        (change("occupancy_grid", json!("AAAA")), "occupancy_grid", "picture"),
        (change("grid_resolution", json!(-1)), "grid_resolution", "0.05"),
        (change("grid_origin_x", json!("west")), "grid_origin_x", "no number"),
        (change("overlays", json!("{\"features\":[3]}")), "overlays", "feature 1"),
        (change("uid", json!("uid-of-the-hall")), "uid", "map 1"),
        (change("mapping_id", json!(9)), "mapping_id", "no mapping"),
        (change("carto_map_filename", json!("a.pbstream")), "carto_map_filename", "no files"),
    ] {
        let (status, answer) = gateway.call("POST", "maps/", &body).await;
        let reported = answer[field][0].as_str().unwrap_or_default();
        assert!(status == 400 && reported.contains(words), "{field}: {status} {answer}");
    }
    let (status, answer) = gateway.call("PATCH", "maps/1", r#"{"overlays_version": 2}"#).await;
    assert!(status == 400 && answer["overlays_version"][0].as_str().unwrap().contains("older than 5"));
    for (body, status, words) in [
        (r#"{"map_id": 99}"#, 404, "no map 99"),
        (r#"{"map_uid": "x"}"#, 404, "no map of uid"),
        ("{}", 400, "\"map_id\" is required"),
        (r#"{"map_id": "one"}"#, 400, "whole number"),
    ] {
        let reported = gateway.refused("POST", "chassis/current-map", body).await;
        let words = if words == "whole number" { "no number" } else { words };
        assert!(reported.0 == status && reported.1.contains(words), "{body}: {reported:?}");
    }
}

#[tokio::test]
async fn another_map_of_the_robots_own_is_published_when_it_changes() {
    let gateway = with_hall().await;
    gateway.get("maps").await;
    gateway.publish(MapInfo { name: "cellar".into(), uid: Some("b".into()), ..sent::hall() });
    let wide = OccupancyGrid { resolution_m: 0.1, ..sent::cells() };
    gateway.say_of("map", wide);
    assert_eq!(gateway.get("chassis/current-map").await.1["map_name"], "cellar");
    assert_eq!(gateway.get("maps/2").await.1["grid_resolution"], 0.1);
}
