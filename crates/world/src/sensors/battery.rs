//! A pack of lithium-ion or nickel cells: charge, voltage under load, temperature, and the charger's two
//! phases.

use latimer_core::model::signal::{Battery, PowerState};

/// Open-circuit voltage of one lithium cell over its charge: steep at both ends, flat between.
const LITHIUM_V: [(f64, f64); 9] = [
    (0.0, 3.0),
    (0.05, 3.35),
    (0.1, 3.5),
    (0.2, 3.6),
    (0.4, 3.7),
    (0.6, 3.82),
    (0.8, 3.98),
    (0.95, 4.12),
    (1.0, 4.2),
];

/// Open-circuit voltage of one nickel cell over its charge: flatter still.
const NICKEL_V: [(f64, f64); 7] =
    [(0.0, 1.0), (0.05, 1.15), (0.1, 1.2), (0.3, 1.24), (0.7, 1.28), (0.9, 1.33), (1.0, 1.4)];

/// Room temperature, °C.
const ROOM_C: f64 = 22.0;

/// How many degrees a watt of loss heats a pack of so many ampere hours in all its cells, in the end (plausible).
const HEATING_C_PER_W: f64 = 9.0;
const HEATED_AH: f64 = 10.0;

/// Time constant of heating and cooling, seconds.
const HEATING_S: f64 = 900.0;

/// Charge at which a pack counts as empty, 0..1.
const EMPTY_RATIO: f64 = 0.02;

/// How far cells are off their mean, volts (plausible).
const CELL_SPREAD_V: [f64; 7] = [0.004, -0.002, 0.001, -0.005, 0.0, 0.003, -0.001];

/// How a pack is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Cells in series.
    pub in_series: f64,
    /// Capacity, ampere hours.
    pub capacity_ah: f64,
    /// Inner resistance of the pack, ohms.
    pub resistance_ohm: f64,
    /// Greatest charging current, amperes.
    pub charging_a: f64,
}

/// A pack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatteryPack {
    cell: Cell,
    /// Open-circuit voltage of one cell over its charge; the last is where the charger holds.
    curve: &'static [(f64, f64)],
    charge_ratio: f64,
    current_a: f64,
    temperature_c: f64,
    docked: bool,
    full: bool,
}

impl BatteryPack {
    /// A lithium pack at room temperature with some charge, 0..1.
    pub fn new(cell: Cell, charge_ratio: f64) -> Self {
        Self::of(&LITHIUM_V, cell, charge_ratio)
    }

    /// The same of nickel-metal hydride.
    pub fn nickel(cell: Cell, charge_ratio: f64) -> Self {
        Self::of(&NICKEL_V, cell, charge_ratio)
    }

    fn of(curve: &'static [(f64, f64)], cell: Cell, charge_ratio: f64) -> Self {
        Self { curve, cell, charge_ratio, current_a: 0.0, temperature_c: ROOM_C, docked: false, full: false }
    }

    /// Sets the charge, 0..1.
    pub fn set_charge(&mut self, charge_ratio: f64) {
        self.charge_ratio = charge_ratio.clamp(0.0, 1.0);
        self.full = false;
    }

    /// Charge left, 0..1.
    pub fn charge_ratio(&self) -> f64 {
        self.charge_ratio
    }

    /// Whether there is too little left to drive.
    pub fn is_empty(&self) -> bool {
        self.charge_ratio <= EMPTY_RATIO && !self.docked
    }

    /// Gives a load for some time, or takes charge from a charger so many times as fast as a real one, which carries the
    /// load. The current is that of a real one all the same.
    pub fn run(&mut self, load_a: f64, charger_speed: Option<f64>, seconds: f64) {
        let docked = charger_speed.is_some();
        self.docked = docked;
        self.full = docked && (self.charge_ratio >= 0.999 || self.full && self.charge_ratio > 0.98);
        let headroom_v = self.cell.in_series * self.charged_v() - self.open_circuit_v();
        self.current_a = match (docked, self.full) {
            (true, true) => 0.0,
            (true, false) => self.cell.charging_a.min(headroom_v / self.cell.resistance_ohm + 0.05),
            (false, _) if self.charge_ratio > 0.0 => -load_a,
            (false, _) => 0.0,
        };
        let moved_ah = self.current_a * charger_speed.unwrap_or(1.0) * seconds / 3_600.0;
        self.charge_ratio = (self.charge_ratio + moved_ah / self.cell.capacity_ah).clamp(0.0, 1.0);
        let loss_w = self.current_a * self.current_a * self.cell.resistance_ohm;
        // A larger pack has a larger surface.
        let surface = (self.cell.in_series * self.cell.capacity_ah / HEATED_AH).powf(2.0 / 3.0);
        let settles_c = ROOM_C + HEATING_C_PER_W / surface * loss_w;
        self.temperature_c += (settles_c - self.temperature_c) * (seconds / HEATING_S).min(1.0);
    }

    /// What it is doing.
    pub fn state(&self) -> PowerState {
        match (self.docked, self.full) {
            (true, true) => PowerState::Full,
            (true, false) => PowerState::Charging,
            (false, _) => PowerState::Discharging,
        }
    }

    /// One reading of its gauge.
    pub fn read(&self) -> Battery {
        let rounded = |value: f64, steps: f64| (value * steps).round() / steps;
        Battery {
            charge_ratio: Some(rounded(self.charge_ratio, 1_000.0)),
            voltage_v: Some(rounded(
                self.open_circuit_v() + self.current_a * self.cell.resistance_ohm,
                1_000.0,
            )),
            current_a: Some(rounded(self.current_a, 1_000.0)),
            temperature_c: Some(rounded(self.temperature_c, 10.0)),
            health_ratio: Some(0.97),
            state: self.state(),
            gauge_trained: Some(true),
            ..Battery::UNKNOWN
        }
    }

