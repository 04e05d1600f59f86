//! Measuring now, and how cameras deliver.

use latimer_core::model::{
    CameraSettings, PartName, Realities as ModelRealities, SenseRequest, Sensing as ModelSensing,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::field::{InvalidField, finite, positive};

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
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sense {
    /// What to measure.
    pub what: Sensing,
    /// The directions, each counter-clockwise from ahead, for `proximity`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bearings_rad: Vec<f64>,
    /// Which things count.
    #[serde(default)]
    pub reality: Reality,
}

impl TryFrom<Sense> for SenseRequest {
    type Error = InvalidField;

    fn try_from(sense: Sense) -> Result<Self, InvalidField> {
        let Sense { what, bearings_rad, reality } = sense;
        let what = match what {
            Sensing::Proximity if bearings_rad.is_empty() => {
                return Err(InvalidField::new("bearings_rad", "is empty", "write such as [0.0, 0.5, -0.5]"));
            }
            Sensing::Proximity => {
                let bearings = bearings_rad.into_iter().map(|given| finite("bearings_rad", given));
                ModelSensing::Proximity { bearings_rad: bearings.collect::<Result<_, _>>()? }
            }
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
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Which camera; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Width and height, pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 2, max_items = 2)]
    pub size: Option<[u32; 2]>,
    /// Pictures a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_hz: Option<f64>,
}

impl TryFrom<Camera> for CameraSettings {
    type Error = InvalidField;

    fn try_from(camera: Camera) -> Result<Self, InvalidField> {
        let Camera { part, size, rate_hz } = camera;
        if size.is_some_and(|sides| sides.contains(&0)) {
            return Err(InvalidField::new("size", "has a side of 0", "write pixels, such as [320, 240]"));
        }
        Ok(Self {
            part: part.as_deref().map(PartName::of),
            size,
            rate_hz: rate_hz.map(|given| positive("rate_hz", given)).transpose()?,
        })
    }
}
