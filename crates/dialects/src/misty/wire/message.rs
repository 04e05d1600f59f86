//! Reading and writing an event body of any type.

use serde_json::Value;
use thiserror::Error;

use super::{EventType, Message, Version, keys, version};

/// Longest body that is read, bytes; the largest sample has 18 kB.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// A body that cannot be read as its event type.
#[derive(Debug, Error)]
pub enum DecodeError {
    /// Longer than [`MAX_MESSAGE_BYTES`].
    #[error("{event_type} message of {len} bytes is longer than the limit of {MAX_MESSAGE_BYTES}")]
    TooLong {
        /// What it was read as.
        event_type: EventType,
        /// Its length, bytes.
        len: usize,
    },
    /// No JSON, or a property of another kind than the specification's.
    #[error("{event_type} message does not fit the specification: {source}")]
    Json {
        /// What it was read as.
        event_type: EventType,
        /// What was wrong, and at which line and column.
        source: serde_json::Error,
    },
}

impl Message {
    /// Reads a body in the spelling of today (`sensorId`) or of 2018 (`SensorId`).
    pub fn parse(event_type: EventType, json: &str) -> Result<Self, DecodeError> {
        if json.len() > MAX_MESSAGE_BYTES {
            return Err(DecodeError::TooLong { event_type, len: json.len() });
        }
        Self::decode(event_type, json).map_err(|source| DecodeError::Json { event_type, source })
    }

    /// The whole object that a robot keeps, against which it evaluates event conditions.
    pub fn full(&self) -> Value {
        let mut full = self.encode();
        keys::sort_keys(&mut full, self.event_type().dictionary());
        full
    }

    /// The part of the whole object that a client sees.
    pub fn on_wire(&self, version: Version) -> Value {
        version::trim(self.event_type(), version, self.full())
    }
}
