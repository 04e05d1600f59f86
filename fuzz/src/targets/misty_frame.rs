//! What robots say on the socket, all the way to the model and back: no panic.

use latimer_core::{RobotId, Timestamp, Update};
use latimer_dialects::misty::map::{message_from_update, signals_from_message};
use latimer_dialects::misty::session::decode::{Decoded, decode};
use latimer_dialects::misty::wire::{EventType, Version};

pub(super) fn run(text: &str) {
    let named =
        |name: &str| EventType::ALL.iter().copied().find(|event_type| name.contains(event_type.as_str()));
    let Decoded::Event { message, .. } = decode(text, named) else { return };
    let robot = RobotId::new("fuzzed").expect("this is a name");
    for received in signals_from_message(&message, Timestamp::default()).into_iter().flatten() {
        let mut update = Update::now(&robot, Timestamp::default(), received.signal);
        update.part = received.part;
        update.stamp = received.stamp;
        if let Some(message) = message_from_update(&update) {
            message.on_wire(Version::Current);
        }
    }
}
