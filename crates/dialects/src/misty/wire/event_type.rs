//! The names of the event types, and when a robot sends each.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

/// One of the specification's event types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is the wire's own word; the struct of that name explains it")]
pub enum EventType {
    ActuatorPosition,
    AudioPlayComplete,
    BatteryCharge,
    BumpSensor,
    DriveEncoders,
    FaceRecognition,
    FaceTraining,
    HaltCommand,
    HazardNotification,
    Imu,
    KeyPhraseRecognized,
    LocomotionCommand,
    SelfState,
    SerialMessage,
    SkillData,
    SlamStatus,
    SourceFocusConfigMessage,
    SourceTrackDataMessage,
    TimeOfFlight,
    TouchSensor,
    WorldState,
}

/// What makes a robot send an event of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cadence {
    /// Something happened; never repeated by a timer.
    OnEvent,
    /// A reading, as often as the subscriber's debounce lets it through.
    Debounced,
    /// By a timer, even when nothing changed.
    Timed {
        /// Interval unless the subscriber asks for another.
        default: Duration,
        /// Shortest interval on request.
        shortest: Duration,
    },
}

/// The named event type does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no event type {name:?}; GET /api/websockets lists those that exist")]
pub struct UnknownEventType {
    /// The name as it was asked for.
    pub name: String,
}

impl EventType {
    /// Every event type, in alphabetical order of its name.
    pub const ALL: &'static [Self] = &[
        Self::ActuatorPosition,
        Self::AudioPlayComplete,
        Self::BatteryCharge,
        Self::BumpSensor,
        Self::DriveEncoders,
        Self::FaceRecognition,
        Self::FaceTraining,
        Self::HaltCommand,
        Self::HazardNotification,
        Self::Imu,
        Self::KeyPhraseRecognized,
        Self::LocomotionCommand,
        Self::SelfState,
        Self::SerialMessage,
        Self::SkillData,
        Self::SlamStatus,
        Self::SourceFocusConfigMessage,
        Self::SourceTrackDataMessage,
        Self::TimeOfFlight,
        Self::TouchSensor,
        Self::WorldState,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ActuatorPosition => "ActuatorPosition",
            Self::AudioPlayComplete => "AudioPlayComplete",
            Self::BatteryCharge => "BatteryCharge",
            Self::BumpSensor => "BumpSensor",
            Self::DriveEncoders => "DriveEncoders",
            Self::FaceRecognition => "FaceRecognition",
            Self::FaceTraining => "FaceTraining",
            Self::HaltCommand => "HaltCommand",
            Self::HazardNotification => "HazardNotification",
            Self::Imu => "IMU",
            Self::KeyPhraseRecognized => "KeyPhraseRecognized",
            Self::LocomotionCommand => "LocomotionCommand",
            Self::SelfState => "SelfState",
            Self::SerialMessage => "SerialMessage",
            Self::SkillData => "SkillData",
            Self::SlamStatus => "SlamStatus",
            Self::SourceFocusConfigMessage => "SourceFocusConfigMessage",
            Self::SourceTrackDataMessage => "SourceTrackDataMessage",
            Self::TimeOfFlight => "TimeOfFlight",
            Self::TouchSensor => "TouchSensor",
            Self::WorldState => "WorldState",
        }
    }

    /// When a robot sends this type, by the specification.
    pub const fn cadence(self) -> Cadence {
        match self {
            Self::BatteryCharge | Self::Imu => {
                Cadence::Timed { default: Duration::from_secs(5), shortest: Duration::ZERO }
            }
            Self::SelfState | Self::WorldState => {
                Cadence::Timed { default: Duration::from_millis(250), shortest: Duration::from_millis(100) }
            }
            Self::ActuatorPosition
            | Self::DriveEncoders
            | Self::SourceTrackDataMessage
            | Self::TimeOfFlight => Cadence::Debounced,
            _ => Cadence::OnEvent,
        }
    }

    /// Whether several sensors share this type, so that one subscription gets all their messages.
    pub const fn has_many_sensors(self) -> bool {
        matches!(self, Self::ActuatorPosition | Self::BumpSensor | Self::TimeOfFlight | Self::TouchSensor)
    }

    /// Property that wraps the whole body: `slamStatus` in SlamStatus, `serialMessage` in SerialMessage.
    pub const fn wrapper(self) -> Option<&'static str> {
        match self {
            Self::SlamStatus => Some("slamStatus"),
            Self::SerialMessage => Some("serialMessage"),
            _ => None,
        }
    }

    /// Property with the time of the event: `timestamp` in SkillData; seven types carry no time.
    pub const fn time_property(self) -> Option<&'static str> {
        match self {
            Self::SkillData => Some("timestamp"),
            Self::HazardNotification
            | Self::SelfState
            | Self::SerialMessage
            | Self::SlamStatus
            | Self::SourceFocusConfigMessage
            | Self::SourceTrackDataMessage
            | Self::WorldState => None,
            _ => Some("created"),
        }
    }

    /// Property whose keys belong to the sender, so that they keep their order and spelling.
    pub(super) const fn dictionary(self) -> Option<&'static str> {
        match self {
            Self::SkillData => Some("data"),
            _ => None,
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for EventType {
    type Err = UnknownEventType;

    /// Reads a name in any case, as robots do.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let wanted = name.trim();
        Self::ALL
            .iter()
            .copied()
            .find(|event_type| event_type.as_str().eq_ignore_ascii_case(wanted))
            .ok_or_else(|| UnknownEventType { name: name.chars().take(80).collect() })
    }
}
