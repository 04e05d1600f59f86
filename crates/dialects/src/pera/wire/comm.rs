//! `comm/*` and `output/*`: what robots say to each other, and the colour of their lamps.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::number::{self, Number};
use super::{id, text};
use crate::pera::roster::SwarmId;

/// `comm/out/simple`, `comm/out/direct`: a robot says something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommOut {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// What.
    #[serde(deserialize_with = "text::read")]
    pub msg: String,
    /// How far it is heard, centimetres.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub dist: Option<Number>,
}

/// `output/neopixel`: the colour of a robot's lamp, each 0..255.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the documents' words")]
pub struct Neopixel {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// Red.
    pub R: Number,
    /// Green.
    pub G: Number,
    /// Blue.
    pub B: Number,
}

/// `output/neopixel/{id}`: `R G B`, the colour that it shall have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case, reason = "the documents' words")]
pub struct NeopixelOrder {
    /// Red.
    pub R: u8,
    /// Green.
    pub G: u8,
    /// Blue.
    pub B: u8,
}

impl NeopixelOrder {
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        let [r, g, b] = text::numbers(text)?.map(|number: f64| number.round() as u8);
        Ok(Self { R: r, G: g, B: b })
    }
}

impl fmt::Display for NeopixelOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.R, self.G, self.B)
    }
}
