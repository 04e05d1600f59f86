//! The specification's samples, read and written again.

use heck::ToSnakeCase as _;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Body, EventType, Frame, Message, Version, envelope, pascal_case};
use crate::golden::{assert_same, files};

/// How a sample is to be written again.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::misty) enum Spelling {
    Current,
    Deprecated,
    /// `Deprecated` in the spelling of 2018.
    Pascal,
    /// The whole object, in the envelope of `Current`.
    Whole,
}

impl Spelling {
    /// What a sample shows of a message.
    pub(in crate::misty) fn of(self, message: &Message) -> Value {
        match self {
            Self::Current => message.on_wire(Version::Current),
            Self::Deprecated | Self::Pascal => message.on_wire(Version::Deprecated),
            Self::Whole => message.full(),
        }
    }
}

/// Type, form, name and text of each sample.
pub(in crate::misty) fn samples() -> Vec<(EventType, Spelling, String, String)> {
    let samples = files("misty/testdata").into_iter().map(|(name, text)| {
        let event_type = EventType::ALL.iter().find(|it| name.contains(&it.as_str().to_snake_case()));
        let form = match name.as_str() {
            "actuator_position" | "bump_sensor" | "imu" | "touch_sensor" => Spelling::Deprecated,
            "face_recognition" | "locomotion_command" => Spelling::Pascal,
            "robot_2021_time_of_flight" => Spelling::Whole,
            _ => Spelling::Current,
        };
        (*event_type.unwrap_or_else(|| panic!("{name}")), form, name, text)
    });
    samples.collect()
}

/// The body of a frame in `testdata`.
pub(in crate::misty) fn parse(event_type: EventType, sample: &str) -> Message {
    let frame = Frame::parse(sample).unwrap();
    let Body::Event(body) = frame.body() else { panic!("{event_type}: the body is a text") };
    Message::parse(event_type, body).unwrap()
}

#[test]
fn each_sample_is_written_as_it_was_read_and_has_no_property_that_is_not_named() {
    for (event_type, form, name, text) in samples() {
        let sample: Value = serde_json::from_str(&text).unwrap();
        let frame = Frame::parse(&text).unwrap();
        let message = parse(event_type, &text);
        assert!(message.extra().is_empty() && !format!("{message:?}").contains("extra: {\""), "{name}");
        let version = match form {
            Spelling::Current | Spelling::Whole => Version::Current,
            Spelling::Deprecated | Spelling::Pascal => Version::Deprecated,
        };
        let body = form.of(&message).to_string();
        let bytes = envelope(&frame.event_name, event_type, body.as_bytes(), version);
        let written: Value = serde_json::from_slice(&bytes).unwrap();
        let written = if form == Spelling::Pascal { pascal_case(written) } else { written };
        assert_same(&name, &written, &sample);
    }
}

#[test]
fn each_event_type_has_a_sample() {
    let samples = samples();
    for event_type in EventType::ALL {
        assert!(samples.iter().any(|(of, ..)| of == event_type), "{event_type}");
    }
}

#[test]
fn a_condition_sees_what_current_does_not_send() {
    let touch = parse(EventType::TouchSensor, include_str!("../testdata/touch_sensor.json"));
    assert_eq!(touch.full()["sensorName"], "CapTouch_HeadLeft");
    let current = touch.on_wire(Version::Current);
    let keys = current.as_object().unwrap().keys().collect::<Vec<_>>();
    assert_eq!(keys, ["created", "isContacted", "sensorId", "sensorPosition"]);
}

#[test]
fn an_unknown_property_keeps_its_value_and_gets_its_place() {
    let body = r#"{"created":"t","distanceInMeters":0.5,"status":42,"type":"Sideways","firmware":{"b":[1],"a":null}}"#;
    let message = Message::parse(EventType::TimeOfFlight, body).unwrap();
    assert_eq!(message.extra()["firmware"]["b"], json!([1]));
    let written = message.on_wire(Version::Current);
    assert_eq!(
        written.to_string(),
        r#"{"created":"t","distanceInMeters":0.5,"firmware":{"a":null,"b":[1]},"status":42,"type":"Sideways"}"#
    );
}

