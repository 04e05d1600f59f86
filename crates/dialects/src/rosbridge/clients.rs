//! What a program of ROS sends over a bridge.

use latimer_core::RobotId;
use latimer_ros1::name::base_name;
use serde_json::{Value as Json, json};

use crate::contract::{ClientMessage, Clients};

/// All of it, to a robot by its name.
pub(super) fn clients(robot: &RobotId) -> Clients {
    let name = base_name(robot.as_str());
    let publish =
        |topic: &str, msg: Json| json!({"op": "publish", "topic": format!("/{name}/{topic}"), "msg": msg});
    let call = |service: &str, args: Json| json!({"op": "call_service", "service": format!("/{name}/{service}"), "args": args});
    let twist = json!({"linear": {"x": 0.1, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}});
    let place =
        json!({"position": {"x": 1, "y": 2, "z": 0}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}});
    let messages = [
        // A stop voids what was given before it.
        ("stop", call("stop", json!({}))),
        ("drive", publish("cmd_vel", twist)),
        ("navigate", publish("goal", json!({"header": {"frame_id": "map"}, "pose": place.clone()}))),
        ("set_pose", publish("initialpose", json!({"header": {"frame_id": "map"}, "pose": {"pose": place}}))),
        (
            "cancel_navigation",
            publish("move_base/cancel", json!({"stamp": {"secs": 0, "nsecs": 0}, "id": ""})),
        ),
        ("lamp", publish("set_lamp", json!({"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0}))),
        ("joints", publish("set_joint", json!({"name": ["head_yaw"], "position": [0.1]}))),
        ("emergency_stop", call("emergency_stop", json!({"data": false}))),
    ];
    let messages = messages.map(|(gives, frame)| ClientMessage::json(gives, &frame));
    Clients { messages: messages.into(), ..Clients::default() }
}
