//! Numbers: read from numbers and from texts that spell one, written as JavaScript writes them.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Largest magnitude up to which every whole `f64` is exact: 2⁵³.
const EXACT: f64 = 9_007_199_254_740_992.0;

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

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = deserializer.deserialize_any(AnyNumber)?;
        found.map(Self).ok_or_else(|| D::Error::custom("there must be a number"))
    }
}

/// A number if there is one: null, empty text and what is no number at all count as not given.
pub(super) fn optional<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Number>, D::Error> {
    Ok(deserializer.deserialize_any(AnyNumber)?.map(Number))
}

/// The number that a text spells, if it is finite.
pub(super) fn from_text(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

struct AnyNumber;

impl<'de> Visitor<'de> for AnyNumber {
    type Value = Option<f64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Some(number).filter(|number| number.is_finite()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Some(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Some(number as f64))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(from_text(text))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
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
