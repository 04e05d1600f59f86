//! `robot/*`: who is there, orders, notes.

use std::fmt;

use latimer_core::model::signal::{Frame, Pose, Text, TextChannel};

use super::codecs::{HUNDREDTHS, Heading};
use super::comm::sent;
use super::localization::ORIGIN;
use super::{Context, REALITIES, whose};
use crate::describe::Message;
use crate::describe::codec::Words;
use crate::pera::roster::SwarmId;
use crate::pera::wire::{Number, Reality, id, text};

/// `robot/create`, and an item of `localization/update` and `localization/data`: a robot and where it is.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Pose, context = Context, base = ORIGIN, when = is_in_arena)]
#[message(ignores(frame, z_m, roll_rad, pitch_rad))]
pub struct Coordinate {
    /// The robot's number in the swarm.
    #[field(own = whose, read = id::read)]
    pub id: SwarmId,
    /// A new robot that says half of it is at the origin.
    #[field(x_m, codec = HUNDREDTHS, unit = Centimetres, required)]
    pub x: Option<Number>,
    /// North of the origin.
    #[field(y_m, codec = HUNDREDTHS, unit = Centimetres, required)]
    pub y: Option<Number>,
    /// Counter-clockwise from +x.
    #[field(yaw_rad, codec = Heading, unit = Degrees, or = 0.0)]
    pub heading: Option<Number>,
    /// What it is: `R` real, `V` virtual.
    #[field(own = reality, codec = Words(REALITIES))]
    pub reality: Option<Reality>,
}

/// The arena's frame is the map as long as nothing says where the arena lies.
fn is_in_arena(pose: &Pose, _: &Context) -> bool {
    pose.frame == Frame::Map
}

fn reality(_: &Pose, context: &Context) -> Option<Reality> {
    context.reality
}

/// `robot/live`: a robot shows that it is there.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Live {
    /// The robot's number in the swarm.
    #[field(read = id::read)]
    pub id: SwarmId,
    /// What it is: `R` real, `V` virtual.
    #[field(own, codec = Words(REALITIES))]
    pub reality: Option<Reality>,
}

/// `robot/log`: what a robot notes; robots write both as text.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Text, context = Context, base = sent(TextChannel::Log), ignores(channel, data, truncated))]
pub struct Log {
    /// The robot's number in the swarm.
    #[field(own = whose, read = id::read, write = ToString::to_string)]
    pub id: SwarmId,
    /// What it notes.
    #[field(text, read = text::read)]
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
