//! What the robot is, where it is, who drives.

use latimer_core::model::signal::{Frame, Pose};
use latimer_core::{Command, Outcome};
use serde_json::json;

use super::gateway::Gateway;
use super::sent;

#[tokio::test]
async fn tells_what_it_is() {
    let gateway = Gateway::start().await;
    gateway.publish(sent::device());
    gateway.publish(sent::footprint());
    let (status, info) = gateway.get("device/info").await;
    assert_eq!(status, 200, "{info}");
    assert_eq!(info["axbot_version"], "2.13.0");
    assert_eq!(info["device"], json!({"model": "hygeia", "sn": "7182", "name": "ax-1"}));
    assert_eq!(info["robot"]["footprint"][0], json!([-0.2, 0.3]));
    assert_eq!(info["robot"]["inscribed_radius"], json!(0.2));
    assert_eq!(info["caps"]["supportsWsV2"], true);
    assert_eq!(info["time"].as_str().unwrap().len(), "2026/01/02 03:04:05".len());
    let (_, brief) = gateway.get("device/info/brief").await;
    assert!(brief.get("caps").is_none() && brief["device"]["model"] == "hygeia", "{brief}");
    let (_, status) = gateway.get("device/status").await;
    assert_eq!((&status["sn"], &status["version"]), (&json!("7182"), &json!("2.13.0")));
}

#[tokio::test]
async fn a_robot_that_told_nothing_has_its_name_here() {
    let gateway = Gateway::start().await;
    let (status, info) = gateway.get("device/info").await;
    assert_eq!((status, &info["device"]), (200, &json!({"sn": "ax-1", "name": "ax-1"})));
    assert_eq!(info["robot"], json!({}));
}

#[tokio::test]
async fn its_abilities_grow_with_what_it_tells() {
    let gateway = Gateway::start().await;
    let jack = async || gateway.get("device/info").await.1["caps"]["supportsJack"].clone();
    assert_eq!(jack().await, false);
    gateway.say_of("jack", sent::jack());
    assert_eq!(jack().await, true);
    // What is told on the way only is promised to whoever asks before.
    assert_eq!(gateway.get("device/info").await.1["caps"]["supportsLocalPath"], true);
}

#[tokio::test]
async fn lists_the_sensors_whose_topics_it_tells() {
    let gateway = Gateway::start().await;
    let camera = |name: &str| json!({"name": name, "image_topic": format!("/rgb_cameras/{name}/compressed")});
    let sensors = json!({
        "rgb_cameras": [camera("front"), camera("back")],
        "laser_scanners": [{"name": "lidar", "scan_topic": "/scan_matched_points2"}],
        "depth_cameras": [],
    });
    assert_eq!(gateway.get("device/sensors").await, (200, sensors));
}

#[tokio::test]
async fn tells_who_drives_it() {
    let gateway = Gateway::start().await;
    let (status, text) = gateway.refused("GET", "chassis/status", "").await;
    assert!(status == 404 && text.contains("ax-1"), "{status} {text}");
    gateway.publish(sent::control(true));
    let reported = json!({"control_mode": "auto", "emergency_stop_pressed": true, "wheels_released": false});
    assert_eq!(gateway.get("chassis/status").await, (200, reported));
}

#[tokio::test]
async fn tells_where_it_is_on_its_map_only() {
    let gateway = Gateway::start().await;
    assert_eq!(gateway.get("chassis/pose").await.0, 404);
    gateway.publish(Pose::planar(Frame::Odom, 1.0, 2.0, 3.0));
    assert_eq!(gateway.get("chassis/pose").await.0, 404);
    gateway.publish(Pose::planar(Frame::Map, 1.0, 2.0, 3.0));
    let reported = json!({"position": [1.0, 2.0, 0.0], "ori": 3.0});
    assert_eq!(gateway.get("chassis/pose").await, (200, reported));
}

#[tokio::test]
async fn takes_a_pose_of_two_or_three_numbers() {
    let mut gateway = Gateway::start().await;
    let here = Command::SetPose { x_m: 1.0, y_m: 2.0, yaw_rad: 1.57 };
    for position in ["[1, 2]", "[1, 2, 0]"] {
        let body = format!(r#"{{"position": {position}, "ori": 1.57, "adjust_position": false}}"#);
        let (command, (status, _)) = gateway.done("POST", "chassis/pose", &body).await;
        assert_eq!((command, status), (here.clone(), 200));
    }
    for (body, words) in [
        ("{}", "\"position\" is required"),
        (r#"{"position": [1], "ori": 0}"#, "two or three numbers"),
        (r#"{"position": [1, "a", 2], "ori": 0}"#, "two or three numbers"),
        (r#"{"position": [1, 2]}"#, "\"ori\" is required"),
    ] {
        let (status, text) = gateway.refused("POST", "chassis/pose", body).await;
        assert!(status == 400 && text.contains(words), "{body}: {status} {text}");
    }
    let no = Outcome::not_now("it has no map");
    let body = r#"{"position": [1, 2], "ori": 0}"#;
    let (_, answer) = gateway.asked("POST", "chassis/pose", body, no).await;
    assert_eq!(answer, (400, json!({"detail": "it has no map"})));
}
