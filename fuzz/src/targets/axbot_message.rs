//! Messages of all topics: no panic, and what was read and written reads the same again.
//!
//! Takes whole messages, so that the samples of the specification are its seeds; the topic is the one that stands in
//! them.

use latimer_core::Timestamp;
use latimer_dialects::axbot::map::signals_from_message;
use latimer_dialects::axbot::topic::Topic;
use latimer_dialects::axbot::wire::Message;

pub(super) fn run(text: &str) {
    let named = |topic: &&Topic| text.contains(&format!("\"{topic}\""));
    let Some(&topic) = Topic::ALL.iter().find(named) else { return };
    let Ok(message) = Message::read(topic, text.as_bytes()) else { return };
    let _ = signals_from_message(&message, Timestamp::from_nanos(1));
    let written = message.write();
    let again = Message::read(topic, &written).expect("what was written is read");
    assert_eq!(again.write(), written);
}
