//! The requests beside the topics.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use latimer_core::Timestamp;
use tokio_util::sync::CancellationToken;

use super::robot::FacadeRobot;

/// What a robot's requests keep: moves, maps, mappings, whether it boots.
#[derive(Debug)]
pub(super) struct Desk;

impl Desk {
    /// An empty desk of a robot that begins to boot now.
    pub(super) fn new(_now: Timestamp, _boot: Duration) -> Self {
        Self
    }

    /// Whether it boots, and answers nothing else.
    pub(super) fn is_booting(&self, _now: Timestamp) -> bool {
        false
    }
}

/// Answers one request; `path` has no slash in front.
pub(super) async fn handle(_robot: Arc<FacadeRobot>, _path: &str, _request: Request) -> Response {
    axum::http::StatusCode::NOT_FOUND.into_response()
}

/// Keeps the desk up to date with what the robot says, until told to stop or until the robot is gone.
pub(super) async fn attend(_robot: Arc<FacadeRobot>, stop: CancellationToken) {
    stop.cancelled().await;
}

/// What a robot says of itself, as `GET /device/info` answers; null if that is not known.
pub(super) fn device_info(_robot: &FacadeRobot) -> serde_json::Value {
    serde_json::Value::Null
}
