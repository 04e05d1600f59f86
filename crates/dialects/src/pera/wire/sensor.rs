//! `sensor/*`: "Distance Sensor", "Color Sensor", "Proximity Sensor" and "Compass Sensor" of the specification.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use super::number::{self, Number};
use super::reality::{self, Reality};
use super::{id, list, text};
use crate::pera::roster::SwarmId;

/// Most directions of one request.
const MAX_ANGLES: usize = 720;

/// `sensor/distance`: a robot asks, and may tell what it measured itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DistanceRequest {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// Its own reading, centimetres.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub dist: Option<Number>,
    /// What counts.
    #[serde(default, deserialize_with = "reality::optional", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
}

/// `sensor/color`: the same for colours; each is 0..255.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the specification's words")]
pub struct ColorRequest {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// Red, as it measured.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub R: Option<Number>,
    /// Green.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub G: Option<Number>,
    /// Blue.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub B: Option<Number>,
    /// Light around it.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub ambient: Option<Number>,
    /// What counts.
    #[serde(default, deserialize_with = "reality::optional", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
}

/// `sensor/proximity`: a robot asks in several directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProximityRequest {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// Degrees from ahead, clockwise: -90 is its left.
    #[serde(default, deserialize_with = "angles", skip_serializing_if = "Option::is_none")]
    pub angles: Option<Vec<Number>>,
    /// What counts.
    #[serde(default, deserialize_with = "reality::optional", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
}

/// `sensor/compass/`: what a robot's compass shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compass {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// Degrees.
    pub compass: Number,
}

fn angles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Number>>, D::Error> {
    #[derive(Deserialize)]
    struct Angles(#[serde(deserialize_with = "list::read")] Vec<Number>);
    let Some(Angles(angles)) = Option::deserialize(deserializer)? else { return Ok(None) };
    if angles.len() > MAX_ANGLES {
        let problem = format_args!("{} angles are too many, the most is {MAX_ANGLES}", angles.len());
        return Err(serde::de::Error::custom(problem));
    }
    Ok(Some(angles))
}

/// `sensor/distance/{id}`: `{distance}`, centimetres; infinite if nothing is in view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceReply(pub f64);

impl DistanceReply {
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        match text.trim() {
            "Infinity" => Ok(Self(f64::INFINITY)),
            word => text::one(word).map(Self),
        }
    }
}

impl fmt::Display for DistanceReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Number(self.0).fmt(f)
    }
}

/// `sensor/color/{id}`: `{R} {G} {B} {ambient}`, each 0..255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case, reason = "the specification's words")]
pub struct ColorReply {
    /// Red.
    pub R: u8,
    /// Green.
    pub G: u8,
    /// Blue.
    pub B: u8,
    /// Light around.
    pub ambient: u8,
}

impl ColorReply {
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        // A number beyond its range is cut off by the conversion.
        let [r, g, b, ambient] = text::numbers(text)?.map(|number: f64| number.round() as u8);
        Ok(Self { R: r, G: g, B: b, ambient })
    }
}

impl fmt::Display for ColorReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.R, self.G, self.B, self.ambient)
    }
}

/// `sensor/proximity/{id}`: all distances, then all colours.
#[derive(Clone, Debug, PartialEq)]
pub struct ProximityReply {
    /// Centimetres, one for each angle.
    pub distances: Vec<f64>,
    /// `#404040`, one for each angle.
    pub colors: Vec<String>,
}

impl ProximityReply {
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().take(2 * MAX_ANGLES + 1).collect();
        if words.len() % 2 == 1 || words.len() > 2 * MAX_ANGLES {
            return Err("there must be as many colours as distances, and not too many".to_owned());
        }
        let (distances, colors) = words.split_at(words.len() / 2);
        let distances = distances.iter().map(|word| Ok(DistanceReply::from_text(word)?.0));
        let distances = distances.collect::<Result<_, String>>()?;
        Ok(Self { distances, colors: colors.iter().map(|word| (*word).to_owned()).collect() })
    }
}

/// Without any angle it is a single space, as the reference has it.
impl fmt::Display for ProximityReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, distance) in self.distances.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}", Number(*distance))?;
        }
        f.write_str(" ")?;
        f.write_str(&self.colors.join(" "))
    }
}
