//! What robots want to know, and what the engine wants done.

use latimer_core::model::Realities;
use latimer_mqtt::Qos;

use crate::pera::roster::SwarmId;
use crate::pera::wire::{Message, Number};

/// What a robot wants to know.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) enum Wish {
    Distance,
    Color,
    Proximity(Vec<Number>),
    Compass,
}

/// A reading that a robot waits for.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) struct Request {
    pub(in crate::pera::simulator) wish: Wish,
    pub(in crate::pera::simulator) realities: Realities,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) enum Deed {
    /// Publish a message, so surely, and kept or not.
    Say(Message, Qos, bool),
    /// A robot has come, or is of another reality now.
    Appear(SwarmId),
    /// A robot is elsewhere.
    Move(SwarmId),
    /// A robot is gone.
    Leave(SwarmId),
}
