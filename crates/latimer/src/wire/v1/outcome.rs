//! What became of a command.

use latimer_core::Outcome as ModelOutcome;
use serde::{Deserialize, Serialize};

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The robot took it and is at it.
    Accepted,
    /// It is done.
    Done,
    /// It will not be done.
    Refused {
        /// Why, for a person.
        reason: String,
    },
    /// The robot did not answer in time.
    TimedOut,
}

impl From<ModelOutcome> for Outcome {
    fn from(outcome: ModelOutcome) -> Self {
        match outcome {
            ModelOutcome::Accepted => Self::Accepted,
            ModelOutcome::Done => Self::Done,
            ModelOutcome::Refused(reason) => Self::Refused { reason },
            ModelOutcome::TimedOut => Self::TimedOut,
        }
    }
}
