//! Numbers that are written in more than one form.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::describe::lenient::{Lenient, whole};
use crate::describe::{HasWireType, WireType};

/// The word for a number that is none.
const NAN: &str = "nan";

/// A moment since 1970, in seconds or milliseconds; written without a point if it is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment(pub f64);

impl HasWireType for Moment {
    const WIRE_TYPE: WireType = WireType::Number;
}

impl Lenient for Moment {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Ok(f64::read(deserializer)?.map(Self))
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match whole(self.0) {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(self.0),
        }
    }
}

/// A number, or the text `nan` for one that nobody measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measured {
    /// The number.
    Number(f64),
    /// None.
    Nan,
}

impl Measured {
    /// The number, if there is one.
    pub const fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Nan => None,
        }
    }
}

impl HasWireType for Measured {
    const WIRE_TYPE: WireType = WireType::NumberOrText;
}

impl Lenient for Measured {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Ok(Some(f64::read(deserializer)?.map_or(Self::Nan, Self::Number)))
    }
}

impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Nan => serializer.serialize_str(NAN),
        }
    }
}

/// A number that the specification writes as text, and the vendor's own client takes as a number.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Score {
    /// As a number.
    Number(f64),
    /// As text.
    Text(String),
}

impl Score {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        }
    }
}

impl HasWireType for Score {
    const WIRE_TYPE: WireType = WireType::NumberOrText;
}

impl Lenient for Score {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Option::deserialize(deserializer)
    }
}
