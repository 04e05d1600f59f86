//! One thing that one robot said.

use std::sync::Arc;

use super::{Kind, Native, PartName, RobotId, Signal, Stamp};
use crate::clock::Timestamp;

/// One signal of one robot, with both clocks and, where there is one, the original message.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// Who said it.
    pub robot: RobotId,
    /// Which part, for robots that have several of a kind.
    pub part: Option<PartName>,
    /// When it happened, by the robot's clock if the message carries a time.
    pub stamp: Stamp,
    /// When the gateway received it, by the gateway's clock; of what waited at a broker, the earliest that it can have been sent, so
    /// that it is not taken for new.
    pub received: Timestamp,
    /// What was said, typed and in SI units.
    pub signal: Signal,
    /// What was said, in the robot's own words.
    pub native: Option<Native>,
    /// From what the gateway derived it; `None` of what the robot itself said.
    pub provenance: Option<Provenance>,
}

/// From what a value was derived, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The keys that it was derived from, separated by commas.
    pub from: Arc<str>,
    /// How, e.g. `nearest point in the sensor's cone`.
    pub how: &'static str,
}

impl Update {
    /// An update without a part, stamped and received now.
    pub fn now(robot: &RobotId, now: Timestamp, signal: Signal) -> Self {
        let stamp = Stamp::gateway(now);
        Self {
            robot: robot.clone(),
            part: None,
            stamp,
            received: now,
            signal,
            native: None,
            provenance: None,
        }
    }

    /// The same update of a part.
    #[must_use]
    pub fn of_part(mut self, part: PartName) -> Self {
        self.part = Some(part);
        self
    }

    /// The kind of signal.
    pub fn kind(&self) -> Kind {
        self.signal.kind()
    }

    /// `robot/kind[/part]`: the address that selections are matched against.
    pub fn key(&self) -> String {
        key(&self.robot, self.kind(), self.part.as_ref())
    }
}

/// `robot/kind[/part]`.
pub(crate) fn key(robot: &RobotId, kind: Kind, part: Option<&PartName>) -> String {
    match part {
        Some(part) => format!("{robot}/{kind}/{part}"),
        None => format!("{robot}/{kind}"),
    }
}
