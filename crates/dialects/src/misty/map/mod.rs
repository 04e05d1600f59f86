//! The translation between what Misty says and what a robot says: pure functions, nothing else.
//!
//! | file | event types | signals |
//! |---|---|---|
//! | `joint` | ActuatorPosition | joint |
//! | `drive` | LocomotionCommand, HaltCommand, DriveEncoders | velocity/commanded, motion, encoders |
//! | `imu` | IMU | imu |
//! | `tof`, `tof_codes` | TimeOfFlight | range, cliff |
//! | `contact` | BumpSensor, TouchSensor | contact |
//! | `hazard` | HazardNotification | hazard |
//! | `battery` | BatteryCharge | battery |
//! | `audio` | AudioPlayComplete, KeyPhraseRecognized | playback, key_phrase |
//! | `sound` | SourceTrackDataMessage, SourceFocusConfigMessage | sound_source, sound_focus |
//! | `face` | FaceRecognition, FaceTraining | face, face_training |
//! | `slam` | SlamStatus | localization |
//! | `text` | SerialMessage, SkillData | text/serial, text/skill |
//! | `self_state`, `reserved` | SelfState | battery, pose, localization, status |
//! | `world_state` | WorldState | objects |
//!
//! `units`, `time`, `names`, `manner`, `pose` and `json` are what they share; `kinds` tells which signals an event
//! needs.
//!
//! ```text
//! Misty ──Message──▶ signals_from_message ──Received──▶ hub ──Update──▶ message_from_update ──Message──▶ client
//!                                                     └─ what is known ─▶ self_state, world_state ──▶
//! ```
//!
//! Both ways hold for robots of any family: a part that Misty lacks keeps its name, a value that is not known is left
//! out, and what Misty has no words for is `None`.

use latimer_core::model::signal::ContactSensor;
use latimer_core::{Signal, Timestamp, Update};

use crate::misty::wire::Message;

mod audio;
mod contact;
mod drive;
mod face;
mod hazard;
mod imu;
mod joint;
mod json;
mod kinds;
mod manner;
pub mod names;
mod reserved;
mod self_state;
mod slam;
mod sound;
mod text;
pub(in crate::misty) mod time;
mod tof;
mod tof_codes;
pub(in crate::misty) mod units;
mod world_state;

#[cfg(test)]
mod tests;

pub use audio::KEY_PHRASE;
pub use hazard::{HazardName, hazard_names};
pub use json::{json_from_value, value_from_json};
pub use kinds::{event_types_of, kinds_of, parts_of};
pub use self_state::{SelfStateParts, self_state};
pub use slam::{localization_from_slam_status, slam_status_from_localization};
pub use world_state::world_state;

use names::Family;

pub use crate::describe::Received;
use crate::describe::Translate;
use crate::misty::messages::Context;
use crate::misty::messages::battery::BatteryCharge;

/// The part of a velocity that was asked for, as against measured.
pub const COMMANDED: &str = "commanded";

/// All that a message says: usually one signal, several for SelfState, none if the message lacks what it is about.
pub fn signals_from_message(message: &Message, received: Timestamp) -> Vec<Received> {
    let heard = match message {
        Message::ActuatorPosition(it) => Some(joint::heard_from_actuator_position(it, received)),
        Message::AudioPlayComplete(it) => audio::heard_from_audio_play_complete(it, received),
        Message::BatteryCharge(it) => it.received(received).ok(),
        Message::BumpSensor(it) => contact::heard_from_bump_sensor(it, received),
        Message::DriveEncoders(it) => Some(drive::heard_from_drive_encoders(it, received)),
        Message::FaceRecognition(it) => Some(face::heard_from_face_recognition(it, received)),
        Message::FaceTraining(it) => Some(face::heard_from_face_training(it, received)),
        Message::HaltCommand(it) => Some(drive::heard_from_halt_command(it, received)),
        Message::HazardNotification(it) => Some(hazard::heard_from_hazard_notification(it, received)),
        Message::Imu(it) => Some(imu::heard_from_imu(it, received)),
        Message::KeyPhraseRecognized(it) => Some(audio::heard_from_key_phrase_recognized(it, received)),
        Message::LocomotionCommand(it) => Some(drive::heard_from_locomotion_command(it, received)),
        Message::SelfState(it) => return self_state::heard_from_self_state(it, received),
        Message::SerialMessage(it) => text::heard_from_serial_message(it, received),
        Message::SkillData(it) => Some(text::heard_from_skill_data(it, received)),
        Message::SlamStatus(it) => slam::heard_from_slam_status(it, received),
        Message::SourceFocusConfigMessage(it) => Some(sound::heard_from_source_focus(it, received)),
        Message::SourceTrackDataMessage(it) => Some(sound::heard_from_source_track(it, received)),
        Message::TimeOfFlight(it) => Some(tof::heard_from_time_of_flight(it, received)),
        Message::TouchSensor(it) => contact::heard_from_touch_sensor(it, received),
        Message::WorldState(it) => Some(world_state::heard_from_world_state(it, received)),
    };
    heard.into_iter().collect()
}

