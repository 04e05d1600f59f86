//! Walls and furniture: what stands about and can be bumped into.

use serde::Deserialize;

use super::{Color, Reality, check};
use crate::geometry::Pose2;

fn wall_thickness_m() -> f64 {
    0.1
}

fn wall_height_m() -> f64 {
    2.5
}

fn thing_height_m() -> f64 {
    0.75
}

fn box_mass_kg() -> f64 {
    2.0
}

/// A wall along a line of points.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Its corners.
    #[serde(deserialize_with = "check::line")]
    pub points_m: Vec<[f64; 2]>,
    /// How thick it is.
    #[serde(default = "wall_thickness_m", deserialize_with = "check::length")]
    pub thickness_m: f64,
    /// How tall it is.
    #[serde(default = "wall_height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given, 0.95 and more is a mirror.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
    /// Whether it is real or virtual.
    #[serde(default)]
    pub reality: Reality,
}

/// A thing with a rectangular footprint.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Box2 {
    /// What it is called, so that it can be moved while the world runs.
    #[serde(default, deserialize_with = "check::name")]
    pub name: Option<String>,
    /// What it is called on pages, if it has no name.
    #[serde(default, deserialize_with = "check::name")]
    pub label: Option<String>,
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub center_m: [f64; 2],
    /// Its length and width.
    #[serde(deserialize_with = "check::size")]
    pub size_m: [f64; 2],
    /// How it is turned.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// How tall it is.
    #[serde(default = "thing_height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given, 0.95 and more is a mirror.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
    /// Whether it is real or virtual.
    #[serde(default)]
    pub reality: Reality,
    /// Whether robots can push it.
    #[serde(default)]
    pub movable: bool,
    /// What it weighs, if it can be pushed.
    #[serde(default = "box_mass_kg", deserialize_with = "check::mass")]
    pub mass_kg: f64,
}

impl Box2 {
    /// Where its middle is and how it is turned, at the start.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.center_m[0], self.center_m[1], self.yaw_deg.to_radians())
    }
}

/// A thing with a round footprint.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// What it is called, so that it can be moved while the world runs.
    #[serde(default, deserialize_with = "check::name")]
    pub name: Option<String>,
    /// What it is called on pages, if it has no name.
    #[serde(default, deserialize_with = "check::name")]
    pub label: Option<String>,
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub center_m: [f64; 2],
    /// Its radius.
    #[serde(deserialize_with = "check::length")]
    pub radius_m: f64,
    /// How tall it is.
    #[serde(default = "thing_height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given, 0.95 and more is a mirror.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
    /// Whether it is real or virtual.
    #[serde(default)]
    pub reality: Reality,
}