#[test]
fn a_missing_property_stays_missing_and_a_null_one_stays_null() {
    let tof = Message::parse(EventType::TimeOfFlight, "{}").unwrap();
    assert_eq!(tof.full(), json!({}));
    let battery = Message::parse(EventType::BatteryCharge, r#"{"chargePercent":null}"#).unwrap();
    assert_eq!(battery.full(), json!({"chargePercent": null, "healthPercent": null}));
}

#[test]
fn whole_numbers_may_have_a_point() {
    let halt = Message::parse(EventType::HaltCommand, r#"{"motorMask":6.0}"#).unwrap();
    assert_eq!(halt.full().to_string(), r#"{"motorMask":6}"#);
    assert!(Message::parse(EventType::HaltCommand, r#"{"motorMask":6.5}"#).is_err());
}

#[test]
fn names_are_found_in_any_case() {
    for event_type in EventType::ALL {
        assert_eq!(event_type.as_str().to_uppercase().parse(), Ok(*event_type));
    }
    assert_eq!("imu".parse(), Ok(EventType::Imu));
    assert_eq!("current".parse(), Ok(Version::Current));
    assert!("Gyroscope".parse::<EventType>().unwrap_err().to_string().contains("\"Gyroscope\""));
}

#[test]
fn hostile_bodies_are_errors() {
    let deep = "[".repeat(200_000);
    let deep_inside = format!(r#"{{"unknown":{deep}"#);
    let long = format!(r#"{{"unknown":"{}"}}"#, "x".repeat(super::MAX_MESSAGE_BYTES));
    for &event_type in EventType::ALL {
        for body in ["", "null", "[]", "7", "\"text\"", "{", "{}{}", r#"{"extra":{}"#, &deep, &deep_inside] {
            assert!(Message::parse(event_type, body).is_err(), "{event_type}: {body:.20}");
        }
        if event_type.time_property() == Some("created") {
            assert!(Message::parse(event_type, r#"{"created":7}"#).is_err(), "{event_type}");
        }
        assert!(Message::parse(event_type, &long).unwrap_err().to_string().contains("limit of 1048576"));
    }
}

proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC{0,200}", which in 0..EventType::ALL.len()) {
        let _ = Message::parse(EventType::ALL[which], &text);
        let _ = Frame::parse(&text);
    }

    #[test]
    fn a_broken_sample_never_panics(which in any::<prop::sample::Index>(), cut in 0.0..1.0f64, put in "[{}\\[\\]:,\"a-zA-Z0-9.]{0,4}") {
        let samples = samples();
        let (event_type, _, _, text) = which.get(&samples);
        let frame = Frame::parse(text).unwrap();
        let body = frame.message.get();
        let mut at = (body.len() as f64 * cut) as usize;
        while !body.is_char_boundary(at) {
            at -= 1;
        }
        let broken = format!("{}{put}{}", &body[..at], &body[at..]);
        if let Ok(message) = Message::parse(*event_type, &broken) {
            let _ = message.on_wire(Version::Current);
        }
        let _ = Message::parse(*event_type, &body[..at]);
    }
}

#[test]
fn an_unknown_capitalised_key_does_not_change_how_the_others_are_read() {
    let body = r#"{"Acceleration":1,"created":"2019-01-09T20:15:38Z","motorMask":6}"#;
    let message = Message::parse(EventType::HaltCommand, body).unwrap();
    assert_eq!(message.extra().keys().collect::<Vec<_>>(), ["Acceleration"]);
    let again = Message::parse(EventType::HaltCommand, &message.full().to_string()).unwrap();
    assert_eq!(again, message);
}
