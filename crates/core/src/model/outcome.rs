//! What became of a command. A command is never dropped silently.

use super::errand::Reading;

/// The answer to a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The robot took it and is at it.
    Accepted,
    /// It is done.
    Done,
    /// It was measured.
    Sensed(Vec<Reading>),
    /// It will not be done, and why, for a person to read.
    Refused(String),
    /// The robot did not answer in time.
    TimedOut,
}

impl Outcome {
    /// What a command comes to that a stop overtook.
    pub const STOPPED: &str = "a stop came after it";

    /// Whether the robot took the command.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Accepted | Self::Done | Self::Sensed(_))
    }

    /// A refusal with its reason.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused(reason.into())
    }

    /// The refusal of a command that a stop overtook.
    pub fn stopped() -> Self {
        Self::refused(Self::STOPPED)
    }
}
