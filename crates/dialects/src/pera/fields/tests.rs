//! The tables against the samples and what `map` makes of them.

use std::collections::BTreeSet;

use latimer_core::Value;
use latimer_core::model::shape::{Form, Type};
use latimer_core::model::{Kind, ToValue};
use serde_json::{Value as Json, json};

use super::MESSAGES;
use crate::pera::map::signals_from_message;
use crate::pera::topic::Topic;
use crate::pera::wire::tests::samples;
use crate::pera::wire::{Message as WireMessage, Number};
use crate::table::{FieldPair, Message};

/// What rounding may take from a number.
const CLOSE: f64 = 1e-9;

/// The name of a topic in the tables.
fn name_of(topic: &Topic) -> String {
    topic.to_string().replace("/0", "/{id}")
}

/// A message as JSON; a line of numbers gets the names that its table gives them.
fn as_json(table: &Message, topic: &Topic, payload: &str) -> Json {
    if let Ok(value @ (Json::Object(_) | Json::Array(_))) = serde_json::from_str(payload) {
        return value;
    }
    let words: Vec<&str> = payload.split(' ').collect();
    let number = |word: &&str| word.parse::<f64>().map_or_else(|_| json!(word), |number| json!(number));
    if let Topic::SensorOf(crate::pera::topic::Sensor::Proximity, _) = topic {
        let (distances, colors) = words.split_at(words.len() / 2);
        let distances: Vec<Json> = distances.iter().map(number).collect();
        return json!({ "distances": distances, "colors": colors });
    }
    let pairs = table.fields.pairs().iter().zip(&words);
    Json::Object(pairs.map(|(pair, word)| (pair.wire.to_owned(), number(word))).collect())
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

fn covers(pair: &FieldPair, path: &str) -> bool {
    let below = pair.wire.strip_suffix(".**").and_then(|above| path.strip_prefix(above));
    below.is_some_and(|rest| rest.starts_with('.')) || pair.wire == path
}

fn at(value: &Value, path: &str) -> Value {
    path.split('.').fold(value.clone(), |value, name| match value {
        Value::Map(fields) => fields.into_iter().find(|(it, _)| it == name).map_or(Value::Null, |(_, it)| it),
        _ => Value::Null,
    })
}

fn agrees(pair: &FieldPair, wire: &Json, model: &Value) -> bool {
    match (wire, model) {
        (Json::Number(wire), model) => {
            let (Some(wire), Some(model)) = (wire.as_f64(), model.as_f64()) else { return false };
            if pair.wire == "compass" {
                return (90.0 - model.to_degrees() - wire).rem_euclid(360.0) < CLOSE;
            }
            let off = wire - model * pair.factor.unwrap_or(1.0);
            let off = pair.turn.map_or(off, |turn| off - (off / turn).round() * turn);
            // What touches the robot is no farther than nothing.
            off.abs() <= CLOSE * wire.abs().max(1.0) || wire < 0.0 && model == 0.0
        }
        (Json::String(wire), Value::Text(model)) => wire == model,
        // A colour is three bytes of one text.
        (Json::String(wire), Value::Int(byte)) => wire.to_lowercase().contains(&format!("{byte:02x}")),
        _ => false,
    }
}

#[test]
fn what_is_translated_agrees_with_the_table() {
    let mut compared = BTreeSet::new();
    for (topic, payload) in samples() {
        let message = WireMessage::read(&topic, payload.as_bytes()).unwrap();
        let heard = signals_from_message(&message, &[-90.0, 0.0, 90.0].map(Number));
        let name = name_of(&topic);
        let Some(table) = MESSAGES.iter().find(|table| table.topic == name) else {
            assert_eq!(heard, [], "{name} has no table");
            continue;
        };
        let mut found = Vec::new();
        leaves(&as_json(table, &topic, &payload), "", &mut found);
        for (path, _) in &found {
            assert!(table.fields.pairs().iter().any(|pair| covers(pair, path)), "{name}: {path}");
        }
        for it in &heard {
            assert!(table.kinds.contains(&it.signal.kind()), "{name}: {it:?}");
            let form = Form::of(Type::Record(it.signal.kind().shape().fields));
            assert!(form.fits(&it.signal.to_value()), "{name}: {it:?}");
        }
        for pair in table.fields.pairs() {
            let (Some(kind), Some(model)) = (pair.kind, pair.model) else { continue };
            let said: Vec<&Json> =
                found.iter().filter(|(path, _)| path == pair.wire).map(|(_, value)| value).collect();
            let of_kind = heard.iter().filter(|it| it.signal.kind() == kind);
            let known: Vec<Value> = of_kind.map(|it| at(&it.signal.to_value(), model)).collect();
            for (said, known) in said.iter().zip(&known) {
                assert!(agrees(pair, said, known), "{name} {}: {said} is not {known}", pair.wire);
                compared.insert((name.clone(), pair.wire, kind.as_str(), model));
            }
        }
    }
    for table in MESSAGES {
        for pair in table.fields.pairs() {
            let (Some(kind), Some(model)) = (pair.kind, pair.model) else { continue };
            let key = (table.topic.to_owned(), pair.wire, Kind::as_str(kind), model);
            assert!(compared.contains(&key), "no sample shows {key:?}");
        }
    }
}
