//! `robot/*`: who is there, orders, notes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::number::{self, Number};
use super::reality::{self, Reality};
use super::{id, text};
use crate::pera::roster::SwarmId;

/// `robot/create`, and an item of `localization/update` and `localization/data`: a robot and where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coordinate {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// Centimetres.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub x: Option<Number>,
    /// Centimetres.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub y: Option<Number>,
    /// Degrees, counter-clockwise from +x.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    pub heading: Option<Number>,
    /// What it is.
    #[serde(default, deserialize_with = "reality::optional", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
}

/// `robot/live`: a robot shows that it is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// Which robot.
    #[serde(deserialize_with = "id::read")]
    pub id: SwarmId,
    /// What it is.
    #[serde(default, deserialize_with = "reality::optional", skip_serializing_if = "Option::is_none")]
    pub reality: Option<Reality>,
}

/// `robot/log`: what a robot notes; robots write both as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// Which robot.
    #[serde(deserialize_with = "id::read", serialize_with = "text::id")]
    pub id: SwarmId,
    /// What.
    #[serde(deserialize_with = "text::read")]
    pub msg: String,
}

/// `robot/msg/{id}`, `robot/msg/broadcast`: a word and a value, `TYPE VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// `ID? -1`: show that you are there.
    Id,
    /// `START -1`: begin the program.
    Start,
    /// `STOP -1`: stand.
    Stop,
    /// `RESET -1`: begin anew.
    Reset,
    /// `MODE …`: go on in another way.
    Mode(String),
    /// Any other.
    Other(String),
}

impl Order {
    /// What a text orders.
    pub fn from_text(text: &str) -> Self {
        let (word, value) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        match word {
            "ID?" => Self::Id,
            "START" => Self::Start,
            "STOP" => Self::Stop,
            "RESET" => Self::Reset,
            "MODE" => Self::Mode(value.trim().to_owned()),
            _ => Self::Other(text.trim().to_owned()),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Id => "ID?",
            Self::Start => "START",
            Self::Stop => "STOP",
            Self::Reset => "RESET",
            Self::Mode(value) => return write!(f, "MODE {value}"),
            Self::Other(text) => return f.write_str(text),
        };
        write!(f, "{word} -1")
    }
}
