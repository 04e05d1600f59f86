//! Where a body puts what it says; robot and time are filled in here.

use latimer_core::model::Signal;
use latimer_core::{PartName, RobotId, Stamp, Timestamp, Update};

use super::{Effect, Exposure};

/// What bodies want of the world at a step, each with the robot's number in the world.
#[derive(Debug, Default)]
pub struct Wishes {
    /// What they do to it.
    pub effects: Vec<(usize, Effect)>,
    /// What they take pictures of.
    pub exposures: Vec<(usize, Exposure)>,
}

/// Collects updates of one robot at one step.
pub struct Outbox<'a> {
    robot: &'a RobotId,
    now: Timestamp,
    updates: &'a mut Vec<Update>,
    wishes: &'a mut Wishes,
    number: usize,
}

impl<'a> Outbox<'a> {
    /// An outbox of a robot, by its number in the world, for a step.
    pub fn new(
        robot: &'a RobotId,
        now: Timestamp,
        updates: &'a mut Vec<Update>,
        wishes: &'a mut Wishes,
        number: usize,
    ) -> Self {
        Self { robot, now, updates, wishes, number }
    }

    /// The robot's number in the world.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Applies an effect after all bodies have sensed.
    pub fn act(&mut self, effect: Effect) {
        self.wishes.effects.push((self.number, effect));
    }

    /// Takes a picture after all bodies have sensed.
    pub fn expose(&mut self, exposure: Exposure) {
        self.wishes.exposures.push((self.number, exposure));
    }

    /// Says something of a part or of the whole robot.
    pub fn publish(&mut self, part: Option<PartName>, signal: Signal) {
        self.updates.push(Update {
            robot: self.robot.clone(),
            part,
            stamp: Stamp::robot(self.now),
            received: self.now,
            signal,
            native: None,
            provenance: None,
        });
    }
}