    /// One reading of a gauge that knows each cell and counts charges; cells differ a little, always alike.
    pub fn read_cells(&self, charges: i64) -> Battery {
        let published = self.read();
        let count = self.cell.in_series.max(1.0) as usize;
        let mean_v = published.voltage_v.unwrap_or_default() / count as f64;
        let spread = |cell: usize| CELL_SPREAD_V[cell % CELL_SPREAD_V.len()];
        let middle_v = (0..count).map(spread).sum::<f64>() / count as f64;
        let cell_v = |cell: usize| ((mean_v + spread(cell) - middle_v) * 1e4).round() / 1e4;
        let health = published.health_ratio.unwrap_or(1.0);
        Battery {
            cell_voltages_v: (0..count).map(cell_v).collect(),
            capacity_ah: Some(self.cell.capacity_ah * health),
            design_capacity_ah: Some(self.cell.capacity_ah),
            cycles: Some(charges),
            ..published
        }
    }

    fn open_circuit_v(&self) -> f64 {
        let charge = self.charge_ratio;
        let cell_v = self.curve.windows(2).find_map(|pair| match pair {
            &[(c0, v0), (c1, v1)] if charge <= c1 => Some(v0 + (v1 - v0) * (charge - c0) / (c1 - c0)),
            _ => None,
        });
        self.cell.in_series * cell_v.unwrap_or_else(|| self.charged_v())
    }

    /// Voltage of one cell at which the charger holds.
    fn charged_v(&self) -> f64 {
        self.curve.last().map_or(0.0, |(_, volts)| *volts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: Cell = Cell { in_series: 2.0, capacity_ah: 5.0, resistance_ohm: 0.12, charging_a: 1.5 };

    #[test]
    fn cells_differ_a_little_and_sum_up_to_the_pack() {
        let mut pack = BatteryPack::new(Cell { in_series: 7.0, ..CELL }, 0.6);
        pack.run(3.0, None, 1.0);
        let published = pack.read_cells(12);
        let sum_v: f64 = published.cell_voltages_v.iter().sum();
        assert!((sum_v - published.voltage_v.unwrap()).abs() < 1e-3, "{published:?}");
        let most = published.cell_voltages_v.iter().fold(0.0, |a: f64, b| a.max(*b));
        let least = published.cell_voltages_v.iter().fold(9.0, |a: f64, b| a.min(*b));
        assert!(published.cell_voltages_v.len() == 7 && most > least && most - least < 0.02);
        assert!(published.capacity_ah < published.design_capacity_ah && published.cycles == Some(12));
    }

    #[test]
    fn a_load_drains_sags_and_warms() {
        let mut pack = BatteryPack::new(CELL, 0.5);
        pack.run(0.0, None, 1.0);
        let rest = pack.read();
        for _ in 0..3_600 {
            pack.run(2.0, None, 1.0);
        }
        let loaded = pack.read();
        assert!((loaded.charge_ratio.unwrap() - 0.1).abs() < 0.01, "2 A for 1 h of 5 Ah: {loaded:?}");
        assert!(loaded.voltage_v.unwrap() < rest.voltage_v.unwrap() - 0.24);
        assert!(loaded.temperature_c.unwrap() > ROOM_C + 3.0);
        assert_eq!(loaded.current_a, Some(-2.0));
    }

    #[test]
    fn charging_tapers_and_ends() {
        let mut pack = BatteryPack::new(CELL, 0.9);
        pack.run(0.5, Some(1.0), 1.0);
        assert_eq!((pack.state(), pack.read().current_a), (PowerState::Charging, Some(1.5)));
        for _ in 0..7_200 {
            pack.run(0.5, Some(1.0), 1.0);
        }
        assert_eq!((pack.state(), pack.read().current_a), (PowerState::Full, Some(0.0)));
        assert!(pack.read().voltage_v.unwrap() <= 8.4);
    }

    #[test]
    fn a_large_pack_stays_cool_and_a_fast_charger_takes_minutes() {
        let cell = Cell { in_series: 7.0, capacity_ah: 30.0, resistance_ohm: 0.06, charging_a: 8.0 };
        let mut pack = BatteryPack::new(cell, 0.15);
        for _ in 0..480 {
            pack.run(2.0, Some(30.0), 1.0);
        }
        let charged = pack.read();
        assert!(charged.charge_ratio > Some(0.9) && charged.current_a <= Some(8.0), "{charged:?}");
        for _ in 0..7_200 {
            pack.run(8.0, None, 1.0);
        }
        let warm_c = pack.read().temperature_c.unwrap();
        assert!((ROOM_C + 3.0..35.0).contains(&warm_c), "{warm_c}");
    }

    #[test]
    fn nickel_stays_near_its_nominal_voltage() {
        let cell = Cell { in_series: 4.0, capacity_ah: 10.0, resistance_ohm: 0.08, charging_a: 2.0 };
        for charge in [0.2, 0.5, 0.8] {
            let volts = BatteryPack::nickel(cell, charge).read().voltage_v.unwrap();
            assert!((4.8..5.3).contains(&volts), "{volts} V at {charge}");
        }
    }

    #[test]
    fn empty_is_empty_until_docked() {
        let mut pack = BatteryPack::new(CELL, 0.01);
        assert!(pack.is_empty());
        pack.run(0.5, Some(1.0), 0.01);
        assert!(!pack.is_empty());
    }
}
