//! What Misty II says on `/pubsub`: the specification's 21 event types, spelled as there.
//!
//! | file | event types |
//! |---|---|
//! | [`audio`] | AudioPlayComplete, KeyPhraseRecognized, SourceTrackDataMessage, SourceFocusConfigMessage |
//! | [`contact`] | BumpSensor, TouchSensor |
//! | [`face`] | FaceRecognition, FaceTraining |
//! | [`hazard`] | HazardNotification |
//! | [`motion`] | ActuatorPosition, DriveEncoders, HaltCommand, IMU, LocomotionCommand |
//! | [`self_state`] | SelfState ([`goal`] and [`mind`] are its parts) |
//! | [`serial`] | SerialMessage |
//! | [`skill`] | SkillData |
//! | [`slam`] | SlamStatus |
//! | [`tof`] | TimeOfFlight ([`tof_status`] explains its codes) |
//! | [`world_state`] | WorldState |
//!
//! Four rules hold in every struct:
//!
//! - a property that a frame lacks is `None`, never 0;
//! - `None` leaves the property out, except where the specification's samples show `null`;
//! - a property that nobody here knows is kept in `extra` and written again;
//! - fields stand in the order in which robots write them: alphabetical, case ignored.
//!
//! [`Message`] is one parsed event body, [`version`] says which properties a client gets to see,
//! [`envelope()`] puts the frame around an encoded body.

pub mod audio;
pub mod classes;
pub mod contact;
pub mod envelope;
mod event_type;
pub mod face;
pub mod goal;
pub mod hazard;
pub mod keys;
mod message;
pub mod mind;
pub mod motion;
mod number;
pub mod self_state;
pub mod serial;
pub mod skill;
pub mod slam;
pub mod tof;
pub mod tof_status;
pub mod version;
mod words;
pub mod world_state;

#[cfg(test)]
mod tests;

pub use classes::websocket_classes;
pub use envelope::{Body, Frame, envelope};
pub use event_type::{Cadence, EventType, UnknownEventType};
pub use keys::pascal_case;
pub use message::{DecodeError, MAX_MESSAGE_BYTES, Message};
pub use version::{UnknownVersion, Version};

/// Properties that the specification does not name, in the order in which they came.
pub type Extra = serde_json::Map<String, serde_json::Value>;
