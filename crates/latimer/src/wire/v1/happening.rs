//! What can be made to happen in the simulated world, e.g. `{"happening": "door", "name": "front", "open": true}`.

use clap::{ArgAction, Subcommand};
use latimer_core::model::Realities;
use latimer_simulator_api::{Happening as ModelHappening, ObstacleShape};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Reality;
use super::field::{InvalidField, not_blank};
use super::quantity::{Number, Positive, Radians, checked};
use super::word::{on, open};

/// The colour of a thing, by default.
const GREY: &str = "#999999";

/// A colour, `#rrggbb`.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rgb(pub String);

impl Default for Rgb {
    fn default() -> Self {
        Self(GREY.to_owned())
    }
}

impl TryFrom<Rgb> for [u8; 3] {
    type Error = InvalidField;

    fn try_from(Rgb(given): Rgb) -> Result<Self, InvalidField> {
        let digits = given.strip_prefix('#').filter(|digits| digits.len() == 6);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(number) => {
                let [_, red, green, blue] = number.to_be_bytes();
                Ok([red, green, blue])
            }
            None => Err(InvalidField::new("color", format!("is {given:?}"), "write such as \"#ff8800\"")),
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxSize {
    /// Along its own x.
    pub length_m: Positive,
    /// Along its own y.
    pub width_m: Positive,
}

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CylinderSize {
    /// Its radius.
    pub radius_m: Positive,
}

const fn real() -> Reality {
    Reality::Real
}

/// Something that happens in the simulated world; the `happening` says what.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize, Subcommand)]
#[serde(tag = "happening", rename_all = "snake_case", deny_unknown_fields)]
pub enum Happening {
    /// A door is opened or shut.
    Door {
        /// Which one.
        name: String,
        /// Open or shut.
        #[arg(value_parser = open(), action = ArgAction::Set, value_name = "STATE")]
        open: bool,
    },
    /// A light is switched.
    Light {
        /// Which one.
        name: String,
        /// On or off.
        #[arg(value_parser = on(), action = ArgAction::Set)]
        on: bool,
    },
    /// Something is put into the room; exactly one of a box and a cylinder.
    #[command(skip)]
    PutObstacle {
        /// What it is called.
        name: String,
        /// A rectangle.
        #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
        rectangle: Option<BoxSize>,
        /// A circle.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cylinder: Option<CylinderSize>,
        /// East of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        x_m: Number,
        /// North of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        y_m: Number,
        /// Counter-clockwise from +x.
        #[serde(default)]
        #[arg(allow_hyphen_values = true, default_value_t)]
        yaw_rad: Radians,
        /// Its colour.
        #[serde(default)]
        color: Rgb,
        /// Whether it is real or virtual.
        #[serde(default = "real")]
        reality: Reality,
    },
    /// Something is moved.
    #[command(name = "move")]
    MoveObstacle {
        /// Which one.
        name: String,
        /// East of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        x_m: Number,
        /// North of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        y_m: Number,
        /// Counter-clockwise from +x.
        #[serde(default)]
        #[arg(allow_hyphen_values = true, default_value_t)]
        yaw_rad: Radians,
    },
    /// Something is taken away.
    #[command(name = "remove")]
    RemoveObstacle {
        /// Which one.
        name: String,
    },
    /// Somebody is put elsewhere and goes on from there.
    #[command(name = "person")]
    PlacePerson {
        /// Who.
        name: String,
        /// East of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        x_m: Number,
        /// North of the map's origin, metres.
        #[arg(allow_negative_numbers = true)]
        y_m: Number,
    },
}

impl TryFrom<Happening> for ModelHappening {
    type Error = InvalidField;

    fn try_from(happening: Happening) -> Result<Self, InvalidField> {
        let name = |given| not_blank("name", given);
        Ok(match happening {
            Happening::Door { name: given, open } => Self::Door { name: name(given)?, open },
            Happening::Light { name: given, on } => Self::Light { name: name(given)?, on },
            Happening::PutObstacle {
                name: given,
                rectangle,
                cylinder,
                x_m,
                y_m,
                yaw_rad,
                color,
                reality,
            } => Self::PutObstacle {
                name: name(given)?,
                shape: shape(rectangle, cylinder)?,
                pose: [checked!(x_m), checked!(y_m), checked!(yaw_rad)],
                rgb: color.try_into()?,
                reality: one_reality(reality)?,
            },
            Happening::MoveObstacle { name: given, x_m, y_m, yaw_rad } => Self::MoveObstacle {
                name: name(given)?,
                pose: [checked!(x_m), checked!(y_m), checked!(yaw_rad)],
            },
            Happening::RemoveObstacle { name: given } => Self::RemoveObstacle { name: name(given)? },
            Happening::PlacePerson { name: given, x_m, y_m } => {
                Self::PlacePerson { name: name(given)?, position_m: [checked!(x_m), checked!(y_m)] }
            }
        })
    }
}

fn shape(rectangle: Option<BoxSize>, cylinder: Option<CylinderSize>) -> Result<ObstacleShape, InvalidField> {
    match (rectangle, cylinder) {
        (Some(BoxSize { length_m, width_m }), None) => {
            Ok(ObstacleShape::Box { length_m: checked!(length_m), width_m: checked!(width_m) })
        }
        (None, Some(CylinderSize { radius_m })) => {
            Ok(ObstacleShape::Cylinder { radius_m: checked!(radius_m) })
        }
        (None, None) => {
            Err(InvalidField::new("box", "is missing, and so is `cylinder`", "write one of them"))
        }
        (Some(_), Some(_)) => {
            Err(InvalidField::new("box", "and `cylinder` are both given", "write one of them"))
        }
    }
}

fn one_reality(reality: Reality) -> Result<Realities, InvalidField> {
    match reality {
        Reality::Real => Ok(Realities::Real),
        Reality::Virtual => Ok(Realities::Virtual),
        Reality::Mixed => {
            let problem = "is mixed, but a thing stands in one of them";
            Err(InvalidField::new("reality", problem, "write \"R\", real, or \"V\", virtual"))
        }
    }
}
