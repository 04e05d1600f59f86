//! Values as programs disagree on them: numbers as text, one text where a list belongs, `null` where nothing is meant.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::Value;

/// Most items of a list.
const MAX_ITEMS: usize = 256;

/// Why an item of a list cannot be decoded.
#[derive(Debug, thiserror::Error)]
enum ItemError {
    /// It should be a text.
    #[error("{item} is no text")]
    NotText {
        /// What it is.
        item: String,
    },
    /// It does not have the fields that it should have.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// A text, or a number or flag in place of one.
pub(in crate::robotkoop) fn text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    read(value, "no text", text_of)
}

/// A whole number, also as text or with a point.
pub(in crate::robotkoop) fn number<'de, D: Deserializer<'de>>(value: D) -> Result<Option<i64>, D::Error> {
    let whole = |float: f64| (float.is_finite() && float.abs() < 9e15).then_some(float as i64);
    read(value, "no number", |value| match value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok().or_else(|| whole(text.trim().parse().ok()?)),
        _ => None,
    })
}

/// True or false, also as text or number.
pub(super) fn flag<'de, D: Deserializer<'de>>(value: D) -> Result<Option<bool>, D::Error> {
    read(value, "neither true nor false", |value| match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_i64().map(|number| number != 0),
        Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
        _ => None,
    })
}

/// A list of texts, or one text.
pub(super) fn texts<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<String>>, D::Error> {
    items(value, |item| text_of(&item).ok_or_else(|| ItemError::NotText { item: shown(&item) }))
}

/// A list, or one item.
pub(super) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    value: D,
) -> Result<Option<Vec<T>>, D::Error> {
    items(value, |item| Ok(serde_json::from_value(item)?))
}

fn read<'de, D: Deserializer<'de>, T>(
    value: D,
    problem: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(value)?;
    if value.is_null() {
        return Ok(None);
    }
    let reported = || Error::custom(format_args!("{} is {problem}", shown(&value)));
    read(&value).map(Some).ok_or_else(reported)
}

fn items<'de, D: Deserializer<'de>, T>(
    value: D,
    read: impl Fn(Value) -> Result<T, ItemError>,
) -> Result<Option<Vec<T>>, D::Error> {
    let items = match Value::deserialize(value)? {
        Value::Null => return Ok(None),
        Value::Array(items) if items.len() > MAX_ITEMS => {
            let reported = format_args!("{} items; {MAX_ITEMS} are read at most", items.len());
            return Err(Error::custom(reported));
        }
        Value::Array(items) => items,
        one => vec![one],
    };
    let items = items.into_iter().filter(|item| !item.is_null()).enumerate();
    let read =
        items.map(|(i, item)| read(item).map_err(|error| Error::custom(format_args!("[{i}]: {error}"))));
    read.collect::<Result<_, _>>().map(Some)
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string().chars().take(80).collect(),
    }
}
