//! The battery: what the robot takes out and the charger puts in.

use latimer_core::model::Kind;
use latimer_core::model::signal::PowerState;

use super::parts::{BASE_LOAD_A, CELL, DRIVE_LOAD_A, STALL_LOAD_A};
use crate::bodies::moment::Moment;
use crate::drive::Tracks;
use crate::physics::STEP_S;
use crate::rng::Rng;
use crate::sensors::BatteryPack;

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;

/// The battery.
pub(super) struct Power {
    pack: BatteryPack,
    told: Option<PowerState>,
    docked: bool,
}

impl Power {
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self { pack: BatteryPack::new(CELL, rng.between(0.75, 0.95)), told: None, docked: false }
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

    /// Whether it stands on a charger.
    pub(super) fn is_docked(&self) -> bool {
        self.docked
    }

    /// Whether there is too little left to drive.
    pub(super) fn is_empty(&self) -> bool {
        self.pack.is_empty()
    }

    /// Lives through a step and reports.
    pub(super) fn update(&mut self, now: &mut Moment<'_>, wheels: &Tracks, arm_a: f64, docked: bool) {
        self.docked = docked;
        let [left, right] = wheels.speeds_mps();
        let speed_mps = (left.abs() + right.abs()) / 2.0;
        let [still_a, growth] = DRIVE_LOAD_A;
        let wheels_a = match (wheels.is_stalled(), speed_mps > 0.005) {
            (true, _) => STALL_LOAD_A,
            (false, true) => still_a + growth * speed_mps,
            (false, false) => 0.0,
        };
        self.pack.run(BASE_LOAD_A + wheels_a + arm_a, docked, STEP_S);
        let state = self.pack.state();
        if now.due(Kind::Battery, PERIOD) || self.told != Some(state) {
            self.told = Some(state);
            now.reports.say(self.pack.read());
        }
    }
}
