//! What every body has, whatever its family: its chance, its clock, what it has to say, and whether it stands on the floor.

use super::moment::Moment;
use super::reports::Reports;
use crate::physics::Surroundings;
use crate::rng::Rng;

/// The state of a body that is the same in every family.
pub struct BodyState {
    pub(super) rng: Rng,
    pub(super) reports: Reports,
    /// Steps lived, plus an offset so that robots that start together do not all speak at the same step.
    pub(super) tick: u64,
    /// The world's clock at the last step, seconds.
    pub(super) time_s: f64,
    pub(super) lifted_until_s: f64,
    pub(super) fallen: bool,
}

/// Whether a body stands as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Footing {
    /// On its wheels or tracks.
    Ground,
    /// In a person's hands.
    Air,
    /// Over an edge.
    Fallen,
}

impl BodyState {
    /// That of a body that begins on the floor.
    pub(super) fn new(mut rng: Rng) -> Self {
        let tick = rng.bits() % 1_000;
        Self { rng, reports: Reports::default(), tick, time_s: 0.0, lifted_until_s: 0.0, fallen: false }
    }

    /// A step begins.
    pub(super) fn begin(&mut self, around: &Surroundings<'_>) {
        self.time_s = around.time_s;
        self.tick += 1;
    }

    /// The present step, borrowing none of the body's organs.
    pub(super) fn moment(&mut self, around: &Surroundings<'_>) -> Moment<'_> {
        let Self { rng, reports, tick, .. } = self;
        Moment { tick: *tick, time_s: around.time_s, demand: around.demand, rng, reports }
    }

    /// Whether a person holds it.
    pub(super) fn is_lifted(&self) -> bool {
        self.time_s < self.lifted_until_s
    }

    pub(super) fn footing(&self) -> Footing {
        match (self.is_lifted(), self.fallen) {
            (true, _) => Footing::Air,
            (false, true) => Footing::Fallen,
            (false, false) => Footing::Ground,
        }
    }

    /// Why it cannot drive, if it lies where it fell.
    pub(super) fn fall(&self) -> Option<&'static str> {
        (self.footing() == Footing::Fallen).then_some("it fell over an edge; put it elsewhere")
    }
}