/// The event that Misty would send for an update of any robot, with every property of the `Deprecated` version.
///
/// `None` for what Misty has no event for, and for what she tells by a timer in [`self_state`] and [`world_state`].
pub fn message_from_update(update: &Update) -> Option<Message> {
    let (part, at) = (update.part.as_ref(), update.stamp.at);
    let tof = |family, range| tof::time_of_flight_from_range(family, part, range, at);
    Some(match &update.signal {
        Signal::Battery(it) => BatteryCharge::encode(it, &Context::at(at))?.into(),
        Signal::Velocity(it) => {
            part.filter(|part| part.as_str() == COMMANDED)?;
            drive::locomotion_command_from_velocity(it, at).into()
        }
        Signal::Encoders(it) => drive::drive_encoders_from_encoders(it, at).into(),
        Signal::Imu(it) => imu::imu_from_imu(it, at).into(),
        Signal::Range(it) => tof(Family::Range, it).into(),
        Signal::Cliff(it) => tof(Family::Edge, &it.0).into(),
        Signal::Contact(it) => match it.sensor {
            ContactSensor::Bumper => contact::bump_sensor_from_contact(part, it, at).into(),
            ContactSensor::Touch => contact::touch_sensor_from_contact(part, it, at).into(),
        },
        Signal::Joint(it) => joint::actuator_position_from_joint(part, it, at).into(),
        Signal::SoundSource(it) => sound::source_track_from_sound_source(it).into(),
        Signal::SoundFocus(it) => sound::source_focus_from_sound_focus(it).into(),
        Signal::KeyPhrase(it) => audio::key_phrase_recognized_from_key_phrase(it, at).into(),
        Signal::Face(it) => face::face_recognition_from_face(it, at).into(),
        Signal::FaceTraining(it) => face::face_training_from_training(it, at).into(),
        Signal::Localization(it) => slam::slam_status_message_from_localization(it).into(),
        Signal::Motion(it) => drive::halt_command_from_motion(it, at)?.into(),
        Signal::Hazard(it) => hazard::hazard_notification_from_hazard(it).into(),
        Signal::Text(it) => text::message_from_text(it, at),
        Signal::Playback(it) => audio::audio_play_complete_from_playback(it, at).into(),
        Signal::Pose(_)
        | Signal::Image(_)
        | Signal::CompressedImage(_)
        | Signal::Video(_)
        | Signal::Audio(_)
        | Signal::Scan(_)
        | Signal::PointCloud(_)
        | Signal::Map(_)
        | Signal::Color(_)
        | Signal::Light(_)
        | Signal::Lamp(_)
        | Signal::Indicators(_)
        | Signal::Odometry(_)
        | Signal::Relocation(_)
        | Signal::MapInfo(_)
        | Signal::Navigation(_)
        | Signal::Path(_)
        | Signal::Odometer(_)
        | Signal::Footprint(_)
        | Signal::Neighbours(_)
        | Signal::Doors(_)
        | Signal::Task(_)
        | Signal::Alerts(_)
        | Signal::Control(_)
        | Signal::Pins(_)
        | Signal::Temperature(_)
        | Signal::Objects(_)
        | Signal::HazardSettings(_)
        | Signal::Status(_)
        | Signal::Device(_)
        | Signal::Library(_)
        | Signal::Link(_)
        | Signal::Other(_) => return None,
    })
}
