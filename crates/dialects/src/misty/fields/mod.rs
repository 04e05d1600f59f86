//! The fields of Misty's messages beside those of the model: `map` as data, for pages and documents.
//!
//! | file | event types |
//! |---|---|
//! | `motion` | ActuatorPosition, DriveEncoders, HaltCommand, IMU, LocomotionCommand |
//! | `contact` | BumpSensor, TouchSensor |
//! | `range` | TimeOfFlight, HazardNotification |
//! | `sound` | AudioPlayComplete, KeyPhraseRecognized, SourceFocusConfigMessage, SourceTrackDataMessage |
//! | `face` | FaceRecognition, FaceTraining |
//! | `text` | SerialMessage, SkillData |
//! | `state` | BatteryCharge, SelfState, SlamStatus |
//! | `world` | WorldState |

mod contact;
mod face;
mod motion;
mod pose;
mod range;
mod sound;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod world;

use super::map::kinds_of;
use super::map::names::Sensor;
use super::messages::battery::BatteryCharge;
use super::wire::EventType;
use crate::describe::Described;
use crate::table::{FieldPair, Fields, Message, WordPair};

/// Every event type, in the order of [`EventType::ALL`].
pub static MESSAGES: &[Message] = &[
    motion::ACTUATOR_POSITION,
    sound::AUDIO_PLAY_COMPLETE,
    described::<BatteryCharge>(EventType::BatteryCharge, "Charge, voltage and current of the battery."),
    contact::BUMP_SENSOR,
    motion::DRIVE_ENCODERS,
    face::FACE_RECOGNITION,
    face::FACE_TRAINING,
    motion::HALT_COMMAND,
    range::HAZARD_NOTIFICATION,
    motion::IMU,
    sound::KEY_PHRASE_RECOGNIZED,
    motion::LOCOMOTION_COMMAND,
    state::SELF_STATE,
    text::SERIAL_MESSAGE,
    text::SKILL_DATA,
    state::SLAM_STATUS,
    sound::SOURCE_FOCUS_CONFIG_MESSAGE,
    sound::SOURCE_TRACK_DATA_MESSAGE,
    range::TIME_OF_FLIGHT,
    contact::TOUCH_SENSOR,
    world::WORLD_STATE,
];

/// Degrees in a radian.
const DEG: f64 = 180.0 / std::f64::consts::PI;

/// Degrees in a full turn.
const TURN: f64 = 360.0;

const CREATED: FieldPair =
    FieldPair::time("created").note("text in UTC; when it is missing, the time of arrival counts");

const EXPIRY: FieldPair = FieldPair::own(
    "expiry",
    "until when the reading is good: written as a fixed time after `created`, not read",
);

/// The message of an event type.
pub(in crate::misty) fn message_of(event_type: EventType) -> &'static Message {
    // In the order of the event types, as a test sees to.
    &MESSAGES[event_type as usize]
}

const fn described<T: Described>(event_type: EventType, summary: &'static str) -> Message {
    Message { topic: event_type.as_str(), kinds: kinds_of(event_type), summary, fields: Fields::of::<T>() }
}

const fn message(event_type: EventType, summary: &'static str, fields: &'static [FieldPair]) -> Message {
    Message {
        topic: event_type.as_str(),
        kinds: kinds_of(event_type),
        summary,
        fields: Fields::Table(fields),
    }
}

const fn sensor_ids<const N: usize>(sensors: &[Sensor; N]) -> [WordPair; N] {
    let mut pairs = [("", ""); N];
    let mut i = 0;
    while i < N {
        pairs[i] = (sensors[i].sensor_id, sensors[i].part);
        i += 1;
    }
    pairs
}

const fn sensor_names<const N: usize>(sensors: &[Sensor; N]) -> [WordPair; N] {
    let mut pairs = [("", ""); N];
    let mut i = 0;
    while i < N {
        pairs[i] = (sensors[i].sensor_name, sensors[i].part);
        i += 1;
    }
    pairs
}

const fn sensor_positions<const N: usize>(sensors: &[Sensor; N]) -> [WordPair; N] {
    let mut pairs = [("", ""); N];
    let mut i = 0;
    while i < N {
        pairs[i] = (sensors[i].sensor_position, sensors[i].part);
        i += 1;
    }
    pairs
}
