//! The two versions of the WebSocket system, and which properties each shows.
//!
//! A robot keeps one full object per event, evaluates conditions against that, and sends a part of it: in the version
//! `Deprecated` with names, expiry and pose, and with `type` in the envelope.
//!
//! Each field of a message says which versions hide it. Only the top level of a body is trimmed: `battery` in SelfState and the lists of
//! HazardNotification keep their `sensorName`.

use std::str::FromStr;

use latimer_core::model::words;
use serde_json::Value;
use thiserror::Error;

use super::EventType;

words! {
    /// A version of the WebSocket system, as `GET websocket/version` names it.
    pub enum Version {
        /// Without names, expiry and pose of sensors; what robots send since mid 2019.
        Current = "Current",
        /// With everything that the specification's older samples show.
        Deprecated = "Deprecated",
    }
}

#[expect(clippy::derivable_impls, reason = "`words!` takes no `#[default]`")]
impl Default for Version {
    fn default() -> Self {
        Self::Current
    }
}

/// The named version does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no websocket version {name:?}; send \"Current\" or \"Deprecated\"")]
pub struct UnknownVersion {
    /// The name as it was asked for.
    pub name: String,
}

/// Takes a full object down to what `version` sends.
pub fn trim(event_type: EventType, version: Version, mut full: Value) -> Value {
    let hidden = event_type.fields().iter().filter(|field| field.hidden & version.bit() != 0);
    if let Value::Object(body) = &mut full {
        hidden.for_each(|field| drop(body.shift_remove(field.name)));
    }
    full
}

impl Version {
    /// Its bit in masks of versions.
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::from_word(name.trim()).ok_or_else(|| UnknownVersion { name: name.chars().take(80).collect() })
    }
}
