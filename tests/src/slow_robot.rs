//! A robot of another maker as far as its web server goes: it takes its time for each request, and notes what it was
//! asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::ws::WebSocket;
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use latimer_core::{Clock, Timestamp};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Largest body that is read, bytes.
const MAX_BODY: usize = 1 << 20;

/// A request that the robot got: `METHOD path` without `api/`, and its body.
pub type Call = (String, Value);

/// Serves until it is dropped.
#[derive(Debug)]
pub struct SlowRobot {
    address: String,
    inner: Arc<Inner>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Inner {
    takes: Duration,
    /// Each with when it came.
    calls: Mutex<Vec<(Call, Timestamp)>>,
    /// So many requests of this name are answered by 500 from now on.
    fails: Mutex<(String, usize)>,
}

impl SlowRobot {
    /// A Misty or a chassis that takes so long for whatever moves it.
    pub async fn start(takes: Duration) -> Self {
        let inner = Arc::new(Inner { takes, calls: Mutex::default(), fails: Mutex::default() });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port").to_string();
        let router = Router::new().fallback(answer).with_state(inner.clone());
        let server = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("it serves");
        });
        Self { address, inner, server }
    }

    /// Answers so many requests of this name, such as `POST drive/stop`, by 500 from now on.
    pub fn fail(&self, name: &str, times: usize) {
        *self.inner.fails.lock().unwrap_or_else(PoisonError::into_inner) = (name.to_owned(), times);
    }

    /// `host:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What it was asked so far, but for questions.
    pub fn calls(&self) -> Vec<Call> {
        let calls = self.inner.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.iter().map(|(call, _)| call.clone()).collect()
    }

    /// When it was first asked this after a moment.
    pub fn received(&self, name: &str, after: Timestamp) -> Option<Timestamp> {
        let calls = self.inner.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let since = calls.partition_point(|(_, at)| *at < after);
        calls[since..].iter().find(|((it, _), _)| it == name).map(|(_, at)| *at)
    }

    /// The same without the bodies.
    pub fn names(&self) -> Vec<String> {
        self.calls().into_iter().map(|(name, _)| name).collect()
    }

    /// Waits until it was asked this.
    pub async fn until(&self, name: &str, patience: Duration) {
        let waiting = async {
            while !self.names().iter().any(|it| it == name) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(patience, waiting).await;
        assert!(waited.is_ok(), "{name} does not come within {patience:?}: {:?}", self.names());
    }
}

impl Drop for SlowRobot {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(inner): State<Arc<Inner>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path().trim_start_matches('/').trim_start_matches("api/").to_owned();
    if matches!(path.as_str(), "pubsub" | "ws/v2/topics") {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade.on_upgrade(|socket| read_on(socket, inner)),
            Err(refusal) => refusal.into_response(),
        };
    }
    if parts.method == Method::GET {
        return said(&path).to_string().into_response();
    }
    let body = to_bytes(body, MAX_BODY).await.unwrap_or_default();
    let name = format!("{} {path}", parts.method);
    let number = inner.note(name.clone(), &body);
    tokio::time::sleep(inner.takes).await;
    let body = json!({"result": true, "status": "Success", "id": number, "state": "moving"}).to_string();
    // What it says beside the status is no better than it.
    let status = if inner.fails(&name) { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::OK };
    (status, body).into_response()
}

impl Inner {
    fn fails(&self, name: &str) -> bool {
        let mut fails = self.fails.lock().unwrap_or_else(PoisonError::into_inner);
        let (failing, left) = &mut *fails;
        let does = failing == name && *left > 0;
        *left -= usize::from(does);
        does
    }

    /// How many it got by now.
    fn note(&self, name: String, body: &[u8]) -> usize {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(((name, serde_json::from_slice(body).unwrap_or_default()), Clock::system().now()));
        calls.len()
    }
}

/// Notes what a chassis receives over its socket, too, and answers a twist.
async fn read_on(mut socket: WebSocket, inner: Arc<Inner>) {
    while let Some(Ok(message)) = socket.recv().await {
        let Ok(text) = message.to_text() else { continue };
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        if message["topic"] == "/twist" {
            inner.note("/twist".to_owned(), text.as_bytes());
            tokio::time::sleep(inner.takes).await;
            let feedback = json!({"topic": "/twist_feedback"}).to_string();
            if socket.send(feedback.into()).await.is_err() {
                return;
            }
        }
    }
}

/// What it answers when it is asked who it is; a Misty and a chassis ask for different things.
fn said(path: &str) -> Value {
    match path {
        "device/info" => json!({
            "axbot_version": "2.9.0-pi64",
            "device": {"model": "hygeia", "sn": "71822048000350z", "name": "Slow"},
            "robot": {"footprint": [[0.2, -0.2], [0.2, 0.3], [-0.2, 0.3]], "wheel_distance": 0.4},
            "caps": {"supportsEnableTopicList": true},
        }),
        _ => json!({"result": {"sku": "Misty II", "serialNumber": "1"}, "status": "Success"}),
    }
}
