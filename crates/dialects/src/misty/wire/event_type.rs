//! The event types: of each its name, its message, the signals that it tells and when a robot sends it.

use std::{str::FromStr, time::Duration};

use latimer_core::Timestamp;
use latimer_core::model::signal::{ContactSensor, TextChannel};
use latimer_core::model::{Kind, words};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use thiserror::Error;

use super::{Extra, keys};
use crate::describe::{Field, Incomplete, Meaning, Received};
use crate::misty::map::COMMANDED;
use crate::misty::messages::Event;
use crate::misty::messages::bodies::*;
use crate::table::{self, Fields};

/// What makes a robot send an event of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cadence {
    /// Something happened; never repeated by a timer.
    OnEvent,
    /// A reading, as often as the subscriber's debounce lets it through.
    Debounced,
    /// The same, but only while the robot records sound.
    WhileRecording,
    /// By a timer, even when nothing changed.
    Timed {
        /// Interval unless the subscriber asks for another.
        default: Duration,
        /// Shortest interval on request.
        shortest: Duration,
    },
}

impl Cadence {
    const EVERY_5_S: Self = Self::Timed { default: Duration::from_secs(5), shortest: Duration::ZERO };
    const EVERY_250_MS: Self =
        Self::Timed { default: Duration::from_millis(250), shortest: Duration::from_millis(100) };

    /// Whether a new subscriber is sent the last one: what happened before is over, and so is a recording.
    pub const fn begins_with_last(self) -> bool {
        matches!(self, Self::Debounced | Self::Timed { .. })
    }
}

/// The named event type does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no event type {name:?}; GET /api/websockets lists those that exist")]
pub struct UnknownEventType {
    /// The name as it was asked for.
    pub name: String,
}

