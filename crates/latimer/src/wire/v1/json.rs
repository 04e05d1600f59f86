//! The model's schemaless values as JSON and back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use latimer_core::Value;
use serde_json::{Map, Number};
use utoipa::ToSchema;

/// How pictures, sound and files are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum BytesForm {
    /// How many there are: `<1234 bytes>`.
    #[default]
    Count,
    /// The bytes as Base64.
    Base64,
}

/// A value as JSON; what is not finite becomes `null`, bytes are counted.
pub fn json_from_value(value: &Value) -> serde_json::Value {
    json_from_value_with(value, BytesForm::Count)
}

/// A value as JSON; what is not finite becomes `null`.
pub fn json_from_value_with(value: &Value, form: BytesForm) -> serde_json::Value {
    let inner = |value| json_from_value_with(value, form);
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(bool) => (*bool).into(),
        Value::Int(int) => (*int).into(),
        Value::Float(float) => Number::from_f64(*float).map_or(serde_json::Value::Null, Into::into),
        Value::Text(text) => text.as_ref().into(),
        Value::Bytes(bytes) => match form {
            BytesForm::Count => value.to_string().into(),
            BytesForm::Base64 => STANDARD.encode(bytes).into(),
        },
        Value::List(items) => items.iter().map(inner).collect(),
        Value::Map(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.to_string(), inner(value)));
            serde_json::Value::Object(Map::from_iter(fields))
        }
    }
}

/// JSON as a value; whole numbers beyond 64 bits become floats.
pub fn value_from_json(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(bool) => Value::Bool(bool),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => number.as_f64().map_or(Value::Null, Value::Float),
        },
        serde_json::Value::String(text) => Value::Text(text.into()),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(value_from_json).collect()),
        serde_json::Value::Object(fields) => Value::Map(
            fields.into_iter().map(|(name, value)| (name.into(), value_from_json(value))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let json = serde_json::json!({"b": [1, 2.5, null, true, "x"], "a": {"deep": -3}});
        let value = value_from_json(json.clone());
        assert_eq!(json_from_value(&value), json);
        assert_eq!(json_from_value(&Value::Float(f64::NAN)), serde_json::Value::Null);
    }

    #[test]
    fn bytes_are_counted_or_written() {
        let picture = Value::Map(vec![("data".into(), Value::Bytes(bytes::Bytes::from_static(b"abc")))]);
        assert_eq!(json_from_value(&picture), serde_json::json!({"data": "<3 bytes>"}));
        let written = json_from_value_with(&picture, BytesForm::Base64);
        assert_eq!(written, serde_json::json!({"data": "YWJj"}));
    }
}
