//! Values as programs disagree on them: numbers as text, one text where a list belongs, `null` where nothing is meant.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

/// Most items of a list.
const MAX_ITEMS: usize = 256;

/// A text, or a number or flag in place of one.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text_of(Value::deserialize(deserializer)?).map_err(Error::custom)
}

/// A whole number, also as text or with a point.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let whole = |float: f64| (float.is_finite() && float.abs() < 9e15).then_some(float as i64);
    let read = match &value {
        Value::Null => return Ok(None),
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok().or_else(|| whole(text.trim().parse().ok()?)),
        _ => None,
    };
    read.map(Some).ok_or_else(|| Error::custom(format_args!("{} is no number", shown(&value))))
}

/// True or false, also as text or number.
pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let read = match &value {
        Value::Null => return Ok(None),
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_i64().map(|number| number != 0),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    };
    read.map(Some).ok_or_else(|| Error::custom(format_args!("{} is neither true nor false", shown(&value))))
}

/// A list of texts, or one text.
pub(super) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let items = items_of(Value::deserialize(deserializer)?).map_err(Error::custom)?;
    let texts = items.into_iter().map(text_of).collect::<Result<Vec<_>, _>>().map_err(Error::custom)?;
    Ok(texts.into_iter().flatten().collect())
}

/// A list, or one item.
pub(super) fn list<'de, D: Deserializer<'de>, T: serde::de::DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let items = items_of(Value::deserialize(deserializer)?).map_err(Error::custom)?;
    let read = |(i, item)| serde_json::from_value(item).map_err(|error| format!("[{i}]: {error}"));
    items.into_iter().enumerate().map(read).collect::<Result<_, _>>().map_err(Error::custom)
}

fn items_of(value: Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) if items.len() > MAX_ITEMS => {
            Err(format!("{} items; {MAX_ITEMS} are read at most", items.len()))
        }
        Value::Array(items) => Ok(items.into_iter().filter(|item| !item.is_null()).collect()),
        one => Ok(vec![one]),
    }
}

fn text_of(value: Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::Bool(flag) => Ok(Some(flag.to_string())),
        other => Err(format!("{} is no text", shown(&other))),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string().chars().take(80).collect(),
    }
}
