//! The model's schemaless values as JSON and back.

use bytes::Bytes;
use latimer_core::Value;
use serde_json::{Number, Value as Json};

/// A value as JSON, keys in their order; what is not finite becomes `null`, bytes are counted: `<1234 bytes>`.
pub fn json_from_value(value: &Value) -> Json {
    json_from_value_with(value, &|bytes| Value::Bytes(bytes.clone()).to_string().into())
}

/// The same, with bytes as they are wanted.
pub fn json_from_value_with(value: &Value, bytes: &dyn Fn(&Bytes) -> Json) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => (*flag).into(),
        Value::Int(int) => (*int).into(),
        Value::Float(float) => Number::from_f64(*float).map_or(Json::Null, Json::Number),
        Value::Text(text) => text.as_ref().into(),
        Value::Bytes(data) => bytes(data),
        Value::List(items) => items.iter().map(|item| json_from_value_with(item, bytes)).collect(),
        Value::Map(fields) => fields
            .iter()
            .map(|(name, value)| (name.to_string(), json_from_value_with(value, bytes)))
            .collect(),
    }
}

/// JSON as a value; whole numbers beyond 64 bits become floats.
pub fn value_from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => number.as_f64().map_or(Value::Null, Value::Float),
        },
        Json::String(text) => Value::Text(text.clone().into()),
        Json::Array(items) => Value::List(items.iter().map(value_from_json).collect()),
        Json::Object(fields) => Value::Map(
            fields.iter().map(|(name, value)| (name.clone().into(), value_from_json(value))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_the_order_of_keys_come_back() {
        let text = r#"{"z":1,"a":[null,true,-0.5,"null"],"m":{"b":{},"a":9223372036854775807}}"#;
        let json: Json = serde_json::from_str(text).unwrap();
        assert_eq!(json_from_value(&value_from_json(&json)).to_string(), text);
        assert_eq!(value_from_json(&Json::from(u64::MAX)), Value::Float(18_446_744_073_709_551_615.0));
        assert_eq!(json_from_value(&Value::Float(f64::NAN)), Json::Null);
    }
}
