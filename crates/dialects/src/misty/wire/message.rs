//! One event body of any type.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use thiserror::Error;

use super::{
    EventType, Extra, Version,
    audio::{AudioPlayComplete, KeyPhraseRecognized, SourceFocusConfigMessage, SourceTrackDataMessage},
    contact::{BumpSensor, TouchSensor},
    face::{FaceRecognition, FaceTraining},
    hazard::HazardNotification,
    keys,
    motion::{ActuatorPosition, DriveEncoders, HaltCommand, Imu, LocomotionCommand},
    self_state::SelfState,
    serial::SerialMessage,
    skill::SkillData,
    slam::SlamStatusMessage,
    tof::TimeOfFlight,
    version,
    world_state::WorldState,
};
use crate::misty::messages::battery::BatteryCharge;

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

/// Declares [`Message`] with a variant per event type.
macro_rules! messages {
    ($($variant:ident($body:ident),)+) => {
        /// The body of an event, by its type.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "each variant holds the struct of the same name")]
        pub enum Message {
            $($variant(Box<$body>),)+
        }

        impl Message {
            /// The type of the event.
            pub const fn event_type(&self) -> EventType {
                match self {
                    $(Self::$variant(_) => EventType::$variant,)+
                }
            }

            /// Top-level properties that the specification does not name.
            pub const fn extra(&self) -> &Extra {
                match self {
                    $(Self::$variant(body) => &body.extra,)+
                }
            }

            fn decode(event_type: EventType, json: &str) -> Result<Self, serde_json::Error> {
                match event_type {
                    $(EventType::$variant => body(event_type, json).map(Box::new).map(Self::$variant),)+
                }
            }

            fn encode(&self) -> Value {
                match self {
                    $(Self::$variant(body) => object(body),)+
                }
            }
        }

        $(impl From<$body> for Message {
            fn from(body: $body) -> Self {
                Self::$variant(Box::new(body))
            }
        })+
    };
}

messages! {
    ActuatorPosition(ActuatorPosition),
    AudioPlayComplete(AudioPlayComplete),
    BatteryCharge(BatteryCharge),
    BumpSensor(BumpSensor),
    DriveEncoders(DriveEncoders),
    FaceRecognition(FaceRecognition),
    FaceTraining(FaceTraining),
    HaltCommand(HaltCommand),
    HazardNotification(HazardNotification),
    Imu(Imu),
    KeyPhraseRecognized(KeyPhraseRecognized),
    LocomotionCommand(LocomotionCommand),
    SelfState(SelfState),
    SerialMessage(SerialMessage),
    SkillData(SkillData),
    SlamStatus(SlamStatusMessage),
    SourceFocusConfigMessage(SourceFocusConfigMessage),
    SourceTrackDataMessage(SourceTrackDataMessage),
    TimeOfFlight(TimeOfFlight),
    TouchSensor(TouchSensor),
    WorldState(WorldState),
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

fn body<T: DeserializeOwned>(event_type: EventType, json: &str) -> Result<T, serde_json::Error> {
    if !keys::may_be_pascal_case(json) {
        return serde_json::from_str(json);
    }
    let value = serde_json::from_str(json)?;
    let is_pascal = keys::is_pascal_case(&value);
    serde_json::from_value(if is_pascal { keys::camel_case(value, event_type.dictionary()) } else { value })
}

fn object(body: &impl Serialize) -> Value {
    // Bodies hold text keys only, the one thing at which this could fail.
    serde_json::to_value(body).unwrap_or_default()
}
