//! What the robot is, where it is, who drives.

use latimer_core::model::signal::{
    Alert, Alerts, ControlMode, Device, DevicePart, Frame, Hazard, HazardItem, HazardSource, LinkState, Pose,
    Severity,
};
use latimer_core::{Command, Outcome};
use latimer_dialects::axbot::AxbotConfig;
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
async fn a_robot_that_published_nothing_has_its_name_here() {
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
    // A local path is published only on the way, so it is promised before.
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
    // What keeps a wheel from turning is an alert; a robot that tells none leaves it out.
    for (codes, overloaded) in [(vec![], false), (vec![8501], false), (vec![2002, 8501], true)] {
        let alert = |code| Alert { code, severity: Severity::Error, message: String::new() };
        gateway.publish(Alerts { active: codes.into_iter().map(alert).collect() });
        let reported = json!({
            "control_mode": "auto", "emergency_stop_pressed": true,
            "wheel_overloaded": overloaded, "wheels_released": false,
        });
        assert_eq!(gateway.get("chassis/status").await, (200, reported));
    }
}

#[tokio::test]
async fn a_robot_that_is_no_chassis_is_overloaded_if_a_motor_stalls() {
    let gateway = Gateway::of_family("misty", AxbotConfig::default()).await;
    gateway.source.link(LinkState::Up, None);
    gateway.publish(sent::control(false));
    let item = HazardItem { source: HazardSource::MotorStall, part: "left".into(), active: true };
    gateway.publish(Hazard { items: vec![item], critical_error_code: None });
    assert_eq!(gateway.get("chassis/status").await.1["wheel_overloaded"], true);
}

#[tokio::test]
async fn an_old_app_says_who_drives_by_a_patch() {
    let mut gateway = Gateway::start().await;
    let body = r#"{"control_mode": "manual", "emergency_stop_pressed": true}"#;
    let (commands, (status, _)) = gateway.asked_twice("PATCH", "chassis/status", body).await;
    assert_eq!(commands, [Command::EmergencyStop(true), Command::ControlMode(ControlMode::Manual)]);
    assert_eq!(status, 200);
    assert_eq!(gateway.refused("PATCH", "chassis/status", "{}").await.0, 400);
}

#[tokio::test]
async fn parts_and_software_are_answered_as_the_topic_publishes_them() {
    let gateway = Gateway::start().await;
    let part = |name: &str, kind: Option<&str>, firmware: &str| DevicePart {
        name: name.into(),
        model: None,
        kind: kind.map(str::to_owned),
        firmware: Some(firmware.into()),
    };
    gateway.publish(Device {
        ros_version: Some("1.15.11".into()),
        ros_distribution: Some("noetic".into()),
        parts: vec![part("wheel_control", Some("amps"), "amps_20211103"), part("depth_camera", None, "")],
        options: Some(vec!["RGB_external".into()]),
        ..sent::device()
    });
    for path in ["device/info", "device/info/brief"] {
        let (_, info) = gateway.get(path).await;
        assert_eq!((&info["rosversion"], &info["rosdistro"]), (&json!("1.15.11"), &json!("noetic")));
        let wheels = json!({"device_type": "amps", "firmware_version": "amps_20211103"});
        assert_eq!(
            (&info["wheel_control"], &info["depth_camera"]),
            (&wheels, &json!({"firmware_version": ""}))
        );
        assert_eq!(info["remote_params"], json!({"tags": ["RGB_external"]}));
        assert!(info.get("lidar").is_none(), "what was not published is left out: {info}");
    }
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
