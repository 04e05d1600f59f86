//! Data without a schema, as skills attach it: JSON values and those of the model.

use std::borrow::Cow;

use latimer_core::Value;
use serde_json::{Number, Value as Json};

/// A value of the model; keys keep their order.
pub fn value_from_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(int) => Value::Int(int),
            None => number.as_f64().map_or(Value::Null, Value::Float),
        },
        Json::String(text) => Value::Text(Cow::Owned(text.clone())),
        Json::Array(items) => Value::List(items.iter().map(value_from_json).collect()),
        Json::Object(fields) => Value::Map(
            fields.iter().map(|(key, value)| (Cow::Owned(key.clone()), value_from_json(value))).collect(),
        ),
    }
}

/// JSON from a value of the model; what is no number becomes `null`.
pub fn json_from_value(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(int) => Json::Number((*int).into()),
        Value::Float(float) => Number::from_f64(*float).map_or(Json::Null, Json::Number),
        Value::Text(text) => Json::String(text.to_string()),
        Value::Bytes(_) => Json::String(value.to_string()),
        Value::List(items) => Json::Array(items.iter().map(json_from_value).collect()),
        Value::Map(fields) => Json::Object(
            fields.iter().map(|(key, value)| (key.to_string(), json_from_value(value))).collect(),
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
