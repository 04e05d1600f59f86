//! Sockets: old and new paths, secrets, clients that hang.

use std::time::Duration;

use futures_util::SinkExt;
use latimer_core::hub::SinkReport;
use latimer_core::model::signal::image::PictureFormat;
use latimer_core::model::signal::{CompressedImage, Frame};
use latimer_dialects::axbot::AxbotConfig;
use serde_json::json;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::chassis::Chassis;

#[tokio::test]
async fn the_old_path_has_the_old_labels() {
    let chassis = Chassis::start().await;
    chassis.say_pose(None, Frame::Map, 1.0);
    chassis.say_battery(0.5);
    for (path, label) in [("/ws/topics", "/chassis/pose"), ("/ws/v2/topics/", "/tracked_pose")] {
        let mut client = chassis.client_at(path).await;
        client.enable(&["/tracked_pose"]).await;
        assert_eq!(client.json().await, json!({"topic": label, "pos": [1.0, 0.0], "ori": 0.0}));
        client.enable(&["/battery_state"]).await;
        assert_eq!(client.json().await["topic"], "/battery_state");
    }
}

#[tokio::test]
async fn a_secret_is_asked_for_if_there_is_one() {
    let config = AxbotConfig { secret: Some("abc".into()), ..AxbotConfig::default() };
    let chassis = Chassis::with("test", config).await;
    let url = format!("ws://{}/ws/v2/topics", chassis.address);
    for (secret, expected) in [(None, 401), (Some("abd"), 401), (Some("abc"), 101)] {
        let mut request = url.as_str().into_client_request().unwrap();
        if let Some(secret) = secret {
            request.headers_mut().insert("Secret", secret.parse().unwrap());
        }
        let status = match tokio_tungstenite::connect_async(request).await {
            Ok((_, response)) => response.status(),
            Err(Error::Http(response)) => {
                let body = String::from_utf8(response.body().clone().unwrap_or_default()).unwrap();
                assert!(body.is_empty() || body.contains("Secret"), "{body}");
                response.status()
            }
            Err(other) => panic!("{other}"),
        };
        assert_eq!(status, expected, "{secret:?}");
    }
}

#[tokio::test]
async fn clients_are_closed_with_a_reason_when_the_gateway_stops() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/alerts"]).await;
    drop(chassis.running);
    match client.message().await {
        Message::Close(Some(frame)) => assert_eq!(frame.reason.as_str(), "the gateway stops"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn who_says_goodbye_is_answered() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.enable(&["/alerts"]).await;
    let bye = CloseFrame { code: CloseCode::Normal, reason: "done".into() };
    client.0.send(Message::Close(Some(bye))).await.unwrap();
    match client.message().await {
        Message::Close(Some(frame)) => {
            assert_eq!(frame.code, CloseCode::Normal, "browsers call all else unclean")
        }
        other => panic!("{other:?}"),
    }
}

fn large_picture() -> String {
    json!({"topic": "/rgb_cameras/front/compressed", "data": "x".repeat(1 << 20)}).to_string()
}

fn say_large_picture(chassis: &Chassis, text: &str) {
    let data = vec![1].into();
    let image = CompressedImage { format: PictureFormat::Jpeg, width: 1, height: 1, data };
    chassis.publish(Some("camera_front"), image, "/rgb_cameras/front/compressed", text);
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_costs_the_others_nothing() {
    let chassis = Chassis::start().await;
    let mut idle = chassis.client().await;
    idle.enable(&["/rgb_cameras/front/compressed"]).await;
    let mut client = chassis.client().await;
    client.enable(&["/battery_state"]).await;
    let text = large_picture();
    for _ in 0..40 {
        say_large_picture(&chassis, &text);
        chassis.time.pass(Duration::from_millis(5)).await;
    }
    chassis.say_battery(0.7);
    assert_eq!(client.json().await["percentage"], 0.7);
    let slow = chassis.hub.sinks().into_iter().find(|sink| sink.selects[0].contains("compressed")).unwrap();
    assert!(slow.waiting <= 1, "only the newest picture waits: {}", slow.waiting);
    client.enable(&["/alerts"]).await;
}

#[tokio::test]
async fn a_message_that_is_too_long_ends_the_connection_with_a_reason() {
    let chassis = Chassis::start().await;
    let mut client = chassis.client().await;
    client.send(format!(r#"{{"enable_topic": "{}"}}"#, "x".repeat(100_000))).await;
    assert!(client.json().await["error"].as_str().unwrap().contains("only pictures"));
    // It is refused by its length alone, before all of it was sent.
    let _ = client.0.send(Message::text(" ".repeat(5 << 20))).await;
    match client.message().await {
        Message::Close(Some(frame)) => assert!(frame.reason.contains("4194304"), "{frame}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_is_let_go() {
    let chassis = Chassis::start().await;
    let mut idle = chassis.client().await;
    idle.enable(&["/rgb_cameras/front/compressed"]).await;
    let text = large_picture();
    let watches = |sink: &SinkReport| sink.selects.iter().any(|it| it.contains("compressed"));
    for _ in 0..200 {
        if !chassis.hub.sinks().iter().any(watches) {
            return;
        }
        say_large_picture(&chassis, &text);
        chassis.time.pass(Duration::from_millis(100)).await;
    }
    panic!("it keeps its place for 20 s");
}
