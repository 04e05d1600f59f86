//! What the engine wants done.

use latimer_mqtt::Qos;

use crate::pera::roster::SwarmId;
use crate::pera::wire::Message;

/// What the engine wants done.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pera::simulator) enum Effect {
    /// Publish a message, so surely, and kept or not.
    Say(Message, Qos, bool),
    /// A robot has come, or is of another reality now.
    Appear(SwarmId),
    /// A robot is elsewhere.
    Move(SwarmId),
    /// A robot is gone.
    Leave(SwarmId),
}
