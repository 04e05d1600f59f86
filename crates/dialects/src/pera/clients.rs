//! What a program of a swarm sends to its robot 1.

use crate::contract::{ClientMessage, Clients};

/// All of it. A place is a drive for a robot that is a body of the swarm's program.
pub(super) fn clients() -> Clients {
    let messages = [
        ("stop", "v1/robot/msg/1", "STOP -1"),
        ("skill_message", "v1/robot/msg/1", "START -1"),
        ("lamp", "v1/output/neopixel/1", "1 2 3"),
        ("navigate", "v1/localization/update", r#"[{"id":1,"x":10,"y":20,"heading":90}]"#),
    ];
    let messages = messages.map(|(gives, topic, payload)| ClientMessage::publication(gives, topic, payload));
    Clients { robot: None, keys: "body = true\n", messages: messages.into() }
}
