//! The test that a description holds: made-up messages of every form go from the wire to the model and back. They are the fuzz
//! targets' seeds, too.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use latimer_core::model::{Kind, ToValue};
use latimer_core::{Signal, Value};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value as Json, json};

use super::lenient::Lenient;
use super::{Described, Field, Meaning, Object, Translate, WireType, rows};
use crate::golden::assert_like;
use crate::table::{Role, Row};

/// What becomes of a message: written again as it was read, decoded, and encoded from that.
pub(crate) struct Through {
    pub(crate) written: Json,
    pub(crate) decoded: Result<Vec<Signal>, String>,
    pub(crate) encoded: Option<Json>,
}

/// Writes one of sixteen made-up messages as a seed of a fuzz target, if `LATIMER_FUZZ_SEEDS` names the folder of the corpora.
pub(crate) fn seed(target: &str, text: &str) {
    let Some(folder) = std::env::var_os("LATIMER_FUZZ_SEEDS") else { return };
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    if hasher.finish().is_multiple_of(16) {
        let folder = std::path::Path::new(&folder).join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("described-{:016x}", hasher.finish())), text).unwrap();
    }
}

/// How a message that was derived goes through.
pub(crate) fn through<M>(context: &M::Context) -> impl Fn(&Json) -> Through
where
    M: Object + Translate + serde::Serialize,
    M::Record: Into<Signal> + Clone,
{
    move |json| {
        let message: M = read(json);
        let record = message.decode(context);
        Through {
            written: serde_json::to_value(&message).unwrap(),
            encoded: record
                .as_ref()
                .ok()
                .and_then(|record| M::encode(record, context))
                .map(|it| serde_json::to_value(it).unwrap()),
            decoded: record
                .map(|record| vec![record.into()])
                .map_err(|incomplete| incomplete.field.to_owned()),
        }
    }
}

/// Reads an object, which must be one.
pub(crate) fn read<M: Object>(json: &Json) -> M {
    M::read(json).unwrap_or_else(|error| panic!("{json}: {error}")).unwrap()
}

/// Holds a derived message against its description.
pub(crate) fn derived<M>(kind: Kind, context: &M::Context)
where
    M: Described + Object + Translate + serde::Serialize,
    M::Record: Into<Signal> + Clone,
{
    holds(std::any::type_name::<M>(), M::FIELDS, kind, through::<M>(context));
}

/// Holds what becomes of messages against their description: each field is read, written, decoded and encoded as its row says.
pub(crate) fn holds(name: &str, fields: &'static [Field], kind: Kind, through: impl Fn(&Json) -> Through) {
    let rows = rows(fields, "", Some(kind));
    let mut seen = BTreeSet::new();
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(latimer_testing::rounds(128))
    });
    let seen_rows = std::cell::RefCell::new(&mut seen);
    let result = runner.run(&object(fields), |json| {
        let Through { written, decoded, encoded } = through(&json);
        assert_same(name, &written, &json);
        match decoded {
            Ok(signals) => {
                for (i, row) in rows.iter().enumerate() {
                    let decoded = agrees(name, row, is_shared(&rows, row), &json, &signals);
                    let encoded =
                        encoded.as_ref().is_some_and(|encoded| is_encoded(name, row, &json, encoded));
                    if decoded && encoded {
                        seen_rows.borrow_mut().insert(i);
                    }
                }
            }
            Err(field) => {
                let is_incomplete = |it: &Json| it.is_null() || it.is_object();
                prop_assert!(json.get(&field).is_none_or(is_incomplete), "{name}: {field} is there: {json}")
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{name}: {error}"));
    for (i, row) in rows.iter().enumerate() {
        let counts = row.role == Role::Value;
        assert!(!counts || seen.contains(&i), "{name}: {} never went both ways", row.wire);
    }
}

/// Holds a sample against its description: each of its keys has a row, and what is decoded agrees with that.
pub(crate) fn sample(name: &str, rows: &[Row], json: &Json, signals: &[Signal]) {
    let mut found = Vec::new();
    leaves(json, "", &mut found);
    for (path, value) in &found {
        let is_known = rows.iter().any(|row| covers(&row.wire, path, value));
        assert!(is_known, "{name}: {path} is not described");
    }
    for row in rows {
        agrees(name, row, is_shared(rows, row), json, signals);
    }
}

/// Whether a row's path is that of a value, or one above it.
fn covers(wire: &str, path: &str, value: &Json) -> bool {
    let above = wire.strip_suffix(".**");
    let is_below = |above: &str| {
        path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    // An item's own index, or that of the item of each list above it.
    let any_item = |path: &str| path.replace(|digit: char| digit.is_ascii_digit(), "");
    above.is_some_and(is_below)
        || any_item(wire) == any_item(path)
        || value.is_null() && wire.starts_with(&format!("{path}."))
        || value.as_array().is_some_and(Vec::is_empty) && wire.starts_with(path)
}

/// Every leaf as a path and its values; items of lists share a path, and have one of their own each.
pub(crate) fn leaves(json: &Json, path: &str, found: &mut Vec<(String, Json)>) {
    match json {
        Json::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(value, &path, found);
            }
        }
        Json::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                leaves(item, &format!("{path}[]"), found);
                if !item.is_object() && !item.is_array() {
                    found.push((format!("{path}[{i}]"), item.clone()));
                }
            }
        }
        leaf => found.push((path.to_owned(), leaf.clone())),
    }
}

