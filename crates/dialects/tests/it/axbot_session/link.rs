use std::time::Duration;

use latimer_core::model::Outcome;
use latimer_core::model::signal::LinkState;
use latimer_dialects::axbot::calls::WakeUp;
use serde_json::json;

use super::chassis::{Answer, Chassis, answer, info};
use super::gateway::{Gateway, refusal};
use crate::own;

#[tokio::test]
async fn a_dropped_link_comes_back_with_its_topics() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link/** axbot-1/joint/**").await;
    chassis.enabled("/jack_state").await;
    gateway.is_up().await;
    chassis.hang_up();
    let down = gateway.link(|link| link.state == LinkState::Down).await;
    assert!(down.reason.is_some_and(|reason| !reason.is_empty()));
    let up = gateway.link(|link| link.state == LinkState::Up).await;
    assert_eq!(up.reconnects, 1);
    chassis.enabled("/jack_state").await;
    assert_eq!(gateway.command(own(WakeUp {})).await, Outcome::Accepted);
}

#[tokio::test]
async fn a_robot_that_boots_is_waited_for() {
    let chassis = Chassis::start().await;
    chassis.answers("GET device/info", answer(503, &json!({"detail": "loading maps"})));
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    let down = gateway.link(|link| link.state == LinkState::Down).await;
    assert_eq!(down.reason.as_deref(), Some("the robot boots: loading maps"));
    let refused = refusal(gateway.command(own(WakeUp {})).await);
    assert!(refused.contains("the robot boots"), "{refused}");
    chassis.answers("GET device/info", answer(200, &info()));
    gateway.is_up().await;
}

#[tokio::test]
async fn the_secret_goes_along_and_a_wrong_one_is_named() {
    let mut chassis = Chassis::start().await;
    chassis.answers("GET device/info", answer(401, &json!({"detail": "no"})));
    let gateway = Gateway::with_secret(&chassis, "axbot-1/link", Some("s3cret")).await;
    let down = gateway.link(|link| link.state == LinkState::Down).await;
    assert!(down.reason.unwrap().contains("axbot.connect.secret"));
    chassis.answers("GET device/info", answer(200, &info()));
    gateway.is_up().await;
    for request in ["GET device/info", "GET ws/v2/topics"] {
        assert_eq!(chassis.request(request).await.1.as_deref(), Some("s3cret"), "{request}");
    }
    gateway.command(own(WakeUp {})).await;
    assert_eq!(chassis.request("POST services/wake_up_device").await.1.as_deref(), Some("s3cret"));
}

#[tokio::test]
async fn a_robot_that_does_not_say_what_it_is_is_served_all_the_same() {
    for odd in
        [answer(500, &json!({})), answer(200, &json!([])), Answer(200, "<html>".into(), Duration::ZERO)]
    {
        let mut chassis = Chassis::start().await;
        chassis.answers("GET device/info", odd);
        let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
        gateway.is_up().await;
        chassis.text(|text| text["enable_topic"] == "/battery_state").await;
    }
}

#[tokio::test]
async fn a_refused_socket_tells_why() {
    let chassis = Chassis::start().await;
    chassis.answers("GET ws/v2/topics", answer(404, &json!({})));
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link").await;
    let down = gateway.link(|link| link.state == LinkState::Down).await;
    assert!(down.reason.unwrap().contains("HTTP status 404"));
}
