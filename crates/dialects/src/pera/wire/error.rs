//! Why a number, or a text of numbers, cannot be decoded.

use crate::pera::roster::SwarmId;

/// What is wrong with a number, or with a text of numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::pera) enum DecodeError {
    /// A word that should be a number.
    #[error("{word:?} is no number")]
    NotANumber {
        /// How it begins.
        word: String,
    },
    /// The text ends too early.
    #[error("{count} numbers are too few, there must be {needed}")]
    TooFewNumbers {
        /// How many there are.
        count: usize,
        /// How many there must be.
        needed: usize,
    },
    /// The text goes on.
    #[error("there are more than {needed} numbers")]
    TooManyNumbers {
        /// How many there must be.
        needed: usize,
    },
    /// A value that should be a robot's number.
    #[error("{value} is no robot's number, which is 0 to {max}", max = SwarmId::MAX)]
    NotAnId {
        /// How it begins.
        value: String,
    },
    /// A colour belongs to each distance.
    #[error("there must be as many colours as distances, and not too many")]
    UnpairedColors,
}