fn at(json: &Json, path: &str) -> Vec<Json> {
    let mut found = Vec::new();
    leaves(json, "", &mut found);
    found
        .into_iter()
        // Bytes are one text, and numbers where no JSON is spoken.
        .filter(|(known, _)| known == path || known.strip_suffix("[]") == Some(path))
        .filter(|(_, value)| !value.is_null())
        .map(|(_, value)| value)
        .collect()
}

/// Whether other rows tell the same field of the model.
fn is_shared(rows: &[Row], row: &Row) -> bool {
    rows.iter().filter(|it| it.kind == row.kind && it.model == row.model).count() > 1
}

/// Whether the model has what a row says; the values must be the wire's, unless other rows share the model's field.
fn agrees(name: &str, row: &Row, is_shared: bool, json: &Json, signals: &[Signal]) -> bool {
    let (Some(kind), Some(model)) = (row.kind, &row.model) else { return false };
    let wire = at(json, &row.wire);
    let path: Vec<&str> = model.split('.').collect();
    let mut known = Vec::new();
    for signal in signals.iter().filter(|signal| signal.kind() == kind) {
        model_values(&signal.to_value(), &path, &mut known);
    }
    if wire.is_empty() || known.is_empty() {
        return false;
    }
    if is_shared {
        return wire.iter().all(|wire| known.iter().any(|value| is_same(row, wire, value)));
    }
    for value in &known {
        let ok = wire.iter().any(|wire| is_same(row, wire, value)) || known.len() > wire.len();
        // An item of a list may be left out as a whole, or lack just this; it must agree where all are there.
        if !ok && row.wire.contains("[].") {
            return false;
        }
        assert!(ok, "{name} {}: {value:?} is not one of {wire:?}", row.wire);
    }
    true
}

/// Whether what was encoded has a row's values as they were.
fn is_encoded(name: &str, row: &Row, json: &Json, encoded: &Json) -> bool {
    let (before, after) = (at(json, &row.wire), at(encoded, &row.wire));
    if row.role != Role::Value {
        return false;
    }
    // Items that are incomplete are not encoded, and defaults of others are.
    if before.is_empty() || row.wire.contains("[]") && before.len() != after.len() {
        return row.wire.ends_with("[2]");
    }
    if row.wire.contains("[].") {
        return before.iter().zip(&after).all(|(before, after)| is_equal(before, after));
    }
    for (before, after) in before.iter().zip(&after) {
        assert_same(&format!("{name} {}", row.wire), after, before);
    }
    true
}

