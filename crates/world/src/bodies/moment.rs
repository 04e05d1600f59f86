//! One step as an organ of a body lives through it.

use latimer_core::model::Kind;

use super::Demand;
use super::reports::Reports;
use crate::rng::Rng;

/// One step: when it is, and what an organ may use.
pub(super) struct Moment<'a> {
    /// Steps lived, plus the robot's own offset.
    pub(super) tick: u64,
    /// The world's clock, seconds.
    pub(super) time_s: f64,
    /// What is demanded.
    pub(super) demand: Demand,
    /// The robot's chance.
    pub(super) rng: &'a mut Rng,
    /// Where to write what there is to say.
    pub(super) reports: &'a mut Reports,
}

impl Moment<'_> {
    /// Whether a kind that is published every so many steps is due.
    pub(super) fn due(&self, kind: Kind, steps: u64) -> bool {
        self.demand.is_due(kind, self.tick, steps)
    }

    /// The same, but so many steps later.
    pub(super) fn due_after(&self, kind: Kind, steps: u64, offset: usize) -> bool {
        self.demand.is_due(kind, self.tick + steps - offset as u64 % steps, steps)
    }

    /// Whether it is time for something that happens once in so many steps.
    pub(super) fn every(&self, steps: u64) -> bool {
        self.tick.is_multiple_of(steps)
    }

    /// The same, but so many steps later.
    pub(super) fn every_after(&self, steps: u64, offset: usize) -> bool {
        (self.tick + steps - offset as u64 % steps).is_multiple_of(steps)
    }
}
