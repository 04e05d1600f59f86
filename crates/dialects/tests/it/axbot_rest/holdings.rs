//! What surrounds a chassis' software: kept for a simulated one, refused with an address for a connected one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use latimer_core::hub::Origin;
use latimer_core::model::signal::{
    Alert, Alerts, Battery, FeatureKind, Frame, LinkState, MapFeature, MapInfo, OccupancyGrid, Pose,
    PowerState, Severity,
};
use latimer_dialects::axbot::AxbotConfig;
use latimer_dialects::axbot::picture::{Paint, cells_from_png};
use serde_json::{Value, json};

use super::gateway::Gateway;
use super::sent;

const NAME: &str = "hostnames/local.autoxing.com";

#[tokio::test]
async fn a_host_name_that_was_added_is_listed() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.get("hostnames/").await, (200, json!([])));
    let missing = json!({"message": "error: local.autoxing.com not found"});
    assert_eq!(gateway.get(NAME).await, (404, missing.clone()));
    let added = json!({"message": "192.168.10.12 local.autoxing.com added"});
    assert_eq!(gateway.call("PATCH", NAME, r#"{"ip": "192.168.10.12"}"#).await, (200, added));
    assert_eq!(gateway.get(NAME).await, (200, json!({"ip": "192.168.10.12"})));
    let listed = json!([{"hostname": "local.autoxing.com", "url": gateway.url(NAME)}]);
    assert_eq!(gateway.get("hostnames").await, (200, listed));
    let (status, body) = gateway.call("PATCH", "hostnames/local2.autoxing.com", r#"{"ip": "1.2.3.4"}"#).await;
    let allowed = "error: local2.autoxing.com is not allowed. It must be one of ['local.autoxing.com']";
    assert_eq!((status, body), (400, json!({"message": allowed})));
    let (status, body) = gateway.call("PATCH", NAME, r#"{"ip": "here"}"#).await;
    assert!(status == 400 && body["message"].as_str().unwrap().contains("no IP address"), "{body}");
    assert_eq!(gateway.call("DELETE", NAME, "").await.0, 200);
    assert_eq!(gateway.call("DELETE", NAME, "").await, (404, missing));
}

#[tokio::test]
async fn what_is_set_of_the_network_is_answered_again() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.get("device/available_wifis").await, (200, json!([])));
    let set = r#"{"mode": "station", "ssid": "hall", "psk": "12345678", "route_mode": "wlan0_first"}"#;
    let (status, body) = gateway.call("POST", "services/setup_wifi", set).await;
    assert!(status == 200 && body["message"].as_str().unwrap().contains("no radio"), "{body}");
    let (_, info) = gateway.get("device/wifi_info").await;
    assert_eq!((&info["wifi_mode"], &info["ssid"]), (&json!("station"), &json!("hall")));
    assert_eq!((&info["route_mode"], &info["wpa_state"]), (&json!("wlan0_first"), &json!("disconnected")));
    assert!(!info.to_string().contains("12345678"), "{info}");
    assert_eq!(gateway.call("POST", "services/set_route_mode", r#"{"mode": "usb0_first"}"#).await.0, 200);
    assert_eq!(gateway.get("device/wifi_info").await.1["route_mode"], "usb0_first");
    assert_eq!(gateway.call("POST", "services/setup_wifi", r#"{"mode": "ap"}"#).await.0, 200);
    assert_eq!(gateway.get("device/wifi_info").await, (200, json!({"mode": "ap"})));
    for (body, words) in [
        ("{}", "\"mode\" is required"),
        (r#"{"mode": "mesh"}"#, "neither ap nor station"),
        (r#"{"mode": "station", "psk": "12345678"}"#, "\"ssid\" is required"),
        (r#"{"mode": "station", "ssid": "hall", "psk": "short"}"#, "8 to 64 are a key"),
        (r#"{"mode": "ap", "route_mode": "best"}"#, "eth0_first"),
    ] {
        let (status, text) = gateway.refused("POST", "services/setup_wifi", body).await;
        assert!(status == 400 && text.contains(words), "{body}: {status} {text}");
    }
    let response = gateway.client().request("GET", "wifi_setup").send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    assert!(response.text().await.unwrap().contains("services/setup_wifi"));
}

#[tokio::test]
async fn usb_devices_are_none_and_a_saved_list_is_kept() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.get("device/usb_devices").await, (200, json!([])));
    let (saved, devices) = ("device/usb_devices/saved", json!([{"bus_id": 7, "devices": []}]));
    assert_eq!(gateway.call("PUT", saved, &devices.to_string()).await.0, 200);
    assert_eq!(gateway.get(saved).await, (200, devices));
    assert_eq!(gateway.call("DELETE", saved, "").await.0, 204);
    assert_eq!(gateway.get(saved).await, (200, json!([])));
    for body in ["{}", "[1]", &Value::from(vec![json!({}); 300]).to_string()] {
        assert_eq!(gateway.refused("PUT", saved, body).await.0, 400, "{body}");
    }
    let reset = async |body: &str| gateway.call("POST", "services/reset_usb_devices", body).await;
    assert_eq!(reset(r#"{"devices_to_reset": []}"#).await.0, 200);
    let (status, body) = reset(r#"{"devices_to_reset": ["1/3"]}"#).await;
    assert!(status == 400 && body["detail"].as_str().unwrap().contains("no USB devices"), "{body}");
}

#[tokio::test]
async fn the_clock_s_servers_are_kept() {
    let gateway = Gateway::start().await;
    for (list, line) in [("sources", "server ntp.example"), ("allows", "allow 10.0.0.0/8")] {
        let path = format!("device/chrony/{list}");
        let item = line.split(' ').next_back().unwrap();
        assert_eq!(gateway.get(&path).await, (200, json!([])));
        assert_eq!(gateway.call("PUT", &path, &json!([item]).to_string()).await.0, 200);
        assert_eq!(gateway.get(&path).await, (200, json!([item])));
        let file = gateway.client().request("GET", "device/chrony/chrony.conf").send().await.unwrap();
        let file = file.text().await.unwrap();
        assert!(file.lines().any(|it| it == line), "{file}");
        for body in [r#"[""]"#, r#"["a\nb"]"#, "[1]", &json!(vec!["x"; 100]).to_string()] {
            assert_eq!(gateway.refused("PUT", &path, body).await.0, 400, "{body}");
        }
        assert_eq!(gateway.call("DELETE", &path, "").await.0, 204);
        assert_eq!(gateway.get(&path).await, (200, json!([])));
    }
}

#[tokio::test]
async fn it_keeps_no_files_and_has_no_packages() {
    let gateway = Gateway::start().await;
    for folder in ["bags", "recording", "videos", "core_dumps", "collected_data"] {
        assert_eq!(gateway.get(&format!("{folder}/")).await, (200, json!([])), "{folder}");
        assert_eq!(gateway.call("DELETE", &format!("{folder}/"), "").await.0, 204, "{folder}");
        let (status, text) = gateway.refused("DELETE", &format!("{folder}/a.bag"), "").await;
        assert!(status == 404 && text.contains("a.bag"), "{folder}: {status} {text}");
    }
    assert_eq!(gateway.refused("GET", "bags/a.bag/player", "").await.0, 404);
    assert_eq!(gateway.get("app_store/packages").await, (200, json!([])));
    let asked = r#"{"packages": ["iot"]}"#;
    let explained = json!({"iot": "invalid module iot, skip..."});
    assert_eq!(gateway.call("POST", "app_store/services/download_packages", asked).await, (400, explained));
    assert_eq!(gateway.refused("GET", "app_store/jobs/install/tasks/4/log", "").await.0, 404);
}

#[tokio::test]
async fn what_is_needed_is_reported() {
    let gateway = Gateway::start().await;
    for (method, path, words) in [
        ("POST", "services/towing_hook_lock", "needs a towing hook, which ax-1 does not have"),
        ("GET", "services/query_pose/pallet_pose", "needs forks"),
        ("GET", "ros/slam/submaps/a/0/1", "needs the vendor's SLAM"),
        ("POST", "recording/", "needs a recorder"),
        ("GET", "device/params/prod", "needs parameter files"),
    ] {
        let (status, text) = gateway.refused(method, path, "").await;
        assert!(status == 501 && text.contains(words), "{method} {path}: {status} {text}");
    }
    let off = r#"{"target": "main_power_supply", "reboot": false}"#;
    let (status, text) = gateway.refused("POST", "services/baseboard/shutdown", off).await;
    assert!(status == 501 && text.contains("needs a power supply"), "{status} {text}");
}

#[tokio::test]
async fn a_reboot_is_a_boot() {
    let gateway = Gateway::start().await;
    let reboot = r#"{"target": "main_computing_unit", "reboot": true}"#;
    assert_eq!(gateway.call("POST", "services/baseboard/shutdown", reboot).await.0, 200);
    let (status, text) = gateway.refused("GET", "device/info", "").await;
    assert!(status == 503 && text.contains("boots"), "{status} {text}");
}

#[tokio::test]
async fn an_alert_that_does_not_hold_is_forgotten_already() {
    let gateway = Gateway::start().await;
    let forget = async || gateway.call("POST", "services/clear_system_down_unexpectedly", "{}").await;
    let (status, body) = forget().await;
    assert!(status == 200 && body["message"].as_str().unwrap().contains("6010 does not hold"), "{body}");
    let alert = Alert { code: 6010, severity: Severity::Error, message: String::new() };
    gateway.publish(Alerts { active: vec![alert] });
    let (status, body) = forget().await;
    assert!(status == 501 && body["detail"].as_str().unwrap().contains("6010"), "{status} {body}");
}

#[tokio::test]
async fn a_charger_is_where_a_robot_stands_that_charges() {
    let gateway = Gateway::start().await;
    gateway.publish(Pose::planar(Frame::Map, 4.179, -26.094, 3.1));
    assert_eq!(gateway.refused("GET", "services/query_pose/charger_pose", "").await.0, 400);
    gateway.publish(Battery { state: PowerState::Charging, ..Battery::UNKNOWN });
    let charger = json!({"pose": {"pos": [4.179, -26.094], "ori": 3.1}});
    assert_eq!(gateway.get("services/query_pose/charger_pose").await, (200, charger));
}

#[tokio::test]
async fn the_thumbnail_shows_the_map_the_walls_and_the_robot() {
    let gateway = Gateway::start().await;
    let (status, text) = gateway.refused("GET", "services/get_nav_thumbnail", "").await;
    assert!(status == 400 && text.contains("does not tell where it is"), "{status} {text}");
    gateway.publish(Pose::planar(Frame::Map, 1.0, 2.0, 0.0));
    assert_eq!(gateway.refused("GET", "services/get_nav_thumbnail", "").await.0, 400);
    gateway.publish(sent::footprint());
    let wall = MapFeature {
        kind: FeatureKind::VirtualWall,
        id: None,
        name: None,
        pose: None,
        points_m: vec![[3.0, 1.0], [3.0, 4.0]],
        mac: None,
    };
    gateway.publish(MapInfo {
        name: "Ground Floor".into(),
        uid: Some("xxxxx".into()),
        version: Some(3),
        features_version: Some(8),
        features: vec![wall],
    });
    gateway.say_of(
        "map",
        OccupancyGrid {
            resolution_m: 0.5,
            width: 4,
            height: 4,
            // The lower row is a wall, the rest is free.
            cells: [[100_u8; 4], [0; 4], [0; 4], [0; 4]].concat().into(),
            ..OccupancyGrid::UPRIGHT
        },
    );
    for method in ["GET", "POST"] {
        let (status, body) = gateway.call(method, "services/get_nav_thumbnail", "").await;
        assert_eq!(
            (status, &body["map_name"], &body["map_version"]),
            (200, &json!("Ground Floor"), &json!(3))
        );
        let map = &body["map"];
        assert_eq!((&map["size"], &map["origin"]), (&json!([200, 200]), &json!([-4.0, -3.0])));
        let png = STANDARD.decode(map["data"].as_str().unwrap()).unwrap();
        let (width, height, cells) = cells_from_png(&png, Paint::Map).unwrap();
        assert_eq!((width, height), (200, 200));
        // Rows from below: 0.05 m a pixel from (-4, -3).
        let at = |x_m: f64, y_m: f64| {
            let (column, row) = (((x_m + 4.0) / 0.05) as usize, ((y_m + 3.0) / 0.05) as usize);
            cells[row * 200 + column].cast_signed()
        };
        assert!(at(1.7, 0.2) > 90 && at(1.7, 1.2) < 5, "{} {}", at(1.7, 0.2), at(1.7, 1.2));
        assert!(at(-3.0, -2.0) == -1, "{}", at(-3.0, -2.0));
        // A wall that only the map has is drawn beyond the cells, the robot in their midst.
        assert!(at(3.0, 2.5) > 10 && at(1.0, 2.0) > 10, "{} {}", at(3.0, 2.5), at(1.0, 2.0));
    }
}

#[tokio::test]
async fn what_surrounds_a_connected_chassis_is_its_own() {
    let origin = Origin::Connected("192.168.25.25:8090".into());
    let gateway = Gateway::of_origin("axbot", origin, AxbotConfig::default()).await;
    gateway.source.link(LinkState::Up, None);
    for (method, path) in [
        ("GET", "hostnames/"),
        ("GET", "device/wifi_info"),
        ("GET", "device/usb_devices"),
        ("GET", "device/chrony/sources"),
        ("GET", "bags/"),
        ("GET", "app_store/packages"),
        ("POST", "services/towing_hook_lock"),
    ] {
        let (status, text) = gateway.refused(method, path, "").await;
        assert!(
            status == 501 && text.contains("ask the robot itself at 192.168.25.25:8090"),
            "{path}: {text}"
        );
    }
}
