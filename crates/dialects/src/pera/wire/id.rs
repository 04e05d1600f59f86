//! A robot's number: `3`, `"3"`, `3.0`, and where a bare one is meant `{"id": 3}` as well.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::number::from_text;
use super::text::cut;
use crate::pera::roster::SwarmId;

/// Reads a number of a robot.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SwarmId, D::Error> {
    deserializer.deserialize_any(AnyId { bare: false })
}

/// A number that is the whole message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BareId(pub(super) SwarmId);

impl<'de> Deserialize<'de> for BareId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyId { bare: true }).map(Self)
    }
}

struct Id(SwarmId);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer).map(Self)
    }
}

struct AnyId {
    bare: bool,
}

impl<'de> Visitor<'de> for AnyId {
    type Value = SwarmId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a robot's number from 0 to {}", SwarmId::MAX)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<SwarmId, E> {
        let wrong = || E::invalid_value(serde::de::Unexpected::Unsigned(number), &self);
        number.try_into().map_err(|_| wrong())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<SwarmId, E> {
        let wrong = || E::invalid_value(serde::de::Unexpected::Signed(number), &self);
        number.try_into().map_err(|_| wrong())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<SwarmId, E> {
        if number.fract() == 0.0 && (0.0..=f64::from(SwarmId::MAX)).contains(&number) {
            return Ok(number as SwarmId);
        }
        Err(E::invalid_value(serde::de::Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SwarmId, E> {
        match from_text(text) {
            Some(number) => self.visit_f64(number),
            None => Err(E::custom(format_args!("{:?} is no robot's number", cut(text)))),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<SwarmId, A::Error> {
        if !self.bare {
            return Err(A::Error::custom("there must be a robot's number, not an object"));
        }
        let mut found = None;
        while let Some(key) = fields.next_key::<String>()? {
            if key == "id" {
                found = Some(fields.next_value::<Id>()?.0);
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        found.ok_or_else(|| A::Error::missing_field("id"))
    }
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
