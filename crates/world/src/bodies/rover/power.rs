//! The battery: what the robot takes out and the charger puts in.

use latimer_core::model::Kind;
use latimer_core::model::signal::PowerState;

use crate::bodies::moment::Moment;
use crate::drive::Tracks;
use crate::physics::STEP_S;
use crate::rng::Rng;
use crate::sensors::{BatteryPack, Cell};

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;

/// How a battery and what it feeds are made.
pub(in crate::bodies) struct PowerMake {
    /// The pack.
    pub(in crate::bodies) cell: Cell,
    /// Current of the computers, amperes.
    pub(in crate::bodies) base_a: f64,
    /// Current of the wheels: at a crawl, and its growth with speed, amperes and amperes per m/s.
    pub(in crate::bodies) drive_a: [f64; 2],
    /// Current of stalled wheels, amperes.
    pub(in crate::bodies) stall_a: f64,
    /// How often it was charged before, if its gauge tells that and its cells.
    pub(in crate::bodies) charges: Option<i64>,
}

/// The battery.
pub(in crate::bodies) struct Power {
    make: &'static PowerMake,
    pack: BatteryPack,
    told: Option<PowerState>,
    docked: bool,
    /// How often it was charged.
    charges: Option<i64>,
}

impl Power {
    pub(in crate::bodies) fn new(make: &'static PowerMake, rng: &mut Rng) -> Self {
        let pack = BatteryPack::new(make.cell, rng.between(0.75, 0.95));
        Self { make, pack, told: None, docked: false, charges: make.charges }
    }

    /// Sets the charge, 0..1; told at once.
    pub(in crate::bodies) fn set_charge(&mut self, ratio: f64) {
        self.pack.set_charge(ratio);
        self.told = None;
    }

    /// Charge left, 0..1.
    pub(in crate::bodies) fn charge_ratio(&self) -> f64 {
        self.pack.charge_ratio()
    }

    /// Whether it stands on a charger.
    pub(in crate::bodies) fn is_docked(&self) -> bool {
        self.docked
    }

    /// Whether there is too little left to drive.
    pub(in crate::bodies) fn is_empty(&self) -> bool {
        self.pack.is_empty()
    }

    /// Lives through a step and reports.
    pub(in crate::bodies) fn update(
        &mut self,
        now: &mut Moment<'_>,
        wheels: &Tracks,
        more_a: f64,
        docked: bool,
    ) {
        if docked && !std::mem::replace(&mut self.docked, docked) {
            self.charges = self.charges.map(|it| it.saturating_add(1));
        }
        self.docked = docked;
        let [left, right] = wheels.speeds_mps();
        let speed_mps = (left.abs() + right.abs()) / 2.0;
        let [still_a, growth] = self.make.drive_a;
        let wheels_a = match (wheels.is_stalled(), speed_mps > 0.005) {
            (true, _) => self.make.stall_a,
            (false, true) => still_a + growth * speed_mps,
            (false, false) => 0.0,
        };
        self.pack.run(self.make.base_a + wheels_a + more_a, docked, STEP_S);
        let state = self.pack.state();
        if now.due(Kind::Battery, PERIOD) || self.told != Some(state) {
            self.told = Some(state);
            let told = self.charges.map_or_else(|| self.pack.read(), |it| self.pack.read_cells(it));
            now.reports.say(told);
        }
    }
}
