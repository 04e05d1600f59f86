//! Where a body puts what it says; robot and time are filled in here.

use latimer_core::model::Signal;
use latimer_core::{PartName, RobotId, Stamp, Timestamp, Update};

/// Collects updates of one robot at one step.
pub struct Outbox<'a> {
    robot: &'a RobotId,
    now: Timestamp,
    updates: &'a mut Vec<Update>,
}

impl<'a> Outbox<'a> {
    /// An outbox of a robot for a step.
    pub fn new(robot: &'a RobotId, now: Timestamp, updates: &'a mut Vec<Update>) -> Self {
        Self { robot, now, updates }
    }

    /// Says something of a part or of the whole robot.
    pub fn say(&mut self, part: Option<PartName>, signal: Signal) {
        self.updates.push(Update {
            robot: self.robot.clone(),
            part,
            stamp: Stamp::robot(self.now),
            received: self.now,
            signal,
            native: None,
        });
    }
}
