//! Numbers and words that no robot should send: nothing panics, and nothing but numbers becomes a number.

use latimer_core::Signal;
use latimer_core::model::signal::*;
use proptest::prelude::*;
use serde_json::Value as Json;

use super::{RECEIVED, update, update_from_heard};
use crate::misty::map::{SelfStateParts, message_from_update, self_state, signals_from_message, world_state};
use crate::misty::wire::{EventType, Message, Version};

/// Numbers that break naive arithmetic, and all others.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(1e308),
        Just(-1e308),
        Just(-0.0),
        Just(5e-324),
        proptest::num::f64::ANY,
    ]
}

/// One signal of each kind that carries numbers, filled from a list of those.
fn signals(n: &[f64]) -> Vec<(Option<&'static str>, Signal)> {
    let some = |i: usize| Some(n[i % n.len()]);
    let pose = || Pose {
        frame: Frame::Map,
        x_m: n[0],
        y_m: n[1],
        z_m: n[2],
        roll_rad: n[3],
        pitch_rad: n[4],
        yaw_rad: n[5],
    };
    let point = Point { x_m: n[0], y_m: n[1], z_m: n[2] };
    let range = Range {
        distance_m: some(0),
        min_m: some(1),
        max_m: some(2),
        field_of_view_rad: some(3),
        ..Range::valid(0.0)
    };
    let wheel = |i: usize| WheelEncoder { rotation_rad: some(i), velocity_radps: some(i + 1) };
    vec![
        (
            None,
            Battery {
                charge_ratio: some(0),
                voltage_v: some(1),
                current_a: some(2),
                temperature_c: some(3),
                health_ratio: some(4),
                ..Battery::UNKNOWN
            }
            .into(),
        ),
        (Some("commanded"), Velocity::of(n[0], n[1]).into()),
        (None, Encoders { left: wheel(0), right: wheel(2) }.into()),
        (
            None,
            Imu {
                orientation: Some(Orientation { roll_rad: n[0], pitch_rad: n[1], yaw_rad: n[2] }),
                angular_velocity: Some(AngularRate { x_radps: n[3], y_radps: n[4], z_radps: n[5] }),
                linear_acceleration: Some(Accel { x_mps2: n[0], y_mps2: n[1], z_mps2: n[2] }),
            }
            .into(),
        ),
        (Some("back"), range.clone().into()),
        (Some("back_left"), Cliff(range).into()),
        (
            None,
            Contact {
                contacted: true,
                sensor: ContactSensor::Bumper,
                position: Some(point.clone()),
                frame: Frame::Odom,
            }
            .into(),
        ),
        (
            None,
            Contact {
                contacted: true,
                sensor: ContactSensor::Touch,
                position: Some(point),
                frame: Frame::Head,
            }
            .into(),
        ),
        (
            Some("head_yaw"),
            Joint {
                position_rad: some(0),
                position_m: some(1),
                velocity_radps: some(2),
                position_ratio: some(3),
                ..Joint::UNKNOWN
            }
            .into(),
        ),
        (Some("jack"), Joint { position_m: some(1), velocity_radps: some(2), ..Joint::UNKNOWN }.into()),
        (
            None,
            SoundSource {
                speech_bearing_rad: some(0),
                noise_bearings_rad: n.to_vec(),
                offset_s: some(1),
                activity_ratio: n.to_vec(),
                sectors_active: vec![],
            }
            .into(),
        ),
        (None, SoundFocus { gain_step: None, sectors_enabled: vec![], sector_starts_rad: n.to_vec() }.into()),
        (None, KeyPhrase { phrase: None, confidence_ratio: some(0) }.into()),
        (
            None,
            Face {
                identity: FaceIdentity::Known,
                label: None,
                track_id: Some(i64::MIN),
                bearing_rad: some(0),
                elevation_rad: some(1),
                distance_m: some(2),
            }
            .into(),
        ),
        (
            None,
            Playback { name: String::new(), directory: None, duration_s: some(0), affect: n.to_vec() }.into(),
        ),
        (None, pose().into()),
        (
            None,
            Objects {
                objects: vec![DetectedObject {
                    id: 1,
                    class: None,
                    label: None,
                    pose: pose(),
                    size: None,
                    pockets: None,
                    confidence_ratio: None,
                    sensed: true,
                    first_seen: None,
                    last_seen: None,
                }],
            }
            .into(),
        ),
    ]
}

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

