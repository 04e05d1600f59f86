//! Messages of all topics: no panic, errors that are not long, and what was read and written reads the same again.
//!
//! Takes lines of a topic and a text, so that the samples are its seeds.

use bytes::Bytes;
use latimer_core::{RobotId, Timestamp};
use latimer_dialects::pera::map::{robot_of, signals_from_message, update_from_odd, updates_from_message};
use latimer_dialects::pera::topic::Topic;
use latimer_dialects::pera::wire::{MAX_BYTES_OF_ONE, Message, Number};

pub(super) fn run(text: &str) {
    let robot = RobotId::new("pera-0").expect("a name");
    for (topic, payload) in text.lines().filter_map(|line| line.split_once(' ')) {
        let (topic, payload) = (Topic::parse(topic), Bytes::copy_from_slice(payload.as_bytes()));
        match Message::read(&topic, &payload) {
            Ok(message) => {
                let angles = [-90.0, 0.0, 90.0].map(Number);
                signals_from_message(&message, &angles);
                let id = robot_of(&message).unwrap_or(0);
                updates_from_message(&message, &payload, (id, &robot), &angles, Timestamp::from_nanos(1));
                let (name, written) = message.write();
                let again = Message::read(&Topic::parse(&name), &written);
                // A number such as 1e300 is longer as it is written, and what one robot says is bounded.
                if again.is_ok() || written.len() <= MAX_BYTES_OF_ONE {
                    assert_eq!(again.as_ref(), Ok(&message));
                }
            }
            Err(error) => {
                assert!(error.problem.len() < 1024, "{error}");
                update_from_odd(&robot, &topic, &payload, Timestamp::from_nanos(1));
            }
        }
    }
}
