//! What robots ask and what they are told, as bytes: no panic, and an order that a robot would obey arrives as the same
//! order. The first byte tells the topic.

use latimer_dialects::pera::map::{command_from_message, message_from_command};
use latimer_dialects::pera::topic::Topic;
use latimer_dialects::pera::wire::Message;

const TOPICS: [&str; 16] = [
    "sensor/distance",
    "sensor/color",
    "sensor/proximity",
    "sensor/compass/",
    "robot/create",
    "robot/live",
    "localization",
    "localization/update",
    "comm/out/simple",
    "output/neopixel",
    "robot/msg/0",
    "comm/in/direct/0",
    "output/neopixel/0",
    "sensor/distance/0/?",
    "mgt/robots/snapshot",
    "robot/log",
];

pub(super) fn run(bytes: &[u8]) {
    let Some((which, payload)) = bytes.split_first() else { return };
    let topic = Topic::parse(TOPICS[usize::from(*which) % TOPICS.len()]);
    let Ok(message) = Message::read(&topic, payload) else { return };
    let Some((Some(id), command)) = command_from_message(&message) else { return };
    let said = message_from_command(id, &command).expect("what robots obey can be said");
    assert_eq!(command_from_message(&said), Some((Some(id), command)));
}
