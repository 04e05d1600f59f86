//! What lives in a world besides robots: people who walk, sounds that start and end.

use serde::Deserialize;

use super::{Color, check};

/// Jeans and pullover.
const CLOTHES: Color = Color([0x4a, 0x6f, 0xa5]);

fn clothes() -> Color {
    CLOTHES
}

fn height_m() -> f64 {
    1.7
}

fn radius_m() -> f64 {
    0.2
}

fn speed_mps() -> f64 {
    0.6
}

fn loudness() -> f64 {
    0.7
}

/// A person who walks along points, from the last one back to the first, and waits for robots.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// The name; the face of a person without a name is unknown to robots.
    #[serde(default)]
    pub name: Option<String>,
    /// Where the walk begins.
    #[serde(deserialize_with = "check::point")]
    pub start_m: [f64; 2],
    /// Points to walk to, in a straight line each; a person without any stands.
    #[serde(default, deserialize_with = "check::walk")]
    pub walk_m: Vec<[f64; 2]>,
    /// How fast.
    #[serde(default = "speed_mps", deserialize_with = "check::speed")]
    pub speed_mps: f64,
    /// How long to stay at each point.
    #[serde(default, deserialize_with = "check::pause")]
    pub pause_s: f64,
    /// How tall.
    #[serde(default = "height_m", deserialize_with = "check::height")]
    pub height_m: f64,
    /// How wide: radius of what robots meet.
    #[serde(default = "radius_m", deserialize_with = "check::girth")]
    pub radius_m: f64,
    /// Colour of the clothes.
    #[serde(default = "clothes")]
    pub color: Color,
}

/// What a sound is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SoundKind {
    /// A person speaks.
    Voice,
    /// Anything else.
    Noise,
}

/// Something that sounds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sound {
    /// A voice or a noise.
    pub kind: SoundKind,
    /// Where it comes from.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How loud it is at a metre or nearer, 0..1; twice as far away it is half of that.
    #[serde(default = "loudness", deserialize_with = "check::level")]
    pub level: f64,
    /// Seconds on, off, on, off and so on, then again from the start; always on if empty.
    #[serde(default, deserialize_with = "check::pattern")]
    pub pattern_s: Vec<f64>,
}
