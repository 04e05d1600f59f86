//! The translation between what Misty says and what a robot says, as far as no [message](super::messages) does it.
//!
//! ```text
//! Misty ──Message──▶ signals_from_message ──Received──▶ hub ──Update──▶ message_from_update ──Message──▶ client
//!                                                     └─ what is known ─▶ self_state, world_state ──▶
//! ```
//!
//! Both ways hold for robots of any family: a part that Misty lacks keeps its name, a value that is not known is left
//! out, and what Misty has no words for is `None`.

pub mod names;
pub(in crate::misty) mod time;

#[cfg(test)]
mod tests;

use latimer_core::model::signal::{ContactSensor, TextChannel};
use latimer_core::{PartName, Signal, Timestamp, Update};

use names::Family;

pub use super::messages::hazard::{HazardName, hazard_names};
pub use super::messages::self_state::{SelfStateParts, self_state};
pub use super::messages::sound::KEY_PHRASE;
pub use super::messages::world_state::world_state;
pub use crate::describe::Received;
use crate::describe::{Incomplete, Translate};
use crate::misty::messages::Context;
use crate::misty::messages::bodies::*;
use crate::misty::wire::Message;

/// The part of a velocity that was asked for, as against measured.
pub const COMMANDED: &str = "commanded";

/// The part of what hardware on the serial port says.
pub const SERIAL: &str = "serial";

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
        _ => return None,
    })
}
