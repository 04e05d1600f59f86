//! Doors that slide.

use serde::Deserialize;

use super::{Color, check};

/// Painted wood.
const PAINT: Color = Color([0xb8, 0x86, 0x4b]);

fn thickness_m() -> f64 {
    0.05
}

fn sense_m() -> f64 {
    1.2
}

fn hold_s() -> f64 {
    3.0
}

fn open_s() -> f64 {
    1.5
}

fn paint() -> Color {
    PAINT
}

/// What moves a door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DoorMode {
    /// Opens for anything that comes near and closes behind it.
    #[default]
    Auto,
    /// Moves on command only.
    Manual,
}

/// A door that slides along its own line, past the first of its points.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Door {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// The address of the radio that tells it to open, if it has one.
    #[serde(default, deserialize_with = "check::name")]
    pub mac: Option<String>,
    /// The two ends of the opening.
    #[serde(deserialize_with = "check::ends")]
    pub points_m: [[f64; 2]; 2],
    /// How thick it is.
    #[serde(default = "thickness_m", deserialize_with = "check::length")]
    pub thickness_m: f64,
    /// Its colour.
    #[serde(default = "paint")]
    pub color: Color,
    /// What moves it.
    #[serde(default)]
    pub mode: DoorMode,
    /// How near a person or robot must come before an automatic door opens.
    #[serde(default = "sense_m", deserialize_with = "check::length")]
    pub sense_m: f64,
    /// How long an automatic door stays open after the last has left.
    #[serde(default = "hold_s", deserialize_with = "check::pause")]
    pub hold_s: f64,
    /// How long it takes to slide from shut to open.
    #[serde(default = "open_s", deserialize_with = "check::lapse")]
    pub open_s: f64,
    /// Whether an automatic door waits for a command before it opens.
    #[serde(default)]
    pub locked: bool,
    /// How long after a robot called it a lift's door opens.
    #[serde(skip)]
    pub call_s: f64,
}

impl Door {
    /// Width of the opening, metres.
    pub fn length_m(&self) -> f64 {
        let [[x1, y1], [x2, y2]] = self.points_m;
        (x2 - x1).hypot(y2 - y1)
    }
}
