//! The translation between what a chassis says and what a robot says: pure functions, nothing else.

use bytes::Bytes;
use latimer_core::model::signal::{MapInfo, Pose};
use latimer_core::{PartName, Signal, Stamp, Timestamp, Update};

use super::style::Style;
use super::topic::Topic;
use super::wire::Message;

/// One signal that a message holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// Which part it is about.
    pub part: Option<PartName>,
    /// When it happened: by the robot's clock if the message tells, else when it arrived.
    pub stamp: Stamp,
    /// What was said.
    pub signal: Signal,
}

/// What else a message is made of, besides the update that it tells.
pub struct Known<'a> {
    /// How messages are written.
    pub style: Style,
    /// Where the robot is on its map, if it knows that.
    pub pose: Option<&'a Pose>,
    /// The map that it drives by.
    pub map: Option<&'a MapInfo>,
    /// The bumpers that are pressed, and those that there are.
    pub bumpers: &'a [(PartName, bool)],
    /// Keeps a picture under a name that begins with a word, and tells the address to fetch it at,
    /// `static-files/map-….png`.
    pub keep: &'a dyn Fn(&str, &Bytes) -> String,
}

/// All that a message says.
pub fn signals_from_message(_message: &Message, _received: Timestamp) -> Vec<Heard> {
    Vec::new()
}

/// What a chassis would send on a topic for an update of any robot; `None` if it has no words for it, or if the
/// robot does not know what the message is about.
pub fn message_from_update(_topic: Topic, _update: &Update, _known: &Known<'_>) -> Option<Message> {
    None
}
