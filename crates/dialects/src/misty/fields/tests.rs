//! The tables against the specification's samples and what `map` makes of them.

use latimer_core::model::shape::{Form, Type};
use latimer_core::model::{Kind, ToValue};
use latimer_core::{Timestamp, Value};
use serde_json::Value as Json;

use super::MESSAGES;
use crate::misty::map::{Received, kinds_of, signals_from_message};
use crate::misty::wire::{EventType, Frame, Message as WireMessage, classes};
use crate::table::{FieldPair, Message, Row};

/// What no sample shows.
const MADE_UP: &[(EventType, &str)] = &[
    (EventType::BatteryCharge, r#"{"chargePercent": 0.34, "healthPercent": 0.9}"#),
    (
        EventType::HazardNotification,
        r#"{"excessiveSpeedHazard": [{"inHazard": true, "sensorName": "LeftDrive"}]}"#,
    ),
    (
        EventType::SelfState,
        r#"{"battery": {"chargePercent": 0.5, "healthPercent": 1}, "robotRunState": {"currentState": "Updating"}}"#,
    ),
    (
        EventType::TimeOfFlight,
        r#"{"distanceInMeters": 0.05, "sensorId": "tofdfl", "status": 0, "type": "Edge"}"#,
    ),
    (
        EventType::WorldState,
        r#"{"objects": [{"class": "person", "individual": "Ada", "location": {"pose": {"x": 1, "y": 2}}}]}"#,
    ),
];

/// What rounding may take from a number.
const CLOSE: f64 = 1e-9;

/// The name and the body of each.
fn samples() -> Vec<(String, WireMessage)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/misty/testdata");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|it| it == "json")).map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let squeezed = name.replace("robot_2019_", "").replace("robot_2021_", "").replace('_', "");
        let of = |it: &&EventType| squeezed.starts_with(&it.as_str().to_ascii_lowercase());
        let event_type = *EventType::ALL.iter().find(of).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let frame: Frame<'_> = serde_json::from_str(&text).unwrap();
        (name, WireMessage::parse(event_type, frame.message.get()).unwrap())
    });
    let made_up = MADE_UP.iter().map(|&(event_type, body)| {
        (format!("made up {event_type}"), WireMessage::parse(event_type, body).unwrap())
    });
    files.chain(made_up).collect()
}

fn table_of(event_type: EventType) -> &'static Message {
    MESSAGES.iter().find(|message| message.topic == event_type.as_str()).unwrap()
}

fn covers(wire: &str, path: &str) -> bool {
    match wire.strip_suffix(".**") {
        Some(above) => path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
        // An empty list shows no items.
        None => wire == path || path == format!("{wire}[]"),
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

fn leaves_of(message: &WireMessage) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    leaves(&message.full(), "", &mut found);
    found
}

#[test]
fn every_event_type_has_its_table() {
    let topics: Vec<&str> = MESSAGES.iter().map(|message| message.topic).collect();
    let all: Vec<&str> = EventType::ALL.iter().map(|event_type| event_type.as_str()).collect();
    assert_eq!(topics, all);
    for &event_type in EventType::ALL {
        let Message { kinds, summary, .. } = table_of(event_type);
        let rows = table_of(event_type).rows();
        assert_eq!(*kinds, kinds_of(event_type));
        assert!(summary.ends_with('.'), "{event_type}: {summary}");
        for name in classes::properties(event_type) {
            let top = |row: &Row| row.wire.split(['.', '[']).next().unwrap().to_owned();
            assert!(rows.iter().any(|row| top(row).eq_ignore_ascii_case(name)), "{event_type}: {name}");
        }
    }
}

#[test]
fn every_key_of_every_sample_is_in_the_table() {
    for (sample, message) in samples() {
        for (path, value) in leaves_of(&message) {
            // What is not given does not show what is in it.
            let below = |row: &Row| value.is_null() && row.wire.starts_with(&format!("{path}."));
            let rows = table_of(message.event_type()).rows();
            let known = rows.iter().any(|row| covers(&row.wire, &path) || below(row));
            assert!(known, "{sample}: {path}");
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
        (value, []) => found.push(value.clone()),
        _ => {}
    }
}

fn model_values(heard: &[Received], kind: Kind, path: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let path: Vec<&str> = path.split('.').collect();
    for heard in heard.iter().filter(|heard| heard.signal.kind() == kind) {
        values_at(&heard.signal.to_value(), &path, &mut found);
    }
    found
}

/// Whether a value on the wire is one of the model, by the table.
fn agrees(pair: &FieldPair, wire: &Json, model: &Value) -> bool {
    if let Some(factor) = pair.factor {
        let (Some(wire), Some(model)) = (wire.as_f64(), model.as_f64()) else { return false };
        let off = wire - model * factor;
        let off = pair.turn.map_or(off, |turn| off - (off / turn).round() * turn);
        return off.abs() <= CLOSE * wire.abs().max(1.0);
    }
    match (wire, model) {
        (Json::Bool(wire), Value::Bool(model)) => wire == model,
        (Json::Number(wire), Value::Int(model)) => wire.as_f64() == Some(*model as f64),
        (Json::String(wire), Value::Text(model)) => {
            let word = pair.words.iter().find(|(word, _)| word == wire);
            word.map_or(wire.as_str(), |(_, word)| word) == model
        }
        // Times are text on the wire.
        (Json::String(_), Value::Int(_)) => true,
        _ => false,
    }
}

#[test]
fn what_is_translated_agrees_with_the_table() {
    let mut compared = std::collections::BTreeSet::new();
    for (sample, message) in samples() {
        let event_type = message.event_type();
        let heard = signals_from_message(&message, Timestamp::from_nanos(7));
        for Received { signal, .. } in &heard {
            let form = Form::of(Type::Record(signal.kind().shape().fields));
            assert!(form.fits(&signal.to_value()), "{sample}: {signal:?}");
        }
        let leaves = leaves_of(&message);
        for pair in table_of(event_type).fields.pairs() {
            let (Some(kind), Some(model)) = (pair.kind, pair.model) else { continue };
            if pair.wire.ends_with("**") {
                continue;
            }
            let there = leaves.iter().filter(|(path, value)| path == pair.wire && !value.is_null());
            let wire: Vec<&Json> = there.map(|(_, value)| value).collect();
            let model = model_values(&heard, kind, model);
            let known: Vec<&Value> = model.iter().filter(|value| **value != Value::Null).collect();
            if wire.is_empty() || known.is_empty() {
                continue;
            }
            // Hazards of all sources stand in one list.
            let ok = if kind == Kind::Hazard && known.len() > wire.len() {
                wire.iter().all(|wire| known.iter().any(|model| agrees(pair, wire, model)))
            } else {
                wire.len() == known.len()
                    && wire.iter().zip(&known).all(|(wire, model)| agrees(pair, wire, model))
            };
            assert!(ok, "{sample} {}: {wire:?} is not {known:?}", pair.wire);
            compared.insert((event_type.as_str(), pair.wire, kind));
        }
    }
    for message in MESSAGES {
        for pair in message.fields.pairs().iter().filter(|pair| !pair.wire.ends_with("**")) {
            let seen = |kind| compared.contains(&(message.topic, pair.wire, kind));
            assert!(pair.kind.is_none_or(seen), "no sample shows {} {}", message.topic, pair.wire);
        }
    }
}