const NULL_BY_SPECIFICATION: &[&str] = &[
    "chargePercent",
    "healthPercent",
    "personName",
    "sensorName",
    "class",
    "individual",
    "directedMotion",
    "cameraStatus",
    "localIPAddress",
];

fn assert_no_null(message: &Message) {
    let mut found = Vec::new();
    nulls("", &message.full(), &mut found);
    found.retain(|key| !NULL_BY_SPECIFICATION.contains(&&**key));
    assert_eq!(found, [""; 0], "{:?}", message.event_type());
}

proptest! {
    #[test]
    fn numbers_are_written_or_left_out(numbers in prop::collection::vec(any_number(), 6)) {
        for (part, signal) in signals(&numbers) {
            let update = update(part, signal);
            let message = match &update.signal {
                Signal::Pose(pose) => self_state(&SelfStateParts {
                    pose: Some((pose, update.stamp)),
                    ..SelfStateParts::default()
                }),
                Signal::Objects(objects) => world_state(Some(objects), RECEIVED),
                _ => message_from_update(&update).unwrap(),
            };
            assert_no_null(&message);
            for version in [Version::Current, Version::Deprecated] {
                let text = message.on_wire(version).to_string();
                let read = Message::parse(message.event_type(), &text).unwrap();
                for heard in signals_from_message(&read, RECEIVED).into_iter().flatten() {
                    let _ = message_from_update(&update_from_heard(heard));
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
        let body: String = FIELDS.iter().map(|field| format!(r#""{field}":{number},"#)).collect();
        for name in [r#""sensorId":"ahp""#, r#""sensorId":"tofdfl""#, r#""sensorId":"cap","isContacted":true"#] {
            if let Ok(message) = Message::parse(event_type, &format!("{{{body}{name}}}")) {
                for heard in signals_from_message(&message, RECEIVED).into_iter().flatten() {
                    let _ = message_from_update(&update_from_heard(heard)).map(|message| message.full().to_string());
                }
            }
        }
    }

    #[test]
    fn words_of_any_kind_are_read(word in "\\PC{0,80}") {
        let word = Json::String(word).to_string();
        for (event_type, body) in BODIES {
            let message = Message::parse(*event_type, &body.replace('W', &word)).unwrap();
            for heard in signals_from_message(&message, RECEIVED).into_iter().flatten() {
                let _ = message_from_update(&update_from_heard(heard)).map(|message| message.full().to_string());
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

/// Properties that hold numbers, of any event type.
const FIELDS: &[&str] = &[
    "value",
    "distanceInMeters",
    "status",
    "pitch",
    "roll",
    "yaw",
    "pitchVelocity",
    "rollVelocity",
    "yawVelocity",
    "xAcceleration",
    "yAcceleration",
    "zAcceleration",
    "chargePercent",
    "healthPercent",
    "voltage",
    "current",
    "temperature",
    "leftDistance",
    "leftVelocity",
    "rightDistance",
    "rightVelocity",
    "bearing",
    "elevation",
    "distance",
    "trackId",
    "linearVelocity",
    "angularVelocity",
    "actionId",
    "motorMask",
    "confidence",
    "degreeOfArrivalSpeech",
    "timeOffset",
    "gainStep",
    "criticalInternalError",
];

#[test]
fn empty_messages_say_little_and_break_nothing() {
    for &event_type in EventType::ALL {
        let message = Message::parse(event_type, "{}").unwrap();
        for heard in signals_from_message(&message, RECEIVED).into_iter().flatten() {
            assert_eq!(heard.stamp.at, RECEIVED, "{event_type}");
            let _ = message_from_update(&update_from_heard(heard)).map(|message| message.full().to_string());
        }
    }
}
