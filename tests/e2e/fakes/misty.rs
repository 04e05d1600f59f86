//! A Misty: REST commands below `/api`, and events over `/pubsub`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::{Base, Running};

/// Between two readings of its encoders.
const PERIOD: Duration = Duration::from_millis(100);
/// What 100 % is, m/s, and the radius of a track's wheel, metres.
const FULL_MPS: f64 = 0.5;
const WHEEL_M: f64 = 0.05;
/// Largest body that is read, bytes.
const MAX_BODY: usize = 1 << 16;

/// Serves a Misty until it is dropped: where, and the server.
pub(crate) async fn start(base: Arc<Base>) -> (String, Running) {
    super::serve(Router::new().fallback(answer).with_state(base)).await
}

async fn answer(State(base): State<Arc<Base>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.uri.path() == "/pubsub" {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade.on_upgrade(|socket| publish(socket, base)),
            Err(refusal) => refusal.into_response(),
        };
    }
    if parts.method == Method::GET {
        return success(json!({"sku": "Misty II", "serialNumber": "1"}));
    }
    let body = to_bytes(body, MAX_BODY).await.unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let speed_mps = body["LinearVelocity"].as_f64().unwrap_or_default() / 100.0 * FULL_MPS;
    let takes = match parts.uri.path().trim_start_matches("/api/") {
        "drive/stop" | "halt" => base.told_to_stop(),
        "drive" => {
            base.told_to_move(speed_mps, None);
            true
        }
        "drive/time" => {
            let ms = body["TimeMs"].as_u64().unwrap_or_default();
            base.told_to_move(speed_mps, Some(Duration::from_millis(ms)));
            true
        }
        _ => true,
    };
    tokio::time::sleep(base.takes()).await;
    match takes {
        true => success(json!(true)),
        false => {
            let failure = json!({"error": "the motor controller does not answer", "status": "Failed"});
            (StatusCode::INTERNAL_SERVER_ERROR, Json(failure)).into_response()
        }
    }
}

fn success(result: Value) -> Response {
    Json(json!({"result": result, "status": "Success"})).into_response()
}

/// Sends the events of one socket's subscriptions.
async fn publish(mut socket: WebSocket, base: Arc<Base>) {
    // The event type of each name.
    let mut subscriptions = BTreeMap::new();
    let mut ticks = tokio::time::interval(PERIOD);
    let mut before = None;
    loop {
        let messages = tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                let text = message.to_text().unwrap_or_default();
                subscribe(&mut subscriptions, &serde_json::from_str(text).unwrap_or_default())
            }
            _ = ticks.tick() => {
                if base.hangs_up() {
                    return;
                }
                events(&subscriptions, &base, &mut before)
            }
        };
        for message in messages {
            if socket.send(Message::text(message.to_string())).await.is_err() {
                return;
            }
        }
    }
}

/// Takes a subscription, or the end of one; what is said to it.
fn subscribe(subscriptions: &mut BTreeMap<String, String>, request: &Value) -> Vec<Value> {
    let [operation, name, event_type] =
        ["Operation", "EventName", "Type"].map(|key| request[key].as_str().unwrap_or_default());
    match operation {
        "subscribe" => {
            subscriptions.insert(name.to_owned(), event_type.to_owned());
            vec![json!({"eventName": name, "message": "Registration Status: API event registered."})]
        }
        _ => {
            subscriptions.remove(name);
            Vec::new()
        }
    }
}

/// What the subscriptions get now: what the encoders measure, and the end of a motion when it ends.
fn events(subscriptions: &BTreeMap<String, String>, base: &Base, before: &mut Option<f64>) -> Vec<Value> {
    let named = |wanted: &str| subscriptions.iter().find(|(_, it)| *it == wanted).map(|(name, _)| name);
    let Some(encoders) = named("DriveEncoders") else {
        *before = None;
        return Vec::new();
    };
    let Some(speed_mps) = base.report() else { return Vec::new() };
    let (way, velocity) = ((base.x_m() / WHEEL_M).to_degrees(), (speed_mps / WHEEL_M).to_degrees());
    let body = json!({"created": jiff::Timestamp::now().to_string(), "leftDistance": way, "leftVelocity": velocity,
        "rightDistance": way, "rightVelocity": velocity, "sensorId": "enc"});
    let mut events = vec![json!({"eventName": encoders, "message": body})];
    let halts = before.replace(speed_mps).is_some_and(|before| before != 0.0) && speed_mps == 0.0;
    if let Some(halt) = named("HaltCommand").filter(|_| halts) {
        let body = json!({"created": jiff::Timestamp::now().to_string(), "motorMask": 6});
        events.push(json!({"eventName": halt, "message": body}));
    }
    events
}