fn model_values(value: &Value, path: &[&str], found: &mut Vec<Value>) {
    match (value, path) {
        (Value::List(items), _) => items.iter().for_each(|item| model_values(item, path, found)),
        (Value::Map(fields), [first, rest @ ..]) => {
            let inside = fields.iter().find(|(name, _)| name == first);
            inside.iter().for_each(|(_, value)| model_values(value, rest, found));
        }
        (Value::Null, _) => {}
        (value, []) => found.push(value.clone()),
        _ => {}
    }
}

/// Whether a value of the wire is one of the model, by its row.
fn is_same(row: &Row, wire: &Json, model: &Value) -> bool {
    let number = wire.as_f64().or_else(|| wire.as_str()?.parse().ok());
    match (wire, model) {
        (Json::Bool(wire), Value::Bool(model)) => wire == model,
        // Data without a schema, which has it under a name.
        (wire, Value::Map(fields)) => fields.iter().any(|(_, value)| is_same(row, wire, value)),
        (Json::Number(wire), Value::Bool(model)) => wire.as_i64() == Some((*model).into()),
        // Which way something goes, where the model knows how fast.
        (Json::String(wire), Value::Float(_)) if !row.words.is_empty() => {
            row.words.iter().any(|(word, _)| word == wire)
        }
        // Moments are nanoseconds in the model.
        (Json::Number(wire), Value::Int(model)) if wire.as_i64() == Some(model / 1_000_000_000) => true,
        // A file, and what is drawn in it.
        (Json::String(_), Value::Bytes(_)) => true,
        // Bytes as a list of numbers, with or without a sign.
        (Json::Number(wire), Value::Bytes(model)) => model
            .iter()
            .any(|byte| [i64::from(*byte), i64::from(*byte as i8)].map(Some).contains(&wire.as_i64())),
        // A flag is its name among words; classes are numbers on the wire.
        (Json::Bool(_) | Json::Number(_), Value::Text(_)) => true,
        (Json::String(wire), Value::Text(model)) if !row.words.is_empty() => {
            row.words.iter().any(|(word, of)| word == wire && of == model)
        }
        (Json::String(wire), Value::Text(model)) => wire == model,
        (Json::String(wire), Value::Int(ns)) if wire.ends_with('Z') => {
            wire.parse().is_ok_and(|wire: jiff::Timestamp| wire.as_nanosecond() == i128::from(*ns))
        }
        (_, model) => {
            let (Some(wire), Some(model)) = (number, model.as_f64()) else { return false };
            let (wire, model) = if row.is_turned { (wire.abs(), model.abs()) } else { (wire, model) };
            let off = wire - model * row.factor.unwrap_or(1.0) - row.offset.unwrap_or(0.0);
            let off = row.turn.map_or(off, |turn| off - (off / turn).round() * turn);
            // The model may hold floats of 32 bits.
            off.abs() <= 1e-7 * wire.abs().max(1.0)
        }
    }
}

/// Compares keys with their order, and leaves by their value.
fn assert_same(path: &str, written: &Json, read: &Json) {
    assert_like(path, written, read, is_equal);
}

