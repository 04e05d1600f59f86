//! The event types' messages that describe themselves, each property beside what it is in the model.
//!
//! | file | |
//! |---|---|
//! | [`battery`] | BatteryCharge, also `battery` in SelfState and the answer to `GET battery` |
//! | [`pose`] | where something is: a part of several event types |
//!
//! A property that a frame lacks is `None`, never 0, and is left out again, except where the specification's samples show
//! `null`; one that nobody here knows is kept in `extra`. They stand in the order in which robots write them:
//! alphabetical, case ignored.

pub mod battery;
mod codecs;
pub mod pose;

use std::time::Duration;

use latimer_core::{PartName, Timestamp};

use super::map::time::utc_from_timestamp;
use super::wire::Version;
use crate::describe;

/// Only the older version of the WebSocket system shows it.
const DEPRECATED: u32 = Version::Current.bit();

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

    fn good_for(&self, duration: Duration) -> String {
        utc_from_timestamp(self.at.after(duration))
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

#[cfg(test)]
mod tests {
    use latimer_core::model::Kind;

    use super::*;
    use crate::describe::check::derived;

    #[test]
    fn every_message_goes_both_ways_as_it_is_described() {
        let context = Context::at(Timestamp::default());
        derived::<battery::BatteryCharge>(Kind::Battery, &context);
        derived::<pose::Pose>(Kind::Pose, &context);
    }
}
