//! The floor and its holes.

use serde::Deserialize;

use super::{Color, check};

fn drop_depth_m() -> f64 {
    0.18
}

/// A patch of floor with a colour of its own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// Its corners.
    #[serde(deserialize_with = "check::polygon")]
    pub polygon_m: Vec<[f64; 2]>,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
}

/// A place without floor.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drop {
    /// Its corners.
    #[serde(deserialize_with = "check::polygon")]
    pub polygon_m: Vec<[f64; 2]>,
    /// How far down it goes.
    #[serde(default = "drop_depth_m", deserialize_with = "check::length")]
    pub depth_m: f64,
}
