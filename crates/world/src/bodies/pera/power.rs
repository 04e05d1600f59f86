//! The battery.

use latimer_core::model::Kind;
use latimer_core::model::signal::PowerState;

use super::parts::{CELL, LOAD_A};
use crate::bodies::moment::Moment;
use crate::physics::{STEP_S, Surroundings};
use crate::rng::Rng;
use crate::sensors::BatteryPack;

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;

/// Steps for which the pack's life is reckoned at once; its voltage hardly moves in that time.
const SPAN: u32 = 10;

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

    /// Lives and reports; the speed is the wheels' mean, m/s.
    pub(super) fn update(
        &mut self,
        now: &mut Moment<'_>,
        around: &Surroundings<'_>,
        speed_mps: f64,
        lifted: bool,
    ) {
        if now.every(u64::from(SPAN)) {
            let [base_a, crawl_a, growth_a] = LOAD_A;
            let drive_a = if speed_mps > 0.001 { crawl_a + growth_a * speed_mps } else { 0.0 };
            let docked = !lifted && around.on_charger();
            self.pack.run(base_a + drive_a, docked, STEP_S * f64::from(SPAN));
        }
        let state = self.pack.state();
        if now.due(Kind::Battery, PERIOD) || self.told != Some(state) {
            self.told = Some(state);
            now.reports.say(self.pack.read());
        }
    }
}
