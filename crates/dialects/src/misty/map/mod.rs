//! The translation between what Misty says and what a robot says, as far as no [message](super::messages) does it.
//!
//! | file | |
//! |---|---|
//! | [`names`], `manner` | sensors of Misty and parts of a robot |
//! | `time`, `json` | values of messages |
//!
//! ```text
//! Misty ──Message──▶ signals_from_message ──Received──▶ hub ──Update──▶ message_from_update ──Message──▶ client
//!                                                     └─ what is known ─▶ self_state, world_state ──▶
//! ```
//!
//! Both ways hold for robots of any family: a part that Misty lacks keeps its name, a value that is not known is left
//! out, and what Misty has no words for is `None`.

mod json;
pub(in crate::misty) mod manner;
pub mod names;
pub(in crate::misty) mod time;

#[cfg(test)]
mod tests;

use latimer_core::model::signal::{ContactSensor, TextChannel};
use latimer_core::{PartName, Signal, Timestamp, Update};

pub use json::{json_from_value, value_from_json};

use names::Family;

pub use super::messages::hazard::{HazardName, hazard_names};
pub use super::messages::self_state::{SelfStateParts, self_state};
pub use super::messages::sound::KEY_PHRASE;
pub use super::messages::world_state::world_state;
pub use crate::describe::Received;
use crate::describe::{Incomplete, Translate};
use crate::misty::messages::Context;
use crate::misty::messages::battery::BatteryCharge;
use crate::misty::messages::contact::{BumpSensor, TouchSensor};
use crate::misty::messages::drive::{DriveEncoders, HaltCommand, LocomotionCommand};
use crate::misty::messages::face::{FaceRecognition, FaceTraining};
use crate::misty::messages::hazard::HazardNotification;
use crate::misty::messages::imu::Imu;
use crate::misty::messages::joint::ActuatorPosition;
use crate::misty::messages::range::TimeOfFlight;
use crate::misty::messages::slam::SlamStatusMessage;
use crate::misty::messages::sound::{
    AudioPlayComplete, KeyPhraseRecognized, SourceFocusConfigMessage, SourceTrackDataMessage,
};
use crate::misty::messages::text::{SerialMessage, SkillData};
use crate::misty::wire::Message;

/// The part of a velocity that was asked for, as against measured.
pub const COMMANDED: &str = "commanded";

/// All that a message says: usually one signal, several for SelfState, none if it says nothing new.
pub fn signals_from_message(message: &Message, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
    message.signals(received)
}

/// The event that Misty would send for an update of any robot, with every property of the `Deprecated` version.
///
/// `None` for what Misty has no event for, and for what she tells by a timer in [`self_state`] and [`world_state`].
pub fn message_from_update(update: &Update) -> Option<Message> {
    let context = Context { at: update.stamp.at, part: update.part.clone() };
    // The only sensor of a family has a name on the wire, even where it is no part of its robot.
    let of = |family: Family| Context {
        part: context.part.clone().or_else(|| Some(PartName::of(family.word()))),
        ..context
    };
    Some(match &update.signal {
        Signal::Battery(it) => BatteryCharge::encode(it, &context)?.into(),
        Signal::Velocity(it) => LocomotionCommand::encode(it, &context)?.into(),
        Signal::Encoders(it) => DriveEncoders::encode(it, &context)?.into(),
        Signal::Imu(it) => Imu::encode(it, &context)?.into(),
        Signal::Range(_) => TimeOfFlight::encode(&update.signal, &of(Family::Range))?.into(),
        Signal::Cliff(_) => TimeOfFlight::encode(&update.signal, &of(Family::Edge))?.into(),
        Signal::Contact(it) => match it.sensor {
            ContactSensor::Bumper => BumpSensor::encode(it, &of(Family::Bumper))?.into(),
            ContactSensor::Touch => TouchSensor::encode(it, &of(Family::Touch))?.into(),
        },
        Signal::Joint(it) => ActuatorPosition::encode(it, &of(Family::Joint))?.into(),
        Signal::SoundSource(it) => SourceTrackDataMessage::encode(it, &context)?.into(),
        Signal::SoundFocus(it) => SourceFocusConfigMessage::encode(it, &context)?.into(),
        Signal::KeyPhrase(it) => KeyPhraseRecognized::encode(it, &context)?.into(),
        Signal::Face(it) => FaceRecognition::encode(it, &context)?.into(),
        Signal::FaceTraining(it) => FaceTraining::encode(it, &context)?.into(),
        Signal::Localization(it) => SlamStatusMessage::encode(it, &context)?.into(),
        Signal::Motion(it) => HaltCommand::encode(it, &context)?.into(),
        Signal::Hazard(it) => HazardNotification::encode(it, &context)?.into(),
        Signal::Text(it) => match it.channel {
            TextChannel::Serial => SerialMessage::encode(it, &context)?.into(),
            TextChannel::Skill | TextChannel::Log | TextChannel::Chat => {
                SkillData::encode(it, &context)?.into()
            }
        },
        Signal::Playback(it) => AudioPlayComplete::encode(it, &context)?.into(),
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
