//! The battery of a body: what it takes out and the charger puts in.

use latimer_core::model::Kind;
use latimer_core::model::signal::{Battery as Reading, PowerState};

use super::moment::Moment;
use crate::behaviour::Vitals;
use crate::rng::Rng;
use crate::sensors::{BatteryPack, Cell};

/// A pack that is reported at a rate, and whenever its charger comes or goes.
pub(super) struct Battery {
    pack: BatteryPack,
    /// Steps between two reports.
    period: u64,
    published: Option<PowerState>,
}

impl Battery {
    /// A lithium pack that is reported once in so many steps.
    pub(super) fn new(cell: Cell, period: u64, rng: &mut Rng) -> Self {
        Self { pack: BatteryPack::new(cell, first_charge(rng)), period, published: None }
    }

    /// The same of nickel-metal hydride.
    pub(super) fn nickel(cell: Cell, period: u64, rng: &mut Rng) -> Self {
        Self { pack: BatteryPack::nickel(cell, first_charge(rng)), period, published: None }
    }

    /// Sets the charge, 0..1; published at once.
    pub(super) fn set_charge(&mut self, ratio: f64) {
        self.pack.set_charge(ratio);
        self.published = None;
    }

    /// Charge left, 0..1.
    pub(super) fn charge_ratio(&self) -> f64 {
        self.pack.charge_ratio()
    }

    /// Whether a charger charges it.
    pub(super) fn is_charged(&self) -> bool {
        matches!(self.pack.state(), PowerState::Charging | PowerState::Full)
    }

    /// Whether there is too little left to drive.
    pub(super) fn is_empty(&self) -> bool {
        self.pack.is_empty()
    }

    /// How a body is that has no more to say of it.
    pub(super) fn vitals(&self) -> Vitals {
        Vitals { charge_ratio: Some(self.charge_ratio()), docked: self.is_charged(), pose: None }
    }

    /// Gives a load for some time, or takes charge from a charger so many times as fast as a real one.
    pub(super) fn run(&mut self, load_a: f64, charger_speed: Option<f64>, seconds: f64) {
        self.pack.run(load_a, charger_speed, seconds);
    }

    /// Reports what its gauge reads.
    pub(super) fn publish(&mut self, now: &mut Moment<'_>) {
        self.publish_as(now, BatteryPack::read);
    }

    /// Reports what another gauge reads.
    pub(super) fn publish_as(&mut self, now: &mut Moment<'_>, read: impl Fn(&BatteryPack) -> Reading) {
        let state = self.pack.state();
        if now.due(Kind::Battery, self.period) || self.published != Some(state) {
            self.published = Some(state);
            now.reports.publish(read(&self.pack));
        }
    }
}

fn first_charge(rng: &mut Rng) -> f64 {
    rng.between(0.75, 0.95)
}

/// Current of drive motors that turn, amperes.
#[derive(Clone, Copy)]
pub(super) struct DriveLoad {
    /// At a crawl.
    pub(super) crawl_a: f64,
    /// For each m/s.
    pub(super) growth_a: f64,
}

impl DriveLoad {
    /// At a speed that is the mean of both sides, m/s.
    pub(super) fn at(self, speed_mps: f64) -> f64 {
        if speed_mps > 0.005 { self.crawl_a + self.growth_a * speed_mps } else { 0.0 }
    }
}
