//! Clients over HTTP and WebSocket.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::SinkExt;
use latimer_core::hub::Source;
use latimer_core::model::signal::{DriveLimits, Frame, NavigationState, Pins, Pose, SpeedLimits};
use latimer_core::{Clock, PartName, Signal, Update};
use latimer_dialects::misty::rest::catalogue::{self, Method};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::axbot_rest::sent;
use crate::conformance::house::{House, robot};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What any call of a Misty needs; each takes its own of it.
const MISTY: &str = r#"{"LinearVelocity":10,"AngularVelocity":0,"TimeMs":1000,"LeftTrackSpeed":10,"RightTrackSpeed":10,
    "Heading":0,"Radius":1,"Distance":1,"Arm":"left","Position":0,"LeftArmPosition":0,"RightArmPosition":0,"Pitch":0,"Red":1,
    "Green":2,"Blue":3,"FileName":"a.wav","Volume":50,"FaceId":"Ada","Message":"hello","RevertToDefault":true,
    "Version":"Current"}"#;

/// What a chassis' client requests.
const AXBOT: &[(&str, &str, &str)] = &[
    ("PATCH", "robot-params", r#"{"/wheel_control/max_forward_velocity":0.3}"#),
    ("POST", "chassis/pose", r#"{"position":[1,2,0],"ori":0,"adjust_position":false}"#),
    ("DELETE", "chassis/current-map", ""),
    ("POST", "services/start_global_positioning", "{}"),
    ("POST", "chassis/moves", r#"{"creator":"test","type":"standard","target_x":1,"target_y":2}"#),
    ("PATCH", "chassis/moves/current", r#"{"state":"cancelled"}"#),
    ("POST", "services/jack_up", ""),
    ("POST", "services/imu/recalibrate", ""),
    ("POST", "services/wheel_control/set_control_mode", r#"{"control_mode":"remote"}"#),
    ("POST", "services/wheel_control/set_emergency_stop", r#"{"enable":false}"#),
    ("POST", "services/wake_up_device", ""),
];

/// Publishes what a robot has that can be asked for all of it.
pub(super) fn equip(source: &Source) {
    let say = |part: Option<&str>, signal: Signal| {
        let update = Update::now(&robot(), Clock::system().now(), signal);
        source.publish(Update { part: part.map(PartName::of), ..update });
    };
    let limits = SpeedLimits { forward_mps: Some(1.0), ..SpeedLimits::NONE };
    let [present, default, greatest] = [limits.clone(), limits.clone(), limits];
    say(None, DriveLimits { present, default, greatest }.into());
    say(None, Pins { inputs: vec![], outputs: vec![vec![false; 8]] }.into());
    say(Some("jack"), sent::jack().into());
    say(None, sent::navigation(0, NavigationState::Idle).into());
    say(None, Pose::planar(Frame::Map, 0.0, 0.0, 0.0).into());
}

pub(super) async fn misty(here: &House) {
    let calls = catalogue::commands().filter(|call| call.method != Method::Get);
    request(here, calls.map(|call| (call.method.as_str(), format!("api/{}", call.endpoint), MISTY))).await;
}

pub(super) async fn axbot(here: &House) -> Socket {
    request(here, AXBOT.iter().map(|(method, path, body)| (*method, (*path).to_owned(), *body))).await;
    let mut picture = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut picture, 50);
    encoder.encode(&[90; 16 * 8], 16, 8, jpeg_encoder::ColorType::Luma).unwrap();
    let data = STANDARD.encode(picture);
    send(
        here,
        &[
            json!({"topic": "/twist", "linear_velocity": 0, "angular_velocity": 0.1}),
            json!({"topic": "/follow_target_state", "follow_state": "pause"}),
            json!({"topic": "/modify_output_pins", "enable": [0], "disable": [1]}),
            json!({"topic": "/external_rgb_data/front", "format": "jpeg", "stamp": 1.5, "data": data}),
        ],
    )
    .await
}

pub(super) async fn rosbridge(here: &House) -> Socket {
    let publish = |topic: &str, message: Value| json!({"op": "publish", "topic": format!("/robot_1/{topic}"), "msg": message});
    let call = |service: &str, args: Value| json!({"op": "call_service", "service": format!("/robot_1/{service}"), "args": args});
    let goal = json!({"header": {"frame_id": "map"}, "pose": {"position": {"x": 1, "y": 2, "z": 0},
        "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}}});
    send(
        here,
        &[
            // A stop voids what was given before it.
            call("stop", json!({})),
            publish(
                "cmd_vel",
                json!({"linear": {"x": 0.1, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}}),
            ),
            publish("goal", goal),
            publish("set_lamp", json!({"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0})),
            publish("set_joint", json!({"name": ["head_yaw"], "position": [0.1]})),
            call("emergency_stop", json!({"data": false})),
        ],
    )
    .await
}

/// Requests one after the other; what is answered shows in what the robot did.
async fn request(here: &House, calls: impl Iterator<Item = (&'static str, String, &'static str)>) {
    let http = reqwest::Client::new();
    for (method, path, body) in calls {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let url = format!("http://{}/{path}", here.authority());
        let answer = http.request(method, url).body(body).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.text().await.unwrap());
    }
}

/// Sends messages over one socket.
async fn send(here: &House, messages: &[Value]) -> Socket {
    let (mut socket, _) = tokio_tungstenite::connect_async(&here.urls[0]).await.unwrap();
    for message in messages {
        socket.send(Message::text(message.to_string())).await.unwrap();
    }
    socket
}
