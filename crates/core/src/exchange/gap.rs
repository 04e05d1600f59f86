//! Gaps: what a subscriber missed.

use std::time::Duration;

use super::SubscriptionId;
use crate::clock::Timestamp;
use crate::model::{RobotId, signal};

/// Why something is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GapReason {
    /// The subscriber was too slow and its event queue was full.
    QueueFull,
    /// More keys changed than the subscriber's mailbox holds.
    TooManyKeys,
    /// The robot was silent for a while; what it published meanwhile is unknown.
    LinkLost,
}

impl std::fmt::Display for GapReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::QueueFull => "the subscriber reads too slowly",
            Self::TooManyKeys => "more keys changed than the subscriber's mailbox holds",
            Self::LinkLost => "the robot was not heard",
        })
    }
}

/// A hole in what a subscriber gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// In which subscription.
    pub subscription: SubscriptionId,
    /// Whose updates are missing; the first robot's, if several.
    pub robot: RobotId,
    /// Kind of the first missing update; `None` if it is not known.
    pub kind: Option<signal::Kind>,
    /// How many; `None` if it is not known.
    pub lost: Option<u64>,
    /// Why.
    pub reason: GapReason,
    /// When the hole began.
    pub from: Timestamp,
    /// When it ended.
    pub to: Timestamp,
}

/// Why a sink gets nothing more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// It did not read for too long while updates waited.
    TooSlow {
        /// How long it did not read.
        silent: Duration,
        /// How many updates it lost in its life.
        lost: u64,
    },
    /// It was closed from within the gateway.
    Closed(&'static str),
}

impl std::fmt::Display for EndReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooSlow { silent, lost } => {
                write!(
                    f,
                    "too slow: nothing was read for {} s and {lost} updates were lost",
                    silent.as_secs()
                )
            }
            Self::Closed(why) => f.write_str(why),
        }
    }
}
