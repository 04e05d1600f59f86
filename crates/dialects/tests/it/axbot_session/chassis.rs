//! A chassis that does nothing by itself: it notes its requests, and publishes what the test gives it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
pub(crate) use latimer_e2e::PATIENCE;
use serde_json::{Value, json};
use tokio::sync::{broadcast, mpsc};
use tokio_util::sync::{CancellationToken, DropGuard};

/// What is answered to a request, and after how long.
#[derive(Clone)]
pub(crate) struct Answer(pub(crate) u16, pub(crate) Bytes, pub(crate) Duration);

pub(crate) fn answer(status: u16, body: &Value) -> Answer {
    Answer(status, body.to_string().into(), Duration::ZERO)
}

#[derive(Clone)]
struct Inner {
    answers: Arc<Mutex<HashMap<String, Answer>>>,
    /// Method, path and body of each request, and its secret.
    requests: mpsc::UnboundedSender<(String, Value, Option<String>)>,
    /// Texts that clients sent.
    incoming: mpsc::UnboundedSender<Value>,
    publish: broadcast::Sender<Message>,
    hang_up: Arc<Mutex<CancellationToken>>,
    /// Whether a twist is answered.
    feeds_back: Arc<Mutex<bool>>,
}

pub(crate) struct Chassis {
    pub(crate) address: String,
    inner: Inner,
    requests: mpsc::UnboundedReceiver<(String, Value, Option<String>)>,
    incoming: mpsc::UnboundedReceiver<Value>,
    _stop: DropGuard,
}

/// What a robot of today tells of itself.
pub(crate) fn info() -> Value {
    json!({
        "axbot_version": "2.9.0-pi64",
        "device": {"model": "hygeia", "sn": "71822048000350z", "name": "Hygeia"},
        "robot": {"footprint": [[0.2, -0.2], [0.2, 0.3], [-0.2, 0.3], [-0.2, -0.2]], "wheel_distance": 0.4},
        "caps": {"supportsEnableTopicList": true},
    })
}

impl Chassis {
    pub(crate) async fn start() -> Self {
        let (requests, noted) = mpsc::unbounded_channel();
        let (incoming, texts) = mpsc::unbounded_channel();
        let inner = Inner {
            answers: Arc::default(),
            requests,
            incoming,
            publish: broadcast::Sender::new(256),
            hang_up: Arc::default(),
            feeds_back: Arc::new(Mutex::new(true)),
        };
        let router = Router::new().fallback(handle).with_state(inner.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("{}/robots/r/axbot", listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let (stopped, _stop) = (stop.clone(), stop.drop_guard());
        tokio::spawn(async move {
            let served = axum::serve(listener, router).with_graceful_shutdown(stopped.cancelled_owned());
            served.await.unwrap();
        });
        let chassis = Self { address, inner, requests: noted, incoming: texts, _stop };
        chassis.answers("GET device/info", answer(200, &info()));
        chassis
    }

    /// What is answered from now on to `METHOD path`.
    pub(crate) fn answers(&self, request: &str, answer: Answer) {
        self.inner.answers.lock().unwrap().insert(request.into(), answer);
    }

    pub(crate) fn feeds_back(&self, feeds_back: bool) {
        *self.inner.feeds_back.lock().unwrap() = feeds_back;
    }

    /// Says something on every socket.
    pub(crate) fn publish(&self, message: Value) {
        self.send(Message::text(message.to_string()));
    }

    pub(crate) fn send(&self, message: Message) {
        let _ = self.inner.publish.send(message);
    }

    /// Ends every socket.
    pub(crate) fn hang_up(&self) {
        std::mem::take(&mut *self.inner.hang_up.lock().unwrap()).cancel();
    }

    /// The next request of a sort: its body and its secret. Others are skipped.
    pub(crate) async fn request(&mut self, wanted: &str) -> (Value, Option<String>) {
        let search = async {
            loop {
                let (request, body, secret) = self.requests.recv().await.unwrap();
                if request == wanted {
                    return (body, secret);
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.unwrap_or_else(|_| panic!("{wanted} is not requested"))
    }

    /// All requests so far.
    pub(crate) fn requests_so_far(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.requests.try_recv().ok()).map(|(request, ..)| request).collect()
    }

    /// The next text of a sort. Others are skipped.
    pub(crate) async fn text(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let search = async {
            loop {
                let text = self.incoming.recv().await.unwrap();
                if wanted(&text) {
                    return text;
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("the text comes")
    }

    /// All texts so far.
    pub(crate) fn texts_so_far(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.incoming.try_recv().ok()).collect()
    }

    /// Waits until a topic is enabled.
    pub(crate) async fn enabled(&mut self, topic: &str) {
        self.text(|text| names(&text["enable_topic"]).iter().any(|name| name == topic)).await;
    }

    /// Speed and turn rate of the next twist.
    pub(crate) async fn twist(&mut self) -> [f64; 2] {
        let twist = self.text(|text| text["topic"] == "/twist").await;
        ["linear_velocity", "angular_velocity"].map(|name| twist[name].as_f64().unwrap())
    }
}

/// One name or a list of them.
pub(crate) fn names(named: &Value) -> Vec<String> {
    match named {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
        _ => Vec::new(),
    }
}

async fn handle(State(inner): State<Inner>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().strip_prefix("/robots/r/axbot/").unwrap_or("elsewhere").to_owned();
    let secret = parts.headers.get("secret").map(|secret| secret.to_str().unwrap().to_owned());
    let named = format!("{} {path}", parts.method);
    let body = to_bytes(body, 64 << 20).await.unwrap();
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    inner.requests.send((named.clone(), json, secret)).ok();
    let reported = inner.answers.lock().unwrap().get(&named).cloned();
    if path == "ws/v2/topics" && reported.is_none() {
        let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await.unwrap();
        return upgrade.on_upgrade(move |socket| talk(socket, inner)).into_response();
    }
    let Answer(status, body, after) = match reported {
        Some(reported) => reported,
        None if parts.method == Method::GET => answer(404, &json!({"detail": "Not found."})),
        None => answer(200, &json!({})),
    };
    tokio::time::sleep(after).await;
    let tag = format!("\"{}\"", body.len());
    if parts.headers.get("if-none-match").is_some_and(|known| known.to_str().unwrap() == tag) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    (StatusCode::from_u16(status).unwrap(), [("etag", tag)], body).into_response()
}

async fn talk(mut socket: WebSocket, inner: Inner) {
    let mut publish = inner.publish.subscribe();
    let hang_up = inner.hang_up.lock().unwrap().clone();
    let mut enabled: Vec<String> = Vec::new();
    loop {
        tokio::select! {
            () = hang_up.cancelled() => return,
            Ok(message) = publish.recv() => socket.send(message).await.unwrap(),
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                let Message::Text(text) = message else { continue };
                let text: Value = serde_json::from_str(&text).unwrap();
                for name in names(&text["enable_topic"]) {
                    enabled.insert(0, name);
                }
                let gone = names(&text["disable_topic"]);
                enabled.retain(|name| !gone.contains(name));
                let reply = match text["topic"].as_str() {
                    None => Some(json!({"enabled_topics": enabled})),
                    Some("/twist") if *inner.feeds_back.lock().unwrap() => Some(json!({"topic": "/twist_feedback"})),
                    Some(_) => None,
                };
                inner.incoming.send(text).ok();
                if let Some(reply) = reply {
                    let _ = socket.send(Message::text(reply.to_string())).await;
                }
            }
        }
    }
}
