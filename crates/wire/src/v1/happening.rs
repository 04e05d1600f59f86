//! What can be made to happen in the simulated world, e.g. `{"happening": "door", "name": "front", "open": true}`.

use clap::{ArgAction, Subcommand};
use latimer_core::model::Realities;
use latimer_simulator_api::{Happening as ModelHappening, ObjectLocation, ObstacleShape};
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

/// What sort of thing a small thing is, by default.
const OBJECT: &str = "object";

fn object() -> String {
    OBJECT.to_owned()
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
    /// A small thing that no robot knows is put into the room: at a place, or on the floor.
    PutObject {
        /// What it is called.
        name: String,
        /// The place where it lies; not beside `x_m` and `y_m`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
        /// Where on the floor, east of the map's origin, metres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "x", value_name = "METRES", allow_negative_numbers = true)]
        x_m: Option<Number>,
        /// Where on the floor, north of the map's origin, metres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "y", value_name = "METRES", allow_negative_numbers = true)]
        y_m: Option<Number>,
        /// What sort of thing it is.
        #[serde(default = "object")]
        #[arg(long, default_value = OBJECT)]
        category: String,
        /// Its colour.
        #[serde(default)]
        #[arg(long, value_name = "#RRGGBB", value_parser = rgb, default_value = GREY)]
        color: Rgb,
    },
    /// A small thing is put elsewhere, also out of a robot's hand: at a place, or on the floor.
    MoveObject {
        /// Which one.
        name: String,
        /// The place where it lies then; not beside `x_m` and `y_m`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
        /// Where on the floor, east of the map's origin, metres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "x", value_name = "METRES", allow_negative_numbers = true)]
        x_m: Option<Number>,
        /// Where on the floor, north of the map's origin, metres.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[arg(long = "y", value_name = "METRES", allow_negative_numbers = true)]
        y_m: Option<Number>,
    },
    /// A small thing is taken away; moved, it comes back.
    RemoveObject {
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
            Happening::PutObject { name: given, place, x_m, y_m, category, color } => Self::PutObject {
                name: name(given)?,
                category: not_blank("category", category)?,
                at: location(place, x_m, y_m)?,
                rgb: color.try_into()?,
            },
            Happening::MoveObject { name: given, place, x_m, y_m } => {
                Self::MoveObject { name: name(given)?, to: location(place, x_m, y_m)? }
            }
            Happening::RemoveObject { name: given } => Self::RemoveObject { name: name(given)? },
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

/// A place, or a point on the floor.
fn location(
    place: Option<String>,
    x_m: Option<Number>,
    y_m: Option<Number>,
) -> Result<ObjectLocation, InvalidField> {
    let advice = "write `place`, or `x_m` and `y_m`";
    match (place, x_m, y_m) {
        (Some(place), None, None) => Ok(ObjectLocation::Place(not_blank("place", place)?)),
        (None, Some(x_m), Some(y_m)) => Ok(ObjectLocation::Floor([checked!(x_m), checked!(y_m)])),
        (Some(_), _, _) => Err(InvalidField::new("place", "stands beside a point on the floor", advice)),
        (None, None, None) => {
            Err(InvalidField::new("place", "is missing, and so is a point on the floor", advice))
        }
        (None, None, Some(_)) => Err(InvalidField::new("x_m", "is missing", advice)),
        (None, Some(_), None) => Err(InvalidField::new("y_m", "is missing", advice)),
    }
}

/// A colour of the command line.
fn rgb(text: &str) -> Result<Rgb, InvalidField> {
    let color = Rgb(text.to_owned());
    <[u8; 3]>::try_from(color.clone()).map(|_| color)
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
