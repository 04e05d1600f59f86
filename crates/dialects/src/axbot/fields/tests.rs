//! The tables against the specification's samples and what `map` makes of them.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::model::shape::{Form, Type};
use latimer_core::model::{Kind, ToValue};
use latimer_core::{Timestamp, Value};
use serde_json::Value as Json;

use super::MESSAGES;
use crate::axbot::map::{Received, neighbours_from_nearby, signals_from_message, sleep_state};
use crate::axbot::topic::Topic;
use crate::axbot::wire::Message as WireMessage;
use crate::axbot::wire::tests::{samples, topic_of};
use crate::table::{FieldPair, Message};

/// What no sample shows.
const MADE_UP: &[&str] = &[
    r#"{"topic": "/vision_detected_objects", "boxes": [{"pose": {"pos": [1, 2], "ori": 3}, "dimensions": [0.5, 1.5, 2], "label": 4}]}"#,
    r#"{"topic": "/device_info_brief", "device": {"model": "waiter", "sn": "7182", "name": "Ada"}}"#,
    r#"{"topic": "/planning_state", "action_id": 1, "move_state": "moving", "going_back_to_charger": true, "waiting_for_charge": true}"#,
    r#"{"topic": "/slam/state", "state": "slam", "nav_sat_state": "rtk_fixed"}"#,
];

/// Outlines, whose axes are turned.
const TURNED: [&str; 2] = ["footprint[][]", "footprints[].coordinates[][]"];

/// Points of which the wire may tell one number more.
const SURE: &str = "points[][]";

/// What rounding may take from a number.
const CLOSE: f64 = 1e-9;

const RECEIVED: Timestamp = Timestamp::from_nanos(7);

/// Name, value and message of each.
fn all() -> Vec<(String, Json, WireMessage)> {
    let files = samples().into_iter().map(|(name, _, value)| (name, value));
    let made_up = MADE_UP.iter().map(|text| ((*text).to_owned(), serde_json::from_str(text).unwrap()));
    let read = |(name, value): (String, Json)| {
        let message = WireMessage::read(topic_of(&value), value.to_string().as_bytes()).unwrap();
        (name, value, message)
    };
    files.chain(made_up).map(read).collect()
}

fn table_of(topic: Topic) -> Option<&'static Message> {
    MESSAGES.iter().find(|message| message.topic == topic.as_str())
}

fn covers(wire: &str, path: &str) -> bool {
    match wire.strip_suffix(".**") {
        Some(above) => {
            path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        }
        None => {
            wire == path
                || wire
                    .strip_suffix(']')
                    .is_some_and(|it| it.trim_end_matches(char::is_numeric) == path.trim_end_matches(']'))
        }
    }
}

/// Every leaf as a path and its values; items of lists share a path.
fn leaves(json: &Json, path: &str, found: &mut Vec<(String, Json)>) {
    match json {
        Json::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(value, &path, found);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| leaves(item, &format!("{path}[]"), found)),
        leaf => found.push((path.to_owned(), leaf.clone())),
    }
}

fn leaves_of(sample: &Json) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    leaves(sample, "", &mut found);
    found.retain(|(path, _)| path != "topic");
    found
}

#[test]
fn every_topic_that_tells_something_has_its_table() {
    let topics: Vec<&str> = MESSAGES.iter().map(|message| message.topic).collect();
    let telling = Topic::ALL.iter().filter(|topic| !topic.origins().is_empty());
    assert_eq!(topics, telling.clone().map(|topic| topic.as_str()).collect::<Vec<_>>());
    for topic in telling {
        let mut told: Vec<Kind> = topic.kinds().iter().copied().chain(topic.kind_by_role()).collect();
        told.dedup();
        let mut kinds = table_of(*topic).unwrap().kinds.to_vec();
        kinds.dedup();
        assert_eq!(kinds, told, "{topic}");
    }
}

#[test]
fn every_key_of_every_sample_is_in_the_table() {
    for (name, sample, message) in all() {
        let Some(table) = table_of(message.topic()) else { continue };
        for (path, _) in leaves_of(&sample) {
            assert!(table.rows().iter().any(|row| covers(&row.wire, &path)), "{name}: {path}");
        }
    }
}

/// The values at a path of the model, through records and lists.
fn values_at(value: &Value, path: &[&str], found: &mut Vec<Value>) {
    match (value, path) {
        (Value::List(items), _) => items.iter().for_each(|item| values_at(item, path, found)),
        (Value::Map(fields), [first, rest @ ..]) => {
            let inside = fields.iter().find(|(name, _)| name == first);
            inside.iter().for_each(|(_, value)| values_at(value, rest, found));
        }
        (Value::Null, _) => {}
        (value, []) => found.push(value.clone()),
        _ => {}
    }
}

fn model_values(heard: &[Received], pair: &FieldPair) -> Vec<Value> {
    let mut found = Vec::new();
    let (Some(kind), Some(model)) = (pair.kind, pair.model) else { return found };
    let path: Vec<&str> = model.split('.').collect();
    for heard in heard.iter().filter(|heard| heard.signal.kind() == kind) {
        values_at(&heard.signal.to_value(), &path, &mut found);
    }
    found
}

