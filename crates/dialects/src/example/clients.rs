//! What a program for example robots sends.

use serde_json::json;

use crate::contract::{ClientMessage, Clients};

/// All of it.
pub(super) fn clients() -> Clients {
    let messages = vec![
        ClientMessage::json("drive", &json!({"id": 1, "drive": {"speed": 10, "turn": 5, "seconds": 1}})),
        ClientMessage::json("stop", &json!({"id": 2, "stop": true})),
    ];
    Clients { messages, ..Clients::default() }
}
