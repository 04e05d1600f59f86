//! A robot's number: `3`, `"3"`, `3.0`, and where a bare one is meant `{"id": 3}` as well.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::DecodeError;
use super::message::MAX_BYTES_OF_ONE;
use super::number::from_text;
use super::text::cut;
use crate::pera::roster::SwarmId;

/// Reads a number of a robot.
pub(in crate::pera) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SwarmId>, D::Error> {
    id_of(&Value::deserialize(deserializer)?).map(Some).map_err(Error::custom)
}

/// A number that is the whole message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BareId(pub(super) SwarmId);

impl<'de> Deserialize<'de> for BareId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = match Value::deserialize(deserializer)? {
            Value::Object(fields) => id_of(fields.get("id").ok_or_else(|| D::Error::missing_field("id"))?),
            bare => id_of(&bare),
        };
        id.map(Self).map_err(Error::custom)
    }
}

/// The robot that sent a message which cannot be read, if it names one.
pub(in crate::pera) fn id_of_sender(payload: &[u8]) -> Option<SwarmId> {
    let is_short = payload.len() <= MAX_BYTES_OF_ONE;
    let value: Value = is_short.then(|| serde_json::from_slice(payload).ok())??;
    id_of(value.get("id")?).ok()
}

fn id_of(value: &Value) -> Result<SwarmId, DecodeError> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => from_text(text),
        _ => None,
    };
    let is_id = |number: &f64| number.fract() == 0.0 && (0.0..=f64::from(SwarmId::MAX)).contains(number);
    let not_an_id = || DecodeError::NotAnId { value: cut(&value.to_string()) };
    number.filter(is_id).map(|number| number as SwarmId).ok_or_else(not_an_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_in_many_forms() {
        let read = |text| serde_json::from_str::<BareId>(text).ok().map(|it| it.0);
        for text in ["3", "\"3\"", "3.0", "{\"id\":3}", "{\"x\":[1],\"id\":\"3\"}", "\" 3 \""] {
            assert_eq!(read(text), Some(3), "{text}");
        }
        for text in ["-1", "3.5", "\"\"", "\"all\"", "null", "{}", "{\"id\":{\"id\":3}}", "5000000000", "[3]"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
