//! Event bodies of all types: no panic, and what was read and written reads the same again.
//!
//! Takes whole frames, so that the samples of the specification are its seeds; the type is the one whose name
//! the event's name contains.

use latimer_dialects::misty::wire::{EventType, Frame, Message, Version};

pub(super) fn run(text: &str) {
    let Ok(frame) = Frame::parse(text) else { return };
    let named = |event_type: &&EventType| frame.event_name.contains(event_type.as_str());
    let Some(&event_type) = EventType::ALL.iter().find(named) else { return };
    let Ok(message) = Message::parse(event_type, frame.message.get()) else { return };
    for version in [Version::Current, Version::Deprecated] {
        message.on_wire(version);
    }
    let full = message.full();
    // Keys that all begin with a capital are the spelling of 2018, in which every key is turned; a body of nothing
    // but keys that nobody knows cannot be told from it.
    let small = |key: &String| key.starts_with(|letter: char| letter.is_ascii_lowercase());
    if full.as_object().is_some_and(|body| !body.is_empty() && !body.keys().any(small)) {
        return;
    }
    let again = Message::parse(event_type, &full.to_string()).expect("what was written is read");
    assert_eq!(again.full(), full);
}
