//! A robot of another family, which has no map, no jack and no way to drive somewhere by itself.

use latimer_core::model::signal::LinkState;
use latimer_dialects::axbot::AxbotConfig;
use serde_json::json;

use super::gateway::Gateway;
use super::sent;

async fn misty() -> Gateway {
    let gateway = Gateway::of_family("misty", AxbotConfig::default()).await;
    gateway.source.link(LinkState::Up, None);
    gateway.publish(sent::device());
    gateway
}

#[tokio::test]
async fn its_abilities_are_honest() {
    let gateway = misty().await;
    let (status, info) = gateway.get("device/info").await;
    assert_eq!(status, 200);
    for cap in [
        "supportsJack",
        "supportsFollowTarget",
        "supportsWheelStateTopic",
        "supportsCachedTopics",
        "supportsImuRecalibrateService",
    ] {
        assert_eq!(info["caps"][cap], false, "{cap}");
    }
    // Every robot of its family has a camera.
    assert_eq!(info["caps"]["supportsRgbCamera"], true);
    assert_eq!(info["caps"]["supportsEnableTopicList"], true);
    // Its own version is not that of a chassis.
    assert_eq!(
        (&info["axbot_version"], &info["baseboard"]),
        (&json!("2.14.0"), &json!({"firmware_version": "2.13.0"}))
    );
}

#[tokio::test]
async fn what_it_cannot_do_is_reported_without_asking_it() {
    let gateway = misty().await;
    for (method, path, body, status, words) in [
        ("POST", "chassis/moves", r#"{"target_x": 1, "target_y": 2}"#, 400, "it can do: none"),
        ("POST", "services/jack_up", "", 404, "no jack"),
        ("POST", "services/get_rgb_image", r#"{"topic": "/rgb_cameras/back/compressed"}"#, 404, "no camera"),
        ("POST", "services/wake_up_device", "", 404, "no sensors that sleep"),
        ("POST", "services/imu/recalibrate", "", 404, "no part"),
        ("POST", "services/occupancy_grid_server/reset", "", 404, "no part"),
        ("GET", "chassis/current-map", "", 404, "no map"),
        ("GET", "chassis/status", "", 404, "who drives"),
        ("GET", "chassis/pose", "", 404, "on a map"),
    ] {
        let reported = gateway.refused(method, path, body).await;
        assert!(reported.0 == status && reported.1.contains(words), "{method} {path}: {reported:?}");
    }
    assert_eq!(gateway.get("maps").await, (200, json!([])));
}

#[tokio::test]
async fn one_that_drives_to_points_only_promises_nothing_else() {
    let gateway = Gateway::of_family("robotkoop", AxbotConfig::default()).await;
    gateway.source.link(LinkState::Up, None);
    let info = gateway.get("device/info").await.1;
    assert_eq!(info["caps"]["supportsFollowTarget"], false);
    for body in
        [r#"{"type": "follow_target"}"#, r#"{"type": "along_given_route", "route_coordinates": "1,1,2,2"}"#]
    {
        let reported = gateway.refused("POST", "chassis/moves", body).await;
        assert!(reported.0 == 400 && reported.1.contains("it can do: standard, charge"), "{reported:?}");
    }
}

#[tokio::test]
async fn a_family_without_cameras_has_none() {
    let gateway = Gateway::of_family("pera", AxbotConfig::default()).await;
    gateway.source.link(LinkState::Up, None);
    assert_eq!(gateway.get("device/info").await.1["caps"]["supportsRgbCamera"], false);
    let reported = gateway.refused("POST", "services/get_rgb_image", r#"{"topic": "x"}"#).await;
    assert!(reported.0 == 404 && reported.1.contains("no camera"), "{reported:?}");
}
