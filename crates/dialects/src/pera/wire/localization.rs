//! `localization/*`: where robots are.

use std::fmt;

use serde::Serialize;

use super::number::Number;
use super::reality::Reality;
use super::robot::Coordinate;
use super::text;
use crate::pera::roster::SwarmId;

/// `localization/{id}`: `{x} {y} {heading}`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Centimetres.
    pub x: f64,
    /// Centimetres.
    pub y: f64,
    /// Degrees, counter-clockwise from +x.
    pub heading: f64,
}

impl Place {
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        let [x, y, heading] = text::numbers(text)?;
        Ok(Self { x, y, heading })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", Number(self.x), Number(self.y), Number(self.heading))
    }
}

/// An item of `localization/data`: the same as elsewhere, but with the number as a text.
#[derive(Serialize)]
pub(super) struct DataItem {
    #[serde(serialize_with = "text::id")]
    id: SwarmId,
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reality: Option<Reality>,
}

impl From<&Coordinate> for DataItem {
    fn from(of: &Coordinate) -> Self {
        let Coordinate { id, x, y, heading, reality } = *of;
        Self { id, x, y, heading, reality }
    }
}
