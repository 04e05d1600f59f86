//! Lamps.

use serde::Deserialize;

use super::check;

fn height_m() -> f64 {
    2.4
}

fn level() -> f64 {
    0.5
}

fn on() -> bool {
    true
}

/// Light that comes from everywhere if a world does not say, 0..1.
pub(super) fn ambient() -> f64 {
    0.5
}

/// A lamp.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Light {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// Where it is, seen from above.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How far above the floor it is.
    #[serde(default = "height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// How much light it gives to the floor below it, 0..1 of what a sensor can tell.
    #[serde(default = "level", deserialize_with = "check::level")]
    pub level: f64,
    /// Whether it is on at the start.
    #[serde(default = "on")]
    pub on: bool,
}
