//! `comm/*` and `output/*`: what robots say to each other, and the colour of their lamps.

use std::fmt;

use latimer_core::model::signal::{Lamp, Text, TextChannel};

use super::codecs::{Byte, Reach};
use super::{Context, whose};
use crate::describe::Message;
use crate::pera::roster::SwarmId;
use crate::pera::wire::{DecodeError, Number, id, text};

/// `comm/out/simple`, `comm/out/direct`: a robot says something.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Text, context = Context, base = sent(TextChannel::Chat), ignores(channel, truncated))]
pub struct CommOut {
    /// The robot's number in the swarm.
    #[field(own = whose, read = id::read)]
    pub id: SwarmId,
    /// What it says.
    #[field(text, read = text::read)]
    pub msg: String,
    /// How far it reaches.
    #[field(data, codec = Reach, note = "as `reach_m` in it")]
    pub dist: Option<Number>,
}

/// `comm/in/simple/{id}`, `comm/in/direct/{id}`: a message that reaches a robot, as plain text.
#[derive(Message)]
#[message(record = Text, context = Context, base = sent(TextChannel::Chat), ignores(channel, data, truncated))]
#[message(json = none)]
pub(in crate::pera) struct CommIn(
    /// The message.
    #[field(text, name = "msg")]
    pub(in crate::pera) String,
);

/// A text of a channel, that has nothing beside it.
pub(super) fn sent(channel: TextChannel) -> Text {
    Text { channel, text: "".into(), data: None, truncated: None }
}

/// `output/neopixel`: the colour of a robot's lamp, each 0..255.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Lamp, context = Context)]
#[allow(non_snake_case, reason = "the documents' words")]
pub struct Neopixel {
    /// The robot's number in the swarm.
    #[field(own = whose, read = id::read)]
    pub id: SwarmId,
    /// Red.
    #[field(red, codec = Byte, note = "0..255")]
    pub R: Number,
    /// Green.
    #[field(green, codec = Byte, note = "0..255")]
    pub G: Number,
    /// Blue.
    #[field(blue, codec = Byte, note = "0..255")]
    pub B: Number,
}

/// `output/neopixel/{id}`: `R G B`, the colour that it shall have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_snake_case, reason = "the documents' words")]
pub struct NeopixelOrder {
    /// Red.
    pub R: u8,
    /// Green.
    pub G: u8,
    /// Blue.
    pub B: u8,
}

impl NeopixelOrder {
    pub(in crate::pera) fn from_text(text: &str) -> Result<Self, DecodeError> {
        let [r, g, b] = text::numbers(text)?.map(|number: f64| number.round() as u8);
        Ok(Self { R: r, G: g, B: b })
    }
}

impl fmt::Display for NeopixelOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.R, self.G, self.B)
    }
}
