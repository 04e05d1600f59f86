//! `localization/*`: where robots are.

use std::fmt;

use latimer_core::model::signal::{Frame, Pose};

use super::management::Coordinates;
use crate::pera::wire::{DecodeError, Number, text};

/// The middle of the arena, in whose frame poses are.
pub(super) const ORIGIN: Pose =
    Pose { frame: Frame::Map, x_m: 0.0, y_m: 0.0, z_m: 0.0, roll_rad: 0.0, pitch_rad: 0.0, yaw_rad: 0.0 };

/// `localization/{id}`: `{x} {y} {heading}`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Localization {
    /// Centimetres.
    pub x: f64,
    /// Centimetres.
    pub y: f64,
    /// Degrees, counter-clockwise from +x.
    pub heading: f64,
}

impl Localization {
    pub(in crate::pera) fn from_text(text: &str) -> Result<Self, DecodeError> {
        let [x, y, heading] = text::numbers(text)?;
        Ok(Self { x, y, heading })
    }
}

impl fmt::Display for Localization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", Number(self.x), Number(self.y), Number(self.heading))
    }
}

/// The same as JSON has it.
impl From<Localization> for Coordinates {
    fn from(Localization { x, y, heading }: Localization) -> Self {
        Self { x: Number(x), y: Number(y), heading: Number(heading) }
    }
}
