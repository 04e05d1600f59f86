//! Robots of other families seen as Misty: nothing of theirs is lost, and what they lack is not made up.

use std::sync::Arc;

use latimer_core::PartName;
use latimer_core::model::signal::*;
use serde_json::{Value as Json, json};

use super::{RECEIVED, there_and_back, update};
use crate::misty::map::{SelfStateParts, message_from_update, self_state, signals_from_message, world_state};
use crate::misty::wire::{EventType, Message, Version};

#[test]
fn a_sonar_is_a_range_sensor_of_its_own_name() {
    let sonar = update(Some("sonar_front"), Range { max_m: Some(1.0), ..Range::valid(0.42) });
    let message = message_from_update(&sonar).unwrap();
    assert_eq!(
        message.on_wire(Version::Current),
        json!({
            "created": "2019-08-14T21:17:53.9314769Z",
            "distanceInMeters": 0.42,
            "sensorId": "sonar_front",
            "status": 0,
            "type": "Range"
        })
    );
    assert_eq!(message.full()["sensorName"], "SonarFront");
    assert_eq!(there_and_back(&sonar).part, sonar.part);
}

#[test]
fn parts_of_any_name_come_back() {
    let contact = |sensor| Contact { contacted: true, sensor, position: None, frame: Frame::BaseLink };
    for part in [None, Some("jack"), Some("arm-2.elbow"), Some("CapTouch"), Some("é")] {
        let joint = Joint::hinge(0.5);
        for update in [
            update(part, joint),
            update(part, Range::valid(1.0)),
            update(part, Cliff(Range::valid(0.01))),
            update(part, contact(ContactSensor::Bumper)),
            update(part, contact(ContactSensor::Touch)),
        ] {
            let back = there_and_back(&update);
            assert_eq!((back.part, back.signal.kind()), (update.part.clone(), update.kind()));
        }
    }
}

#[test]
fn a_slide_tells_its_way_in_metres() {
    let jack = update(Some("jack"), Joint::slide(0.06));
    let full = message_from_update(&jack).unwrap().full();
    assert_eq!((&full["sensorName"], &full["value"]), (&json!("Jack"), &json!(0.06)));
}

#[test]
fn what_is_not_known_is_left_out() {
    let imu = Imu {
        orientation: Some(Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: -1.0 }),
        angular_velocity: None,
        linear_acceleration: None,
    };
    let message = message_from_update(&update(None, imu)).unwrap().on_wire(Version::Current);
    let keys: Vec<_> = message.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["created", "pitch", "roll", "sensorId", "yaw"]);
    let battery = message_from_update(&update(None, Battery { voltage_v: Some(4.8), ..Battery::UNKNOWN }));
    let battery = battery.unwrap().on_wire(Version::Current);
    assert_eq!((&battery["chargePercent"], &battery["state"]), (&Json::Null, &json!("Unknown")));
}

#[test]
fn a_commanded_speed_and_the_end_of_a_motion_are_events() {
    let speed = |part| message_from_update(&update(part, Velocity::of(0.1, 0.0)));
    assert!(speed(Some("commanded")).is_some());
    assert!(speed(Some("measured")).is_none() && speed(None).is_none());
    for &state in MotionState::ALL {
        let motion = Motion { state, motor_mask: None, reason: None };
        let message = message_from_update(&update(None, motion));
        assert_eq!(message.is_some(), state != MotionState::Moving);
    }
    assert_eq!(message_from_update(&update(None, Pose::planar(Frame::Map, 1.0, 2.0, 0.0))), None);
}

#[test]
fn log_and_chat_are_skill_data() {
    for (channel, event_type) in [
        (TextChannel::Serial, EventType::SerialMessage),
        (TextChannel::Skill, EventType::SkillData),
        (TextChannel::Log, EventType::SkillData),
        (TextChannel::Chat, EventType::SkillData),
    ] {
        let text = Text { channel, text: "ping".into(), data: None, truncated: None };
        let message = message_from_update(&update(None, text)).unwrap();
        assert_eq!(message.event_type(), event_type);
        assert!(message.full().to_string().contains("ping"));
    }
}

