//! `mgt/*`, `service/*` and `test`: words between the simulator and those who watch.

use latimer_core::model::signal::Pose;
use serde::Deserialize;

use super::codecs::{HUNDREDTHS, Heading};
use super::localization::ORIGIN;
use super::{Context, REALITIES};
use crate::describe::codec::Words;
use crate::describe::{Extra, Message};
use crate::pera::roster::SwarmId;
use crate::pera::wire::{Number, Reality, id, text};

/// `mgt/robots/?`: all that is known of a robot.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Snapshot {
    /// The robot's number in the swarm.
    #[field(read = id::read)]
    pub id: SwarmId,
    /// What it is: `R` real, `V` virtual.
    #[field(own, codec = Words(REALITIES))]
    pub reality: Option<Reality>,
    /// Where it is.
    #[field(model = "")]
    pub coordinates: Coordinates,
    /// When its last message was received, `HH:MM:SS` in Colombo's time.
    #[field(read = text::read, or = String::new())]
    pub live: String,
    /// What its sensors read last, by the sensor's word.
    #[field(read = Option::deserialize, or = Extra::new())]
    pub data: Extra,
}

/// A pose. `test` holds one, too, and so does the line of `localization/{id}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Message)]
#[message(record = Pose, context = Context, base = ORIGIN, ignores(frame, z_m, roll_rad, pitch_rad))]
pub struct Coordinates {
    /// East of the origin.
    #[field(x_m, codec = HUNDREDTHS, unit = Centimetres)]
    pub x: Number,
    /// North of the origin.
    #[field(y_m, codec = HUNDREDTHS, unit = Centimetres)]
    pub y: Number,
    /// Counter-clockwise from +x.
    #[field(yaw_rad, codec = Heading, unit = Degrees)]
    pub heading: Number,
}

/// `service/discovery`: a simulator shows that it is there.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct Discovery {
    /// Its own name.
    #[field(read = text::read)]
    pub uuid: String,
    /// When, as ISO 8601.
    #[field(read = text::read, or = String::new())]
    pub timestamp: String,
}
