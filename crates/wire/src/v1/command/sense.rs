//! Measuring now, and how cameras deliver.

use clap::Args;
use latimer_core::model::{
    CameraSettings, PartName, Realities as ModelRealities, SenseRequest, Sensing as ModelSensing,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::field::InvalidField;
use super::super::quantity::{NonNegative, QuantityError, Radians, checked, pixels};
use super::super::word::word;

/// Which things count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub enum Reality {
    /// Those that are in the room.
    #[serde(rename = "R", alias = "real")]
    Real,
    /// Those that are in the simulation only.
    #[default]
    #[serde(rename = "V", alias = "virtual")]
    Virtual,
    /// Both.
    #[serde(rename = "M", alias = "mixed")]
    Mixed,
}

impl From<Reality> for ModelRealities {
    fn from(reality: Reality) -> Self {
        match reality {
            Reality::Real => Self::Real,
            Reality::Virtual => Self::Virtual,
            Reality::Mixed => Self::Mixed,
        }
    }
}

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sensing {
    /// The distance ahead.
    Distance,
    /// The colour ahead.
    Color,
    /// The heading.
    Compass,
    /// Distance and colour in some directions.
    Proximity,
}

/// A measurement to be made now.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub struct Sense {
    /// What to measure: distance, color, compass or proximity.
    #[arg(value_parser = word::<Sensing>)]
    pub what: Sensing,
    /// The directions for proximity, each counter-clockwise from ahead, e.g. 0,30deg,-30deg.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    // By its whole path, clap takes the list for one value, so that `--reality` may follow `-30deg,30deg`.
    #[arg(allow_hyphen_values = true, value_parser = bearings, default_value = "", hide_default_value = true)]
    pub bearings_rad: std::vec::Vec<Radians>,
    /// Which things count: R, real; V, virtual; M, mixed.
    #[serde(default)]
    #[arg(long, value_name = "R|V|M", value_parser = word::<Reality>, default_value = "V")]
    pub reality: Reality,
}

/// Angles with commas between them; none in an empty text.
fn bearings(text: &str) -> Result<Vec<Radians>, QuantityError> {
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(str::parse).collect() }
}

impl TryFrom<Sense> for SenseRequest {
    type Error = InvalidField;

    fn try_from(sense: Sense) -> Result<Self, InvalidField> {
        let Sense { what, bearings_rad, reality } = sense;
        let what = match what {
            Sensing::Proximity if bearings_rad.is_empty() => {
                return Err(InvalidField::new("bearings_rad", "is empty", "write such as [0.0, 0.5, -0.5]"));
            }
            Sensing::Proximity => ModelSensing::Proximity { bearings_rad: checked!(bearings_rad) },
            _ if !bearings_rad.is_empty() => {
                let problem = "is for `proximity` only";
                return Err(InvalidField::new(
                    "bearings_rad",
                    problem,
                    "leave it out, or measure `proximity`",
                ));
            }
            Sensing::Distance => ModelSensing::Distance,
            Sensing::Color => ModelSensing::Color,
            Sensing::Compass => ModelSensing::Compass,
        };
        Ok(Self { what, realities: reality.into() })
    }
}

/// How a camera delivers; what is not given stays.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize, Args)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Which camera; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[arg(long)]
    pub part: Option<String>,
    /// Width and height in pixels, e.g. 320x240.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[arg(long, value_name = "WxH", value_parser = pixels)]
    #[schema(min_items = 2, max_items = 2)]
    pub size: Option<[u32; 2]>,
    /// Pictures a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[arg(long = "rate", value_name = "HZ")]
    pub rate_hz: Option<NonNegative>,
}

impl TryFrom<Camera> for CameraSettings {
    type Error = InvalidField;

    fn try_from(camera: Camera) -> Result<Self, InvalidField> {
        let Camera { part, size, rate_hz } = camera;
        if size.is_some_and(|sides| sides.contains(&0)) {
            return Err(InvalidField::new("size", "has a side of 0", "write pixels, such as [320, 240]"));
        }
        Ok(Self { part: part.as_deref().map(PartName::of), size, rate_hz: checked!(rate_hz) })
    }
}
