//! Points and poses inside of messages.

use serde::ser::SerializeSeq;
use serde::{Deserializer, Serialize, Serializer};

use crate::describe::lenient::Lenient;
use crate::describe::{HasWireType, WireType};

/// Most numbers of a point.
const MAX_NUMBERS: usize = 4;

/// `[x, y]`, `[x, y, z]`, `[x, y, heading]` or `[x, y, z, probability]`, metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// East of the map's origin.
    pub x: f64,
    /// North of the map's origin.
    pub y: f64,
    /// Height or heading, as the topic has it.
    pub third: Option<f64>,
    /// How sure it is.
    pub fourth: Option<f64>,
}

impl Point {
    /// A point of two numbers.
    pub const fn flat([x, y]: [f64; 2]) -> Self {
        Self { x, y, third: None, fourth: None }
    }

    /// A point of three numbers.
    pub const fn with(x: f64, y: f64, third: f64) -> Self {
        Self { x, y, third: Some(third), fourth: None }
    }

    /// Its first two numbers.
    pub const fn xy(&self) -> [f64; 2] {
        [self.x, self.y]
    }
}

impl HasWireType for Point {
    const WIRE_TYPE: WireType = WireType::Numbers(2, MAX_NUMBERS);
}

impl Lenient for Point {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        let Some(numbers) = Vec::<f64>::read(deserializer)? else { return Ok(None) };
        match numbers[..] {
            [x, y, ref rest @ ..] if numbers.len() <= MAX_NUMBERS => {
                Ok(Some(Self { x, y, third: rest.first().copied(), fourth: rest.get(1).copied() }))
            }
            _ => Err(serde::de::Error::custom(format_args!(
                "a point has 2 to {MAX_NUMBERS} numbers, this one has {}",
                numbers.len()
            ))),
        }
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { x, y, third, fourth } = self;
        let mut numbers = serializer.serialize_seq(None)?;
        numbers.serialize_element(x)?;
        numbers.serialize_element(y)?;
        third.iter().try_for_each(|third| numbers.serialize_element(third))?;
        fourth.iter().filter(|_| third.is_some()).try_for_each(|fourth| numbers.serialize_element(fourth))?;
        numbers.end()
    }
}
