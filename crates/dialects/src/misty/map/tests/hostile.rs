//! Numbers and words that no robot should send: nothing panics, and nothing but numbers becomes a number.

use latimer_core::Signal;
use latimer_core::model::Kind;
use proptest::prelude::*;
use serde_json::Value as Json;

use super::{RECEIVED, update, update_from_received};
use crate::any_signal::any_parts;
use crate::describe::WireType;
use crate::misty::map::{
    COMMANDED, SelfStateParts, message_from_update, self_state, signals_from_message, world_state,
};
use crate::misty::wire::{EventType, Message, Version};

/// Places that hold `null`, other than those where the specification has it.
fn nulls(path: &str, json: &Json, found: &mut Vec<String>) {
    match json {
        Json::Object(map) => {
            map.iter().for_each(|(key, value)| nulls(&format!("{path}.{key}"), value, found))
        }
        Json::Array(items) => items.iter().for_each(|item| nulls(path, item, found)),
        Json::Null => found.push(path.rsplit('.').next().unwrap().to_owned()),
        _ => {}
    }
}

const NULL_BY_SPECIFICATION: &str = "chargePercent healthPercent personName sensorName class individual directedMotion \
    cameraStatus localIPAddress";

fn assert_no_null(message: &Message) {
    let mut found = Vec::new();
    nulls("", &message.full(), &mut found);
    found.retain(|key| !NULL_BY_SPECIFICATION.split(' ').any(|known| known == key));
    assert_eq!(found, [""; 0], "{:?}", message.event_type());
}

proptest! {
    #[test]
    fn numbers_are_written_or_left_out(parts in any_parts()) {
        for signal in parts.any_signal() {
            let kind = signal.kind();
            let update = update((kind == Kind::Velocity).then_some(COMMANDED), signal);
            let message = match &update.signal {
                Signal::Pose(pose) => self_state(&SelfStateParts {
                    pose: Some((pose, update.stamp)),
                    ..SelfStateParts::default()
                }),
                Signal::Objects(objects) => world_state(objects, RECEIVED),
                _ if EventType::of_kind(kind).next().is_none() => {
                    assert_eq!(message_from_update(&update), None);
                    continue;
                }
                _ => message_from_update(&update).unwrap(),
            };
            assert_no_null(&message);
            for version in [Version::Current, Version::Deprecated] {
                let text = message.on_wire(version).to_string();
                let read = Message::parse(message.event_type(), &text).unwrap();
                for incoming in signals_from_message(&read, RECEIVED).into_iter().flatten() {
                    let _ = message_from_update(&update_from_received(incoming));
                }
            }
        }
    }

    #[test]
    fn numbers_of_any_size_are_read(
        which in 0..EventType::ALL.len(),
        number in "-?[0-9]{1,3}(\\.[0-9]{1,3})?(e-?[0-9]{1,3})?",
    ) {
        let event_type = EventType::ALL[which];
        let numbers = event_type.fields().iter().filter(|it| matches!(it.form, WireType::Number | WireType::Integer));
        let body: String = numbers.map(|field| format!(r#""{}":{number},"#, field.name)).collect();
        for name in [r#""sensorId":"ahp""#, r#""sensorId":"tofdfl""#, r#""sensorId":"cap","isContacted":true"#] {
            if let Ok(message) = Message::parse(event_type, &format!("{{{body}{name}}}")) {
                for incoming in signals_from_message(&message, RECEIVED).into_iter().flatten() {
                    let _ = message_from_update(&update_from_received(incoming)).map(|message| message.full().to_string());
                }
            }
        }
    }

    #[test]
    fn words_of_any_kind_are_read(word in "\\PC{0,80}") {
        let word = Json::String(word).to_string();
        for (event_type, body) in BODIES {
            let message = Message::parse(*event_type, &body.replace('W', &word)).unwrap();
            for incoming in signals_from_message(&message, RECEIVED).into_iter().flatten() {
                let _ = message_from_update(&update_from_received(incoming)).map(|message| message.full().to_string());
            }
        }
    }
}

/// Bodies in which `W` stands for any text.
const BODIES: &[(EventType, &str)] = &[
    (EventType::TouchSensor, r#"{"isContacted":true,"created":W,"sensorId":W,"sensorPosition":W}"#),
    (EventType::BumpSensor, r#"{"isContacted":true,"sensorName":W,"pose":{"x":1,"y":1,"frameId":W}}"#),
    (EventType::TimeOfFlight, r#"{"type":W,"sensorId":W}"#),
    (EventType::ActuatorPosition, r#"{"actuatorId":W,"sensorId":W}"#),
    (EventType::BatteryCharge, r#"{"state":W}"#),
    (EventType::SlamStatus, r#"{"slamStatus":{"statusList":[W],"runMode":W,"sensorStatus":W}}"#),
    (EventType::HazardNotification, r#"{"driveStopped":[{"sensorName":W,"inHazard":true}]}"#),
    (EventType::SelfState, r#"{"localIPAddress":W,"cameraStatus":{"onboardCameraStatus":W}}"#),
];

#[test]
fn empty_messages_say_little_and_break_nothing() {
    for &event_type in EventType::ALL {
        let message = Message::parse(event_type, "{}").unwrap();
        for incoming in signals_from_message(&message, RECEIVED).into_iter().flatten() {
            assert_eq!(incoming.stamp.at, RECEIVED, "{event_type}");
            let _ = message_from_update(&update_from_received(incoming))
                .map(|message| message.full().to_string());
        }
    }
}
