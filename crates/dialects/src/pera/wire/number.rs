//! Numbers: read from numbers and from texts that spell one, written as JavaScript writes them.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::describe::lenient::{EXACT, Lenient};
use crate::describe::{HasWireType, WireType};

/// A finite number; written without a point if it is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Number(pub f64);

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        Self(number)
    }
}

/// As JavaScript prints it: `74`, `12.345`, `Infinity`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            infinite if infinite == f64::INFINITY => f.write_str("Infinity"),
            infinite if infinite == f64::NEG_INFINITY => f.write_str("-Infinity"),
            // Minus zero is written as zero.
            number => write!(f, "{}", number + 0.0),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            whole if whole.fract() == 0.0 && whole.abs() <= EXACT => serializer.serialize_i64(whole as i64),
            float => serializer.serialize_f64(float),
        }
    }
}

/// A number if there is one: null, empty text and what is no number at all count as not given.
impl Lenient for Number {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        let number = match Value::deserialize(deserializer)? {
            Value::Number(number) => number.as_f64().filter(|number| number.is_finite()),
            Value::String(text) => from_text(&text),
            _ => None,
        };
        Ok(number.map(Self))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)?.ok_or_else(|| D::Error::custom("there must be a number"))
    }
}

impl HasWireType for Number {
    const WIRE_TYPE: WireType = WireType::Number;
}

/// The number that a text spells, if it is finite.
pub(super) fn from_text(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_as_javascript_does() {
        for (number, text) in [
            (200.0, "200"),
            (12.345, "12.345"),
            (-7.891, "-7.891"),
            (-0.0, "0"),
            (1e20, "100000000000000000000"),
        ] {
            assert_eq!(Number(number).to_string(), text);
        }
        assert_eq!(Number(f64::INFINITY).to_string(), "Infinity");
        assert_eq!(serde_json::to_string(&[Number(9.0), Number(0.5)]).unwrap(), "[9,0.5]");
    }

    #[test]
    fn is_read_from_texts_too() {
        let read = |text| serde_json::from_str::<Number>(text).ok().map(|it| it.0);
        assert_eq!(read("\"12\""), Some(12.0));
        assert_eq!(read("12.5"), Some(12.5));
        for text in ["\"\"", "\"NaN\"", "null", "[1]", "{\"a\":1}", "true", "\"Infinity\""] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