/// Declares the event types in alphabetical order of their names.
macro_rules! event_types {
    ($($variant:ident $name:literal $body:ident [$($kind:ident),+] $cadence:ident $summary:literal;)+) => {
        words! {
            /// One of the specification's event types; they stand in alphabetical order.
            pub enum EventType {
                $(#[doc = $summary] $variant = $name,)+
            }
        }

        impl EventType {
            /// When a robot sends this type, by the specification.
            pub const fn cadence(self) -> Cadence {
                match self {
                    $(Self::$variant => Cadence::$cadence,)+
                }
            }
        }

        /// Every event type as it describes itself, in the order of [`EventType::ALL`].
        pub static MESSAGES: &[table::MessageInfo] = &[$(table::MessageInfo {
            topic: $name,
            kinds: &[$(Kind::$kind),+],
            parts: EventType::$variant.parts(),
            contact: EventType::$variant.contact(),
            ability: None,
            answers: false,
            texts: match EventType::$variant {
                EventType::SerialMessage => &[TextChannel::Serial],
                _ => &[],
            },
            summary: $summary,
            fields: Fields::of::<$body>(),
            rate_hz: None,
        },)+];

        /// The body of an event, by its type.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Message {
            $(#[doc = $summary] $variant(Box<$body>),)+
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

            /// All that it tells: usually one signal, several of SelfState.
            pub(in crate::misty) fn signals(&self, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
                match self {
                    $(Self::$variant(body) => body.signals(received),)+
                }
            }

            pub(super) fn decode(event_type: EventType, json: &str) -> Result<Self, serde_json::Error> {
                match event_type {
                    $(EventType::$variant => body(event_type, json).map(Box::new).map(Self::$variant),)+
                }
            }

            pub(super) fn encode(&self) -> Value {
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

event_types! {
    ActuatorPosition "ActuatorPosition" ActuatorPosition [Joint] Debounced
        "Where a joint of the head or an arm stands.";
    AudioPlayComplete "AudioPlayComplete" AudioPlayComplete [Playback] OnEvent
        "A sound was played to its end.";
    BatteryCharge "BatteryCharge" BatteryCharge [Battery] EVERY_5_S
        "Charge, voltage and current of the battery.";
    BumpSensor "BumpSensor" BumpSensor [Contact] OnEvent
        "A bumper of the base was pressed or released.";
    DriveEncoders "DriveEncoders" DriveEncoders [Encoders] Debounced
        "How far the two tracks turned.";
    FaceRecognition "FaceRecognition" FaceRecognition [Face] OnEvent
        "A face was seen, and recognised if recognition runs.";
    FaceTraining "FaceTraining" FaceTraining [FaceTraining] OnEvent
        "How learning a face goes.";
    HaltCommand "HaltCommand" HaltCommand [Motion] OnEvent
        "The robot was stopped.";
    HazardNotification "HazardNotification" HazardNotification [Hazard] OnEvent
        "A hazard began or ended; all sensors are listed. The message has no time.";
    Imu "IMU" Imu [Imu] EVERY_5_S
        "Attitude, turn rates and accelerations.";
    KeyPhraseRecognized "KeyPhraseRecognized" KeyPhraseRecognized [KeyPhrase] OnEvent
        "Somebody said \"Hey, Misty!\".";
    LocomotionCommand "LocomotionCommand" LocomotionCommand [Velocity] OnEvent
        "The speed that was commanded; the part is `commanded`.";
    SelfState "SelfState" SelfState [Battery, Pose, Localization, Status, Contact, Text] EVERY_250_MS
        "Battery, place, mapping and state of the robot in one message, by a timer.";
    SerialMessage "SerialMessage" SerialMessage [Text] OnEvent
        "A line from hardware on the robot's back; the part is `serial`.";
    SkillData "SkillData" SkillData [Text] OnEvent
        "What a program on the robot prints; the part is `skill`. Log and chat of other robots look like this too.";
    SlamStatus "SlamStatus" SlamStatusMessage [Localization] OnEvent
        "What mapping and localisation are doing. The message has no time.";
    SourceFocusConfigMessage "SourceFocusConfigMessage" SourceFocusConfigMessage [SoundFocus] OnEvent
        "How sound is located; sent when a recording begins. The message has no time.";
    SourceTrackDataMessage "SourceTrackDataMessage" SourceTrackDataMessage [SoundSource] WhileRecording
        "Where sounds come from, while something is recorded. The message has no time.";
    TimeOfFlight "TimeOfFlight" TimeOfFlight [Range, Cliff] Debounced
        "A distance along the floor, or down to the floor.";
    TouchSensor "TouchSensor" TouchSensor [Contact] OnEvent
        "A touch sensor of the head was touched or let go.";
    WorldState "WorldState" WorldState [Objects] EVERY_250_MS
        "The things that the robot perceives, by a timer. The message as a whole has no time.";
}

impl EventType {
    const fn message(self) -> &'static table::MessageInfo {
        &MESSAGES[self as usize]
    }

    /// Top-level properties of its body.
    pub(in crate::misty) const fn fields(self) -> &'static [Field] {
        self.message().described()
    }

    /// The kinds of signal that can become an event of this type.
    pub const fn kinds(self) -> &'static [Kind] {
        self.message().kinds
    }

    /// The only parts that can become an event of this type; empty if any can.
    pub const fn parts(self) -> &'static [&'static str] {
        match self {
            Self::LocomotionCommand => &[COMMANDED],
            _ => &[],
        }
    }

    /// Which of the sensors for contacts it is about, if not about all.
    pub const fn contact(self) -> Option<ContactSensor> {
        match self {
            Self::BumpSensor => Some(ContactSensor::Bumper),
            Self::TouchSensor => Some(ContactSensor::Touch),
            _ => None,
        }
    }

    /// The event types that a kind is needed for; none if Misty has no words for it.
    pub fn of_kind(kind: Kind) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |event_type| event_type.kinds().contains(&kind))
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
    pub fn time_property(self) -> Option<&'static str> {
        let time = self.fields().iter().find(|field| matches!(field.meaning, Meaning::Time));
        time.map(|field| field.name)
    }

    /// Property whose keys belong to the sender, so that they keep their order and spelling.
    pub(super) const fn dictionary(self) -> Option<&'static str> {
        match self {
            Self::SkillData => Some("data"),
            _ => None,
        }
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

impl FromStr for EventType {
    type Err = UnknownEventType;

    /// Reads a name in any case, as robots do.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::from_word(name.trim()).ok_or_else(|| UnknownEventType { name: name.chars().take(80).collect() })
    }
}
