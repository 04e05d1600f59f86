//! The battery: what the robot takes out and the charger puts in.

use latimer_core::model::Kind;
use latimer_core::model::signal::PowerState;

use super::parts::{BASE_LOAD_A, CELL};
use crate::bodies::moment::Moment;
use crate::physics::STEP_S;
use crate::rng::Rng;
use crate::sensors::BatteryPack;

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;

/// Current of the drive motors at a crawl and its growth with speed, amperes and amperes per m/s (plausible).
const DRIVE_LOAD_A: [f64; 2] = [0.3, 2.4];

/// Current of stalled drive motors, amperes (plausible).
const STALL_LOAD_A: f64 = 4.0;

/// The battery.
pub(super) struct Power {
    pack: BatteryPack,
    told: Option<PowerState>,
}

impl Power {
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self { pack: BatteryPack::new(CELL, rng.between(0.75, 0.95)), told: None }
    }

    /// Sets the charge, 0..1; told at once.
    pub(super) fn set_charge(&mut self, ratio: f64) {
        self.pack.set_charge(ratio);
        self.told = None;
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

    /// Lives through a step and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, load: &Load, docked: bool) {
        self.pack.run(load.total_a(), docked, STEP_S);
        let state = self.pack.state();
        if now.due(Kind::Battery, PERIOD) || self.told != Some(state) {
            self.told = Some(state);
            now.reports.say(self.pack.read());
        }
    }
}

/// What takes current.
pub(super) struct Load {
    /// Mean speed of the tracks, m/s.
    pub(super) tracks_mps: f64,
    /// Whether they push in vain.
    pub(super) stalled: bool,
    /// Head and arms, amperes.
    pub(super) joints_a: f64,
}

impl Load {
    fn total_a(&self) -> f64 {
        let [crawl, growth] = DRIVE_LOAD_A;
        let drive = match (self.stalled, self.tracks_mps > 0.005) {
            (true, _) => STALL_LOAD_A,
            (false, true) => crawl + growth * self.tracks_mps,
            (false, false) => 0.0,
        };
        BASE_LOAD_A + drive + self.joints_a
    }
}
