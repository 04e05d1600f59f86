//! What a program for MiRos sends: messages of ROS.

use latimer_core::RobotId;
use latimer_ros1::name::base_name;
use serde_json::{Value as Json, json};

use super::config::Layouts;
use super::messages::signals::UPDATE_SIGNALS;
use super::topic::Topic;
use super::types::Types;
use crate::contract::{ClientMessage, Clients, Sent};

/// All of it, to a robot by its name.
pub(super) fn clients(robot: &RobotId) -> Clients {
    // The maker's layouts are part of the program.
    let Ok(types) = Types::load(Layouts::Maker, None) else { return Clients::default() };
    let control = json!({
        "body_vel": {"linear": {"x": 100.0}},
        "body_config": [0.0, 0.5, 0.0, 0.0],
        "body_config_speed": [0.0, -1.0, 0.0, 0.0],
        "lights_raw": vec![7; 18],
        "sound_index_P2": 23,
    });
    let message = |gives: &[&'static str], topic: Topic, fields: Json| {
        let (name, layout) = (topic.of(&base_name(robot.as_str())), types.of(topic));
        ClientMessage { gives: gives.to_vec(), sent: Sent::Ros { topic: name, layout, fields } }
    };
    let signals = json!({"msg_flags": UPDATE_SIGNALS, "P2U_W_action_signals": 1});
    let messages = vec![
        message(&["drive", "joints", "lamp", "play"], Topic::Control, control),
        message(&["stop"], Topic::CmdVel, json!({})),
        message(&["stop_sound"], Topic::BridgeStream, json!({"sound_index_P3": -1})),
        message(&["camera"], Topic::Config, json!({"frame_size": 128, "frame_rate": 12.5})),
        message(&["behaviour_drive"], Topic::CoreControl, json!({"drive_vocal": 0.5})),
        message(&["behaviour_switches"], Topic::CoreConfig, signals),
    ];
    Clients { messages, ..Clients::default() }
}
