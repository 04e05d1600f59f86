//! A chassis: REST around `/chassis` and `/services`, and topics over `/ws/v2/topics`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::{Base, Running};

/// Between two messages of how fast it is.
const PERIOD: Duration = Duration::from_millis(100);
/// So long a twist lasts, as bases were seen to hold one.
const TWIST_LASTS: Duration = Duration::from_millis(220);
/// Largest body that is read, bytes.
const MAX_BODY: usize = 1 << 16;

/// What a chassis is beside its base.
#[derive(Debug)]
struct Chassis {
    base: Arc<Base>,
    is_pressed: AtomicBool,
    moves: AtomicI64,
}

/// Serves a chassis until it is dropped: where, and the server.
pub(crate) async fn start(base: Arc<Base>) -> (String, Running) {
    let chassis = Chassis { base, is_pressed: AtomicBool::new(false), moves: AtomicI64::new(0) };
    super::serve(Router::new().fallback(answer).with_state(Arc::new(chassis))).await
}

async fn answer(State(chassis): State<Arc<Chassis>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().trim_start_matches('/').to_owned();
    if path == "ws/v2/topics" {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade.on_upgrade(|socket| publish(socket, chassis)),
            Err(refusal) => refusal.into_response(),
        };
    }
    let body = to_bytes(body, MAX_BODY).await.unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let goes = chassis.base.goes_by_itself();
    let (status, body) = match (&parts.method, path.as_str()) {
        (&Method::GET, "device/info") => (StatusCode::OK, identity()),
        (&Method::POST, "chassis/moves") => {
            chassis.base.told_to_go();
            let id = chassis.moves.fetch_add(1, Ordering::Relaxed) + 1;
            (StatusCode::OK, json!({"id": id, "state": "moving"}))
        }
        (&Method::PATCH, "chassis/moves/current") => match chassis.base.told_to_stop() {
            true if goes => (StatusCode::OK, json!({"state": "cancelled"})),
            true => (StatusCode::NOT_FOUND, json!({"detail": "there is no move"})),
            false => (StatusCode::INTERNAL_SERVER_ERROR, json!({"detail": "the planner does not answer"})),
        },
        (&Method::POST, "services/wheel_control/set_emergency_stop") => {
            let enable = body["enable"] == true;
            match !enable || chassis.base.told_to_stop() {
                true => {
                    chassis.is_pressed.store(enable, Ordering::Relaxed);
                    (StatusCode::OK, json!({}))
                }
                false => (StatusCode::INTERNAL_SERVER_ERROR, json!({"detail": "the wheels do not answer"})),
            }
        }
        _ => (StatusCode::OK, json!({})),
    };
    if parts.method != Method::GET {
        tokio::time::sleep(chassis.base.takes()).await;
    }
    (status, Json(body)).into_response()
}

fn identity() -> Value {
    json!({
        "axbot_version": "2.12.4-pi64",
        "device": {"model": "hygeia", "sn": "71822048000350z", "name": "Round"},
        "robot": {"footprint": [[0.2, -0.2], [0.2, 0.3], [-0.2, 0.3]], "wheel_distance": 0.4},
        "caps": {"supportsEnableTopicList": true},
    })
}

/// Sends the topics that one socket enabled, and takes its twists.
async fn publish(mut socket: WebSocket, chassis: Arc<Chassis>) {
    let base = &chassis.base;
    let mut enabled: Vec<String> = Vec::new();
    let mut ticks = tokio::time::interval(PERIOD);
    // What was sent last: how its wheels stand, whether it is on a move, and where it is.
    let (mut wheels, mut moving, mut place) = (Value::Null, None, None);
    loop {
        let mut messages = Vec::new();
        tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                let text = message.to_text().unwrap_or_default();
                let request: Value = serde_json::from_str(text).unwrap_or_default();
                if request["topic"] == "/twist" {
                    match request["linear_velocity"].as_f64().unwrap_or_default() {
                        0.0 => base.told_to_stand(),
                        speed_mps => base.told_to_move(speed_mps, Some(TWIST_LASTS)),
                    }
                    tokio::time::sleep(base.takes()).await;
                    messages.push(json!({"topic": "/twist_feedback"}));
                } else {
                    enable(&mut enabled, &request);
                    messages.push(json!({"enabled_topics": enabled}));
                    (wheels, moving, place) = (Value::Null, None, None);
                }
            }
            _ = ticks.tick() => {
                if base.hangs_up() {
                    return;
                }
                let is = |topic: &str| enabled.iter().any(|it| it == topic);
                let pressed = chassis.is_pressed.load(Ordering::Relaxed);
                let state =
                    json!({"topic": "/wheel_state", "control_mode": "remote", "emergency_stop_pressed": pressed});
                if wheels != state {
                    messages.push(state.clone());
                    wheels = state;
                }
                // Silent at rest.
                let x_m = (base.x_m() * 100.0).round() / 100.0;
                let has_moved = is("/tracked_pose") && place != Some(x_m);
                if (is("/motion_metrics") || has_moved) && let Some(speed_mps) = base.report() {
                    if is("/motion_metrics") {
                        messages.push(json!({"topic": "/motion_metrics", "linear_velocity": speed_mps,
                            "linear_acc": 0.0, "angular_velocity": 0.0}));
                    }
                    if has_moved {
                        place = Some(x_m);
                        messages.push(json!({"topic": "/tracked_pose", "pos": [x_m, 0.0], "ori": 0.0}));
                    }
                    let goes = base.goes_by_itself();
                    if moving.replace(goes) != Some(goes) {
                        messages.push(planning(chassis.moves.load(Ordering::Relaxed), goes));
                    }
                }
            }
        }
        for message in messages {
            if socket.send(Message::text(message.to_string())).await.is_err() {
                return;
            }
        }
    }
}

/// Takes `enable_topic` and `disable_topic`, of one topic or of several.
fn enable(enabled: &mut Vec<String>, request: &Value) {
    let names = |key: &str| -> Vec<String> {
        match &request[key] {
            Value::Array(names) => names.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect(),
            Value::String(name) => vec![name.clone()],
            _ => Vec::new(),
        }
    };
    let (new, gone) = (names("enable_topic"), names("disable_topic"));
    enabled.retain(|it| !gone.contains(it) && !new.contains(it));
    enabled.extend(new);
}

fn planning(action_id: i64, goes: bool) -> Value {
    let (state, remaining_m) = if goes { ("moving", 2.5) } else { ("cancelled", 0.0) };
    json!({"topic": "/planning_state", "map_uid": "", "action_id": action_id, "action_type": "standard",
        "move_state": state, "fail_reason": 0, "fail_reason_str": "none", "remaining_distance": remaining_m,
        "stuck_state": "none"})
}