/// Keys at every depth, in order.
fn shape(json: &Json) -> String {
    match json {
        Json::Object(map) => map.iter().map(|(key, value)| format!("{key}{{{}}}", shape(value))).collect(),
        Json::Array(items) => items.iter().map(shape).collect(),
        _ => String::new(),
    }
}

#[test]
fn a_robot_of_which_nothing_is_known_has_a_self_of_the_usual_shape_that_says_nothing() {
    let nothing = self_state(&SelfStateParts::default());
    assert_eq!(signals_from_message(&nothing, RECEIVED), Ok(vec![]));
    let sample: Json = serde_json::from_str(include_str!("../../testdata/self_state.json")).unwrap();
    let (ours, mut theirs) = (nothing.full(), sample["message"].clone());
    theirs["currentGoal"]["directedMotion"] = Json::Null;
    theirs["cameraStatus"] = Json::Null;
    for unknown in ["current", "temperature", "trained", "voltage"] {
        theirs["battery"].as_object_mut().unwrap().shift_remove(unknown);
    }
    assert_eq!(shape(&ours), shape(&theirs));
}

#[test]
fn a_robot_tells_what_touches_it_and_what_it_heard() {
    let bumped = ["bump_front_left", "bumper_ring"].map(PartName::of);
    let touched = [PartName::of("touch_scruff")];
    let serial: [Arc<str>; 1] = ["21.5".into()];
    let status =
        Status { run_state: RunState::Updating, camera: None, taking_picture: None, ip_address: None };
    let parts = SelfStateParts {
        bumped: &bumped,
        touched: &touched,
        serial: &serial,
        status: Some(&status),
        ..SelfStateParts::default()
    };
    let full = self_state(&parts).full();
    assert_eq!(full["bumpedState"]["engagedSensorIds"], json!(["bfl", "bumper_ring"]));
    assert_eq!(full["bumpedState"]["engagedSensorNames"], json!(["Bump_FrontLeft", "BumperRing"]));
    assert_eq!(full["touchedState"]["engagedSensors"], json!(["Scruff"]));
    assert_eq!(full["serialMessages"], json!(["21.5"]));
    assert_eq!(full["robotRunState"]["currentState"], "Updating");
}

#[test]
fn a_lost_robot_at_the_origin_carries_one_that_never_had_a_place() {
    let origin = Pose::planar(Frame::Map, 0.0, 0.0, 0.0);
    let stamp = update(None, origin.clone()).stamp;
    let found = Localization {
        state: LocalizationState::Tracking,
        has_pose: Some(true),
        streaming: true,
        ..Localization::IDLE
    };
    let poses = |localization| {
        let parts = SelfStateParts {
            pose: Some((&origin, stamp)),
            localization: Some(localization),
            ..Default::default()
        };
        let incoming = signals_from_message(&self_state(&parts), RECEIVED).unwrap();
        incoming.iter().filter(|incoming| matches!(incoming.signal, latimer_core::Signal::Pose(_))).count()
    };
    assert_eq!(poses(&found), 1);
    assert_eq!(poses(&Localization::IDLE), 0);
}

#[test]
fn objects_of_any_class_come_back() {
    let seen = DetectedObject {
        id: 7,
        class: Some("pallet".into()),
        label: Some("A-12".into()),
        pose: Pose { z_m: 0.2, pitch_rad: 0.1, ..Pose::planar(Frame::Odom, 3.0, -1.0, 2.0) },
        sensed: false,
        last_seen: Some(RECEIVED),
        ..DetectedObject::UNKNOWN
    };
    let objects = Objects { objects: vec![seen] };
    let message = world_state(&objects, RECEIVED);
    let read = Message::parse(EventType::WorldState, &message.full().to_string()).unwrap();
    assert_eq!(signals_from_message(&read, RECEIVED).unwrap()[0].signal, objects.into());
    assert_eq!(
        world_state(&Objects { objects: Vec::new() }, RECEIVED).full(),
        json!({"characteristics": [], "objects": []})
    );
}
