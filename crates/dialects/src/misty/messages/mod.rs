//! The event types' messages, each property beside what it is in the model.
//!
//! A property that a frame lacks is `None`, never 0, and is left out again, except where the specification's samples show
//! `null`; one that nobody here knows is kept in `extra`. They stand in the order in which robots write them:
//! alphabetical, case ignored.

pub mod battery;
mod codecs;
pub mod contact;
pub mod drive;
pub mod face;
pub mod hazard;
pub mod imu;
pub mod joint;
pub mod pose;
pub mod range;
pub mod self_state;
pub mod slam;
pub mod sound;
pub mod text;
pub mod world_state;

#[cfg(test)]
mod tests;

/// What the event types carry.
pub mod bodies {
    pub use super::{
        battery::BatteryCharge,
        contact::{BumpSensor, TouchSensor},
        drive::{DriveEncoders, HaltCommand, LocomotionCommand},
        face::{FaceRecognition, FaceTraining},
        hazard::HazardNotification,
        imu::Imu,
        joint::ActuatorPosition,
        range::TimeOfFlight,
        self_state::SelfState,
        slam::SlamStatusMessage,
        sound::{AudioPlayComplete, KeyPhraseRecognized, SourceFocusConfigMessage, SourceTrackDataMessage},
        text::{SerialMessage, SkillData},
        world_state::WorldState,
    };
}

use std::time::Duration;

use latimer_core::{PartName, Signal, Timestamp};

use super::map::time::utc_from_timestamp;
use super::wire::Version;
use crate::describe::{self, Incomplete, Received, Translate};

/// Only the older version of the WebSocket system shows it.
const DEPRECATED: u32 = Version::Current.bit();

/// No version shows it; robots evaluate conditions against it.
const NOT_SENT: u32 = Version::Current.bit() | Version::Deprecated.bit();

/// What encoding needs beside a record.
#[derive(Clone, Debug)]
pub struct Context {
    /// When it happened.
    pub at: Timestamp,
    /// Which part of the robot it is about.
    pub part: Option<PartName>,
}

impl Context {
    /// Of the robot as a whole.
    pub const fn at(at: Timestamp) -> Self {
        Self { at, part: None }
    }
}

impl describe::Context for Context {
    fn at(&self) -> Timestamp {
        self.at
    }

    fn part(&self) -> Option<&PartName> {
        self.part.as_ref()
    }
}

/// `expiry` of a reading that is good for so many milliseconds.
fn good_for<const MS: u64, R>(_: &R, context: &Context) -> Option<String> {
    Some(utc_from_timestamp(context.at.after(Duration::from_millis(MS))))
}

/// A message that tells signals.
pub(super) trait Event {
    /// All that it tells: one signal, or several of SelfState.
    fn signals(&self, received: Timestamp) -> Result<Vec<Received>, Incomplete>;
}

impl<T: Translate<Context = Context>> Event for T
where
    T::Record: Into<Signal>,
{
    fn signals(&self, received: Timestamp) -> Result<Vec<Received>, Incomplete> {
        Ok(vec![self.received(&Context::at(received))?])
    }
}
