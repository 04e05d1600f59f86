//! Every frame in `testdata`: read, turned to signals, turned to a message again, compared.

use latimer_core::{Signal, Timestamp};
use serde_json::Value as Json;

use super::{RECEIVED, update_from_received};
use crate::golden::{Comparison, Exception};
use crate::misty::map::{SelfStateParts, message_from_update, self_state, signals_from_message, world_state};
use crate::misty::wire::tests::{parse, samples};
use crate::misty::wire::{EventType, Message};

/// Places where what is written differs from the sample, and why. A line that is not needed fails the test.
const EXCEPTIONS: &[Exception] = &[
    ("bump_sensor", ".pose.created", ONE_TIME),
    ("bump_sensor", ".pose.framesProvider.rootFrame.created", ONE_TIME),
    ("touch_sensor", ".pose.created", ONE_TIME),
    ("touch_sensor", ".pose.framesProvider.rootFrame.created", ONE_TIME),
    ("touch_sensor", ".pose.pitch", A_POINT),
    ("touch_sensor", ".pose.homogeneousCoordinates.pitch", A_POINT),
    ("touch_sensor", ".pose.homogeneousCoordinates.quaternion", A_POINT),
    ("self_state", ".location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("self_state", ".currentGoal.directedMotion", "reserved; nobody moves the head towards anything"),
    ("self_state", "+.robotRunState", "described by the specification, but not in its sample"),
    ("world_state", ".objects[0].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[1].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[2].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[3].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("world_state", ".objects[4].location.pose.framesProvider.rootFrame.created", ONE_TIME),
    ("face_recognition", ".sensorId", "later robots send cv"),
    ("face_recognition", ".expiry", "the sample's is 0.7500024 s later, not 0.75 s"),
    ("robot_2019_face_recognition", ".personName", "the specification's spelling has no space"),
    ("robot_2021_face_recognition", "-.label", "not in the specification; repeats personName"),
    ("robot_2019_imu", ".roll", "the same angle, within 180 degrees"),
    ("robot_2019_time_of_flight", "+.type", "the specification's sample has it"),
    ("robot_2021_time_of_flight", "+.expiry", "left out of what that robot sent"),
    ("robot_2021_time_of_flight", "+.sensorName", "left out of what that robot sent"),
    ("robot_2021_time_of_flight", "-.averageTimeMs", OF_2021),
    ("robot_2021_time_of_flight", "-.inHazard", OF_2021),
    ("robot_2021_time_of_flight", "-.sigma", OF_2021),
    ("robot_2021_time_of_flight", "-.signal", OF_2021),
];

const ONE_TIME: &str = "a signal has one time; robots stamp their frames when they start";
const A_POINT: &str = "a contact has a place, but is not turned";
const OF_2021: &str = "not in the specification, and not in the model";

/// Robots compute quaternions in 32 bits: |cos| of half the angle between two of them is above this.
const SAME_ROTATION: f64 = 1.0 - 1e-7;

/// What is written for what was read.
fn rewritten(message: &Message) -> Message {
    let incoming = signals_from_message(message, RECEIVED).unwrap();
    let updates: Vec<_> = incoming.into_iter().map(update_from_received).collect();
    match message.event_type() {
        EventType::SelfState => {
            let mut parts = SelfStateParts::default();
            for update in &updates {
                match &update.signal {
                    Signal::Battery(it) => parts.battery = Some((it, update.stamp)),
                    Signal::Pose(it) => (parts.pose, parts.at) = (Some((it, update.stamp)), update.stamp.at),
                    Signal::Localization(it) => parts.localization = Some(it),
                    Signal::Status(it) => parts.status = Some(it),
                    other => panic!("{other:?}"),
                }
            }
            self_state(&parts)
        }
        EventType::WorldState => {
            let [update] = &updates[..] else { panic!("{updates:?}") };
            let Signal::Objects(objects) = &update.signal else { panic!("{update:?}") };
            world_state(objects, Timestamp::default())
        }
        _ => {
            let [update] = &updates[..] else { panic!("{updates:?}") };
            message_from_update(update).unwrap()
        }
    }
}

/// A rotation has two quaternions, which differ in sign.
fn is_same_rotation(path: &str, a: &Json, b: &Json) -> bool {
    if !path.ends_with(".quaternion") {
        return false;
    }
    let part = |json: &Json, name: &str| json[name].as_f64().unwrap();
    let product: f64 = ["w", "x", "y", "z"].iter().map(|name| part(a, name) * part(b, name)).sum();
    let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    keys(a) == keys(b) && a["isIdentity"] == b["isIdentity"] && product.abs() > SAME_ROTATION
}

#[test]
fn each_sample_is_written_as_it_was_read() {
    let comparison = Comparison::new(EXCEPTIONS, is_same_rotation);
    for (event_type, form, sample, frame) in samples() {
        let message = parse(event_type, &frame);
        let written = rewritten(&message);
        assert_eq!(written.event_type(), event_type);
        comparison.compare(&sample, &form.of(&written), &form.of(&message));
    }
    comparison.all_are_needed();
}
