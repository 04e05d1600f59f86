//! Every topic's messages go both ways as they are described.

use latimer_core::model::signal::{ContactSensor, Frame, Pose};
use latimer_core::{PartName, RobotId, Signal, Timestamp, Update};
use serde_json::{Value as Json, json};

use crate::axbot::map::{Received, message_from_update, signals_from_message};
use crate::axbot::messages::Context;
use crate::axbot::topic::Topic;
use crate::axbot::wire::tests::{samples, topic_of};
use crate::axbot::wire::{MESSAGES, Message};
use crate::describe::check::{Through, holds, sample, seed};

/// Halves of records, messages that are little but a file, and those whose fields depend on each other: samples of them are
/// read below, and what robots of other families make of them in `map`.
const NOT_MADE_UP: &[Topic] = &[
    Topic::SlamState,
    Topic::ScanMatchedPoints2,
    Topic::PlanningState,
    Topic::VisionDetectedObjects,
    Topic::CollectedBarcode,
    Topic::DetectedRack,
    Topic::Map,
    Topic::Costmap5cm,
    Topic::Costmap1cm,
    Topic::EnvMatchMap,
    Topic::EnvSymmetryMap,
    Topic::IncrementalMap,
    Topic::MapV2,
    Topic::Costmap,
    Topic::CostmapV2,
    Topic::RobotFootprint,
    Topic::DetectedGates,
    Topic::RawIoBoardState,
    Topic::IncrementalMapV2,
    Topic::FrontVideo,
    Topic::BackVideo,
    Topic::FrontAugmentedVideo,
    Topic::FrontCompressed,
    Topic::BackCompressed,
    Topic::HorizontalLaser,
    Topic::SensorManagerState,
    Topic::NearbyRobotFootprints,
    Topic::Action,
    Topic::ImuState,
];

fn without_topic(message: &Message) -> Json {
    let mut json: Json = serde_json::from_slice(&message.write()).unwrap();
    json.as_object_mut().unwrap().shift_remove("topic");
    json
}

fn through(topic: Topic, json: &Json) -> Through {
    let mut frame = json!({ "topic": topic.as_str() });
    frame.as_object_mut().unwrap().extend(json.as_object().unwrap().clone());
    seed("axbot_message", &frame.to_string());
    let message = Message::read(topic, frame.to_string().as_bytes()).unwrap();
    let received = signals_from_message(&message, Timestamp::from_nanos(7));
    let received = received.map_err(|incomplete| incomplete.field.to_owned());
    let bumpers: Vec<_> = received.iter().flatten().filter_map(bumper).collect();
    let (at, pose) = (Timestamp::from_nanos(7), Some(Pose::planar(Frame::Map, 0.0, 0.0, 0.0)));
    let context = Context { at, pose, bumpers, ..Context::default() };
    let encoded = received.iter().flatten().next().and_then(|Received { part, stamp, signal }| {
        let robot = RobotId::new("r").unwrap();
        let update = Update { part: part.clone(), ..Update::now(&robot, at, signal.clone()) };
        message_from_update(topic, &update, &Context { at: stamp.at, ..context })
    });
    Through {
        written: without_topic(&message),
        encoded: encoded.as_ref().map(without_topic),
        decoded: received.map(|all| all.into_iter().map(|it| it.signal).collect()),
    }
}

fn bumper(received: &Received) -> Option<(PartName, bool)> {
    match &received.signal {
        Signal::Contact(it) if it.sensor == ContactSensor::Bumper => {
            Some((received.part.clone()?, it.contacted))
        }
        _ => None,
    }
}

/// What no sample shows.
const MADE_UP: &[&str] = &[
    r#"{"topic": "/vision_detected_objects", "boxes": [{"pose": {"pos": [1, 2], "ori": 3}, "dimensions": [0.5, 1.5, 2], "label": 4}]}"#,
    r#"{"topic": "/device_info_brief", "device": {"model": "waiter", "sn": "7182", "name": "Ada"}}"#,
    r#"{"topic": "/planning_state", "action_id": 1, "move_state": "moving", "going_back_to_charger": true, "waiting_for_charge": true}"#,
    r#"{"topic": "/slam/state", "state": "slam", "nav_sat_state": "rtk_fixed"}"#,
];

#[test]
fn every_sample_is_what_its_description_says() {
    let files = samples().into_iter().map(|(name, _, json)| (name, json));
    let made_up = MADE_UP.iter().map(|text| ((*text).to_owned(), serde_json::from_str(text).unwrap()));
    for (name, mut json) in files.chain(made_up) {
        let topic = topic_of(&json);
        let described = MESSAGES.iter().find(|message| message.topic == topic.as_str()).unwrap();
        let message = Message::read(topic, json.to_string().as_bytes()).unwrap();
        json.as_object_mut().unwrap().shift_remove("topic");
        let received = signals_from_message(&message, Timestamp::from_nanos(7));
        let signals: Vec<_> = received.unwrap_or_default().into_iter().map(|it| it.signal).collect();
        sample(&name, &described.rows(), &json, &signals);
    }
}

#[test]
fn every_message_goes_both_ways_as_it_is_described() {
    for (topic, message) in Topic::ALL.iter().zip(MESSAGES) {
        assert_eq!(topic.as_str(), message.topic);
        if let Some(kind) = message.kinds.first()
            && !NOT_MADE_UP.contains(topic)
        {
            holds(message.topic, message.described(), *kind, |json| through(*topic, json));
        }
    }
}