/// Whether a value on the wire is one of the model, by the table.
fn agrees(pair: &FieldPair, wire: &Json, model: &Value) -> bool {
    let number = wire.as_f64().or_else(|| wire.as_str()?.parse().ok());
    if let Some(factor) = pair.factor {
        let (Some(wire), Some(model)) = (number, model.as_f64()) else { return false };
        let (wire, model) =
            if TURNED.contains(&pair.wire) { (wire.abs(), model.abs()) } else { (wire, model) };
        let off = wire - model * factor;
        let off = pair.turn.map_or(off, |turn| off - (off / turn).round() * turn);
        return off.abs() <= CLOSE * wire.abs().max(1.0);
    }
    match (wire, model) {
        (Json::Bool(wire), Value::Bool(model)) => wire == model,
        // Pins are 0 and 1, a flag is told by the name of its key.
        (Json::Number(wire), Value::Bool(model)) => wire.as_i64() == Some((*model).into()),
        (Json::Bool(wire), Value::Text(model)) => *wire == (model == pair.wire),
        // Moments are nanoseconds in the model.
        (Json::Number(wire), Value::Int(model)) => {
            let wire = wire.as_i64();
            wire == Some(*model) || wire == Some(*model / 1_000_000_000)
        }
        // Classes are numbers on the wire, directions are words.
        (Json::Number(_), Value::Text(_)) | (Json::String(_), Value::Float(_)) => true,
        (Json::String(wire), Value::Text(model)) => {
            let word = pair.words.iter().find(|(word, _)| word == wire);
            word.map_or(wire.as_str(), |(_, word)| word) == model
        }
        // The cells of a map are drawn on the wire.
        (Json::String(wire), Value::Bytes(model)) => {
            pair.model == Some("cells") || STANDARD.decode(wire).is_ok_and(|wire| wire == *model)
        }
        _ => false,
    }
}

/// What a message tells, with the half that only another message tells.
fn heard_from(message: &WireMessage) -> Vec<Received> {
    let read = |topic: Topic, text: &str| WireMessage::read(topic, text.as_bytes()).unwrap();
    match message {
        WireMessage::SensorManagerState(_) => {
            let wheels = r#"{"control_mode": "auto", "emergency_stop_pressed": false}"#;
            let mut heard = signals_from_message(&read(Topic::WheelState, wheels), RECEIVED);
            let latimer_core::Signal::Control(control) = &mut heard[0].signal else { panic!() };
            control.power = sleep_state(message);
            heard
        }
        WireMessage::NearbyRobotFootprints(outlines) => {
            let robots = r#"{"robots": [{"uid": "a", "pose": {"pos": [0, 0], "ori": 0}, "footprint_digest": "0150acd9"}]}"#;
            let robots = read(Topic::NearbyRobots, robots);
            let mut heard = signals_from_message(&robots, RECEIVED);
            let WireMessage::NearbyRobots(robots) = &robots else { panic!() };
            heard[0].signal = neighbours_from_nearby(robots, Some(outlines)).into();
            heard
        }
        _ => signals_from_message(message, RECEIVED),
    }
}

#[test]
fn what_is_translated_agrees_with_the_table() {
    let mut compared = BTreeSet::new();
    for (name, sample, message) in all() {
        let Some(table) = table_of(message.topic()) else { continue };
        let heard = heard_from(&message);
        for Received { signal, .. } in &heard {
            let form = Form::of(Type::Record(signal.kind().shape().fields));
            assert!(form.fits(&signal.to_value()), "{name}: {signal:?}");
        }
        let leaves = leaves_of(&sample);
        for pair in table.fields.pairs().iter().filter(|pair| pair.kind.is_some()) {
            let there = leaves.iter().filter(|(path, value)| path == pair.wire && !value.is_null());
            let wire: Vec<&Json> = there.map(|(_, value)| value).collect();
            let known = model_values(&heard, pair);
            if wire.is_empty() || known.is_empty() {
                continue;
            }
            // Numbers of a point stand in one list on the wire, flags in one list here.
            let shared: Vec<&FieldPair> =
                table.fields.pairs().iter().filter(|it| it.wire == pair.wire).collect();
            let ok = if shared.len() == 1 && wire.len() == known.len() && !TURNED.contains(&pair.wire) {
                wire.iter().zip(&known).all(|(wire, model)| agrees(pair, wire, model))
            } else {
                known
                    .iter()
                    .all(|model| wire.iter().any(|wire| agrees(pair, wire, model)) || is_list_of_flags(pair))
                    && (pair.wire == SURE
                        || wire.iter().all(|wire| {
                            let one_of = |pair: &&FieldPair| {
                                model_values(&heard, pair).iter().any(|model| agrees(pair, wire, model))
                            };
                            shared.iter().any(one_of)
                        }))
            };
            assert!(ok, "{name} {}: {wire:?} is not {known:?}", pair.wire);
            compared.insert((message.topic(), pair.wire, pair.model));
        }
    }
    for message in MESSAGES {
        let topic: Topic = message.topic.parse().unwrap();
        for pair in message.fields.pairs().iter().filter(|pair| pair.kind.is_some()) {
            let seen = compared.contains(&(topic, pair.wire, pair.model));
            assert!(seen || is_drawn(pair), "no sample shows {} {}", message.topic, pair.wire);
        }
    }
}

/// Whether the model's values stand for several keys.
fn is_list_of_flags(pair: &FieldPair) -> bool {
    pair.model == Some("flags") || pair.model == Some("contacted")
}

/// Whether a field is told with the cells of a map, which `picture` draws and reads.
fn is_drawn(pair: &FieldPair) -> bool {
    pair.kind == Some(Kind::Map)
}
