//! The battery: what the robot takes out and the charger puts in.

use crate::bodies::battery::{Battery, DriveLoad};
use crate::bodies::moment::Moment;
use crate::drive::Tracks;
use crate::physics::STEP_S;
use crate::rng::Rng;
use crate::sensors::Cell;

/// Steps between two reports: 1 s.
const PERIOD: u64 = 100;

/// How a battery and what it feeds are made.
pub(in crate::bodies) struct PowerMake {
    /// The pack.
    pub(in crate::bodies) cell: Cell,
    /// Current of the computers, amperes.
    pub(in crate::bodies) base_a: f64,
    /// Current of the wheels.
    pub(in crate::bodies) drive: DriveLoad,
    /// Current of stalled wheels, amperes.
    pub(in crate::bodies) stall_a: f64,
    /// How often it was charged before, if its gauge has that and its cells.
    pub(in crate::bodies) charges: Option<i64>,
}

/// The battery.
pub(in crate::bodies) struct Power {
    make: &'static PowerMake,
    pub(in crate::bodies) battery: Battery,
    docked: bool,
    /// How often it was charged.
    charges: Option<i64>,
}

impl Power {
    pub(in crate::bodies) fn new(make: &'static PowerMake, rng: &mut Rng) -> Self {
        let battery = Battery::new(make.cell, PERIOD, rng);
        Self { make, battery, docked: false, charges: make.charges }
    }

    /// Whether it stands on a charger.
    pub(in crate::bodies) fn is_docked(&self) -> bool {
        self.docked
    }

    /// Lives through a step and reports.
    pub(in crate::bodies) fn update(
        &mut self,
        now: &mut Moment<'_>,
        wheels: &Tracks,
        more_a: f64,
        charger_speed: Option<f64>,
    ) {
        let docked = charger_speed.is_some();
        if docked && !std::mem::replace(&mut self.docked, docked) {
            self.charges = self.charges.map(|it| it.saturating_add(1));
        }
        self.docked = docked;
        let [left, right] = wheels.speeds_mps();
        let speed_mps = (left.abs() + right.abs()) / 2.0;
        let PowerMake { base_a, drive, stall_a, .. } = *self.make;
        let wheels_a = if wheels.is_stalled() { stall_a } else { drive.at(speed_mps) };
        self.battery.run(base_a + wheels_a + more_a, charger_speed, STEP_S);
        let charges = self.charges;
        self.battery.publish_as(now, |pack| charges.map_or_else(|| pack.read(), |it| pack.read_cells(it)));
    }
}
