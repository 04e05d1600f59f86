//! A rosbridge, of whose base the gateway knows nothing but what it publishes: its own navigator drives it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

use super::{Base, Running};

/// Between two reports of its odometry.
const PERIOD: Duration = Duration::from_millis(50);
/// So long controllers of ROS drive on without another speed.
const TWIST_LASTS: Duration = Duration::from_millis(500);

/// Serves a bridge until it is dropped: where, and the server. Whether its navigator can be told to give a goal up.
pub(crate) async fn start(base: Arc<Base>, can_cancel: bool) -> (String, Running) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound port").to_string();
    let server = async move {
        let mut clients = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            clients.spawn(serve(stream, base.clone(), can_cancel));
        }
    };
    (address, Running::spawn(server))
}

async fn serve(stream: TcpStream, base: Arc<Base>, can_cancel: bool) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let (mut out, mut frames) = socket.split();
    let mut ticks = tokio::time::interval(PERIOD);
    let mut follows = false;
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
                answer(&base, &frame, can_cancel)
            }
            _ = ticks.tick() => {
                if base.hangs_up() {
                    return;
                }
                let speed_mps = if follows { base.report() } else { None };
                speed_mps.map(|speed_mps| odometry(base.x_m(), speed_mps))
            }
        };
        if let Some(message) = message
            && out.send(Message::text(message.to_string())).await.is_err()
        {
            return;
        }
    }
}

/// What it answers to a frame.
fn answer(base: &Base, frame: &Value, can_cancel: bool) -> Option<Value> {
    match (frame["op"].as_str()?, frame["topic"].as_str().unwrap_or_default()) {
        ("call_service", _) => {
            let mut topics = vec!["/odom", "/cmd_vel"];
            let mut types = vec!["nav_msgs/Odometry", "geometry_msgs/Twist"];
            if can_cancel {
                topics.push("/move_base/cancel");
                types.push("actionlib_msgs/GoalID");
            }
            return Some(json!({"op": "service_response", "id": frame["id"], "service": "/rosapi/topics",
                "result": true, "values": {"topics": topics, "types": types}}));
        }
        ("publish", "/cmd_vel") => match frame["msg"]["linear"]["x"].as_f64().unwrap_or_default() {
            // It has no answer by which it could refuse.
            0.0 => _ = base.told_to_hold(),
            speed_mps => base.told_to_move(speed_mps, Some(TWIST_LASTS)),
        },
        ("publish", "/goal") => base.told_to_go(),
        ("publish", "/move_base/cancel") if frame["msg"]["id"] == "" => base.told_to_give_up(),
        _ => {}
    }
    None
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
