//! What a program for chassis sends: requests, and messages on the socket.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::contract::{ClientMessage, Clients};

/// What each request gives the robot, with its method, path and body.
const REQUESTS: &[(&str, &str, &str, &str)] = &[
    ("drive_limits", "PATCH", "robot-params", r#"{"/wheel_control/max_forward_velocity":0.3}"#),
    ("set_pose", "POST", "chassis/pose", r#"{"position":[1,2,0],"ori":0,"adjust_position":false}"#),
    ("use_map", "DELETE", "chassis/current-map", ""),
    ("localization", "POST", "services/start_global_positioning", "{}"),
    (
        "navigate",
        "POST",
        "chassis/moves",
        r#"{"creator":"test","type":"standard","target_x":1,"target_y":2}"#,
    ),
    ("cancel_navigation", "PATCH", "chassis/moves/current", r#"{"state":"cancelled"}"#),
    ("carry", "POST", "services/jack_up", ""),
    ("maintain", "POST", "services/imu/recalibrate", ""),
    ("control_mode", "POST", "services/wheel_control/set_control_mode", r#"{"control_mode":"remote"}"#),
    ("emergency_stop", "POST", "services/wheel_control/set_emergency_stop", r#"{"enable":false}"#),
    ("wake_up", "POST", "services/wake_up_device", ""),
];

/// A JPEG of eight grey pixels by eight, in base64.
fn picture() -> String {
    let mut picture = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut picture, 50);
    // Nothing can go wrong with memory.
    let _ = encoder.encode(&[90; 8 * 8], 8, 8, jpeg_encoder::ColorType::Luma);
    STANDARD.encode(picture)
}

/// All of it.
pub(super) fn clients() -> Clients {
    let requests = REQUESTS.iter();
    let requests =
        requests.map(|(gives, method, path, body)| ClientMessage::request(gives, method, path, *body));
    let frames = [
        ("drive", json!({"topic": "/twist", "linear_velocity": 0, "angular_velocity": 0.1})),
        ("follow", json!({"topic": "/follow_target_state", "follow_state": "pause"})),
        ("pins", json!({"topic": "/modify_output_pins", "enable": [0], "disable": [1]})),
        (
            "picture",
            json!({"topic": "/external_rgb_data/front", "format": "jpeg", "stamp": 1.5, "data": picture()}),
        ),
    ];
    let frames = frames.map(|(gives, frame)| ClientMessage::json(gives, &frame));
    Clients { messages: requests.chain(frames).collect(), ..Clients::default() }
}
