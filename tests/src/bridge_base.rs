//! A base behind a rosbridge, of which the gateway knows nothing but what it publishes: its own navigator drives it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use latimer_core::{Clock, Timestamp};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;

/// Between two reports of its odometry, and for so long a speed from elsewhere wins over its navigator.
const PERIOD: Duration = Duration::from_millis(50);
const WINS_FOR: Duration = Duration::from_millis(150);

/// How fast its navigator drives, m/s.
const SPEED_MPS: f64 = 0.3;

/// A bridge with a base; it ends when this is dropped.
#[derive(Debug)]
pub struct BridgeBase {
    address: String,
    inner: Arc<Inner>,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Inner {
    /// Its navigator has a goal.
    has_goal: AtomicBool,
    /// Its navigator can be told to give it up.
    can_cancel: bool,
    zeros: AtomicUsize,
    /// When a speed came last.
    told: Mutex<Option<Timestamp>>,
}

impl BridgeBase {
    /// Serves a base on its way to a goal.
    pub async fn start(can_cancel: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port").to_string();
        let (has_goal, zeros, told) = (AtomicBool::new(true), AtomicUsize::new(0), Mutex::default());
        let inner = Arc::new(Inner { has_goal, can_cancel, zeros, told });
        let serving = inner.clone();
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, serving.clone()));
            }
        });
        Self { address, inner, server }
    }

    /// `host:port`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Whether its navigator has a goal; gives it one, or has it arrive.
    pub fn set_goal(&self, has_goal: bool) {
        self.inner.has_goal.store(has_goal, Ordering::Relaxed);
    }

    /// Whether its navigator has a goal.
    pub fn has_goal(&self) -> bool {
        self.inner.has_goal.load(Ordering::Relaxed)
    }

    /// Speeds of zero that came so far.
    pub fn zeros(&self) -> usize {
        self.inner.zeros.load(Ordering::Relaxed)
    }
}

impl Drop for BridgeBase {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Inner {
    fn speed_mps(&self) -> f64 {
        let told = *self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_told = told.is_some_and(|at| Clock::system().now().since(at) < WINS_FOR);
        if self.has_goal.load(Ordering::Relaxed) && !is_told { SPEED_MPS } else { 0.0 }
    }

    /// What it answers to a frame.
    fn answer(&self, frame: &Value) -> Option<Value> {
        match (frame["op"].as_str()?, frame["topic"].as_str().unwrap_or_default()) {
            ("call_service", _) => {
                let mut topics = vec!["/odom", "/cmd_vel"];
                let mut types = vec!["nav_msgs/Odometry", "geometry_msgs/Twist"];
                if self.can_cancel {
                    topics.push("/move_base/cancel");
                    types.push("actionlib_msgs/GoalID");
                }
                Some(json!({"op": "service_response", "id": frame["id"], "service": "/rosapi/topics",
                    "result": true, "values": {"topics": topics, "types": types}}))
            }
            ("publish", "/cmd_vel") => {
                *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some(Clock::system().now());
                let is_zero = frame["msg"]["linear"]["x"].as_f64() == Some(0.0);
                self.zeros.fetch_add(usize::from(is_zero), Ordering::Relaxed);
                None
            }
            ("publish", "/move_base/cancel") if frame["msg"]["id"] == "" => {
                self.has_goal.store(false, Ordering::Relaxed);
                None
            }
            _ => None,
        }
    }
}

async fn serve(stream: TcpStream, base: Arc<Inner>) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let (mut out, mut frames) = socket.split();
    let mut ticks = tokio::time::interval(PERIOD);
    let (mut follows, mut x_m) = (false, 0.0);
    loop {
        let message = tokio::select! {
            frame = frames.next() => {
                let Some(Ok(frame)) = frame else { return };
                let Some(frame) = frame.to_text().ok().and_then(|it| serde_json::from_str::<Value>(it).ok()) else { continue };
                match frame["op"].as_str() {
                    Some("subscribe") if frame["topic"] == "/odom" => follows = true,
                    Some("unsubscribe") if frame["topic"] == "/odom" => follows = false,
                    _ => {}
                }
                base.answer(&frame)
            }
            _ = ticks.tick() => {
                let speed_mps = base.speed_mps();
                x_m += speed_mps * PERIOD.as_secs_f64();
                follows.then(|| odometry(x_m, speed_mps))
            }
        };
        if let Some(message) = message
            && out.send(Message::text(message.to_string())).await.is_err()
        {
            return;
        }
    }
}

fn odometry(x_m: f64, speed_mps: f64) -> Value {
    let zero = json!({"x": 0.0, "y": 0.0, "z": 0.0});
    json!({"op": "publish", "topic": "/odom", "msg": {
        "header": {"seq": 0, "stamp": {"secs": 0, "nsecs": 0}, "frame_id": "odom"},
        "child_frame_id": "base_link",
        "pose": {"pose": {"position": {"x": x_m, "y": 0.0, "z": 0.0}, "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}},
            "covariance": vec![0.0; 36]},
        "twist": {"twist": {"linear": {"x": speed_mps, "y": 0.0, "z": 0.0}, "angular": zero}, "covariance": vec![0.0; 36]},
    }})
}