/// Whether two leaves are the same, numbers by their value and also as text.
fn is_equal(a: &Json, b: &Json) -> bool {
    if a == b {
        return true;
    }
    let number = |json: &Json| json.as_f64().or_else(|| json.as_str()?.parse().ok());
    match (number(a), number(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
        _ => a == b,
    }
}

/// Objects with most of their fields.
pub(crate) fn object(fields: &'static [Field]) -> BoxedStrategy<Json> {
    let mut whole: BoxedStrategy<Map<String, Json>> = Just(Map::new()).boxed();
    for field in fields {
        let missing = if field.nullable { Just(Some(Json::Null)).boxed() } else { Just(None).boxed() };
        let often = if field.always { 0 } else { 1 };
        let value = prop_oneof![7 => value(field).prop_map(Some), often => missing];
        whole = (whole, value)
            .prop_map(|(mut object, value)| {
                if let Some(value) = value {
                    object.insert(field.name.to_owned(), value);
                }
                object
            })
            .boxed();
    }
    whole.prop_map(Json::Object).boxed()
}

/// Of numbers of which nothing is said.
const ANY: (f64, f64) = (-1e3, 1e3);

fn value(field: &'static Field) -> BoxedStrategy<Json> {
    let info = (field.codec)();
    let targets = match field.meaning {
        Meaning::Value(targets) => targets,
        _ => &[],
    };
    // A list or a point whose items have names of their own has as many of them.
    let count = targets.iter().filter(|target| target.index.is_some()).count();
    let form = match field.form {
        WireType::Numbers(..) if count > 0 => WireType::Numbers(count, count),
        WireType::List(WireType::Numbers(..)) if count > 0 => {
            let point = leaf(WireType::Numbers(count, count), &[], (-3.0, 3.0));
            return proptest::collection::vec(point, 1..4).prop_map(Json::Array).boxed();
        }
        WireType::List(item) if count > 0 => {
            return proptest::collection::vec(leaf(*item, &[], ANY), count).prop_map(Json::Array).boxed();
        }
        form => form,
    };
    let half = info.turn.map(|turn| (-turn * 0.49, turn * 0.49));
    let range = info.range.or(half).unwrap_or(ANY);
    let words: Vec<&'static str> = info.words.iter().map(|(word, _)| *word).chain(info.examples).collect();
    let moment = info.moment || matches!(field.meaning, Meaning::Time);
    match (field.meaning, form) {
        (_, WireType::Text) if moment => (1_000_000_000..4_000_000_000_i64)
            .prop_map(|s| json!(jiff::Timestamp::from_second(s).unwrap().to_string()))
            .boxed(),
        (_, WireType::List(item)) if info.length.is_some() => {
            let length = info.length.unwrap_or_default();
            proptest::collection::vec(leaf(*item, &words, range), length).prop_map(Json::Array).boxed()
        }
        (Meaning::Time, WireType::Integer) => (1..4_000_000_000_i64).prop_map(|s| json!(s)).boxed(),
        (_, form) => {
            let step = info.precision.unwrap_or_default();
            let coarse = move |json: Json| match json.as_f64() {
                Some(number) if step > 1e-3 => json!((number / step).round() * step),
                _ => json,
            };
            leaf(form, &words, range).prop_map(coarse).boxed()
        }
    }
}

fn leaf(form: WireType, words: &[&'static str], range: (f64, f64)) -> BoxedStrategy<Json> {
    let number = move || (range.0..range.1).prop_map(|it| json!((it * 1e3).round() / 1e3));
    match form {
        WireType::Number | WireType::NumberOrText => number().boxed(),
        WireType::Integer if !words.is_empty() => proptest::sample::select(words.to_vec())
            .prop_map(|word| json!(word.parse::<i64>().unwrap()))
            .boxed(),
        WireType::Integer if range == ANY => (0..1_000_000_i64).prop_map(|it| json!(it)).boxed(),
        WireType::Integer => (range.0 as i64..=range.1 as i64).prop_map(|it| json!(it)).boxed(),
        WireType::Boolean => any::<bool>().prop_map(|it| json!(it)).boxed(),
        WireType::Text if words.is_empty() => "[a-z]{1,8}".prop_map(|it| json!(it)).boxed(),
        WireType::Text => proptest::sample::select(words.to_vec()).prop_map(|it| json!(it)).boxed(),
        WireType::Object(fields) => object(fields),
        WireType::Numbers(least, _) => {
            proptest::collection::vec(number(), least).prop_map(Json::Array).boxed()
        }
        WireType::Bytes(count) => {
            let byte = if range == ANY { 0..=255 } else { range.0 as u8..=range.1 as u8 };
            proptest::collection::vec(byte.prop_map(|it| json!(it)), count).prop_map(Json::Array).boxed()
        }
        WireType::List(item) => {
            proptest::collection::vec(leaf(*item, words, range), 1..4).prop_map(Json::Array).boxed()
        }
        WireType::Any if words.is_empty() => number().boxed(),
        WireType::Any => proptest::sample::select(words.to_vec()).prop_map(|it| json!(it)).boxed(),
    }
}
