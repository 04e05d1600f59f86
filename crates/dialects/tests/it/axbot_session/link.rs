use std::time::Duration;

use latimer_core::Signal;
use latimer_core::model::signal::{LinkState, Navigation, NavigationFailure, NavigationState};
use latimer_core::model::{Kind, Outcome};
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
async fn a_drive_of_a_robot_that_is_lost_ends_once_with_the_reason() {
    let mut chassis = Chassis::start().await;
    let gateway = Gateway::looking_at(&chassis, "axbot-1/link axbot-1/navigation").await;
    let drive = |id: i64, state: &str| json!({"topic": "/planning_state", "action_id": id, "action_type": "standard", "move_state": state});
    let report = async || -> Navigation {
        match &gateway.of_kind(Kind::Navigation).await.signal {
            Signal::Navigation(report) => report.clone(),
            other => panic!("{other:?}"),
        }
    };
    gateway.is_up().await;
    chassis.enabled("/planning_state").await;
    chassis.publish(drive(7, "moving"));
    assert_eq!(report().await.state, NavigationState::Moving);
    chassis.hang_up();
    let end = report().await;
    assert_eq!(
        (end.id, end.state, end.failure),
        (7, NavigationState::Failed, Some(NavigationFailure::OutOfReach))
    );
    let reason = end.reason.unwrap_or_default();
    assert!(reason.starts_with("axbot-1 is out of reach: ") && !reason.contains("moving"), "{reason}");
    // It drove on, and the gateway's stop called it off.
    chassis.enabled("/planning_state").await;
    for told in [drive(7, "moving"), drive(7, "cancelled"), drive(8, "moving")] {
        chassis.publish(told);
    }
    let next = report().await;
    assert_eq!((next.id, next.state), (8, NavigationState::Moving));
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
