//! What needs the inside of a served robot.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use latimer_core::hub::{Origin, Source};
use latimer_core::model::signal::LinkState;
use latimer_core::{Clock, Hub, RobotId};
use serde_json::Value;

use super::handle;
use crate::axbot::AxbotConfig;
use crate::axbot::facade::robot::{FacadeRobot, Settings};

fn served() -> (Arc<FacadeRobot>, Source) {
    let hub = Hub::new(Clock::system());
    let robot = RobotId::new("ax-1").unwrap();
    let info = crate::axbot::ENTRY.robot(robot.clone(), Origin::Simulated);
    let source = hub.register(info).unwrap();
    source.link(LinkState::Up, None);
    let settings = Arc::new(Settings::new(&AxbotConfig::default()));
    (Arc::new(FacadeRobot::new(robot, hub, settings)), source)
}

async fn ask(robot: &Arc<FacadeRobot>, method: &str, path: &str, header: Option<(&str, &str)>) -> Response {
    let request = Request::builder().method(method).uri(format!("/{path}"));
    let request = header.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    handle(robot.clone(), path, request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_picture_is_fetched_once() {
    let (robot, _source) = served();
    let address = robot.statics.keep("map", &Bytes::from_static(b"a picture"));
    let response = ask(&robot, "GET", &address, None).await;
    let headers = response.headers().clone();
    assert_eq!((response.status().as_u16(), &headers["content-type"]), (200, &"image/png".parse().unwrap()));
    assert_eq!(headers["cache-control"], "public, max-age=2592000");
    let etag = headers["etag"].to_str().unwrap().to_owned();
    let hash = address.trim_start_matches("static-files/map-").trim_end_matches(".png");
    assert_eq!(etag, format!("\"{hash}\""));
    assert_eq!(to_bytes(response.into_body(), 100).await.unwrap(), b"a picture".as_slice());
    for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
        let response = ask(&robot, "GET", &address, Some(("if-none-match", &known))).await;
        assert_eq!((response.status().as_u16(), &response.headers()["etag"]), (304, &etag.parse().unwrap()));
        assert!(to_bytes(response.into_body(), 100).await.unwrap().is_empty());
    }
    let response = ask(&robot, "GET", &address, Some(("if-none-match", "\"x\""))).await;
    assert_eq!(response.status().as_u16(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_robot_that_does_not_answer_is_given_up() {
    let (robot, _source) = served();
    let response = ask(&robot, "POST", "services/wake_up_device", None).await;
    assert_eq!(response.status().as_u16(), 504);
    let body: Value = serde_json::from_slice(&to_bytes(response.into_body(), 1000).await.unwrap()).unwrap();
    assert!(body["detail"].as_str().unwrap().contains("within 10 s"), "{body}");
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_given_up() {
    let (robot, _source) = served();
    let never = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
    let request = Request::builder().method("POST").uri("/chassis/moves");
    let request = request.body(Body::from_stream(never)).unwrap();
    let response = handle(robot, "chassis/moves", request).await;
    assert_eq!(response.status().as_u16(), 408);
}

#[tokio::test]
async fn a_robot_that_is_gone_is_unavailable() {
    let (robot, source) = served();
    drop(source);
    assert_eq!(ask(&robot, "GET", "device/info", None).await.status().as_u16(), 503);
    assert_eq!(ask(&robot, "GET", "device/boot_progress", None).await.status().as_u16(), 200);
}
