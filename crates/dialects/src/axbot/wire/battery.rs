//! The battery, in brief and with every cell.

use super::number::Measured;
use super::record::record;

record! {
    /// Section "Battery State".
    pub struct BatteryState {
        /// Seconds since 1970.
        secs: i64,
        /// Volts.
        voltage: f64,
        /// Amperes; usually negative while charging.
        current: f64,
        /// Charge left, 0..1 in spite of the name.
        percentage: f64,
        /// `charging`, `discharging`, `full`.
        power_supply_status: String,
    }
}

record! {
    /// Section "Detailed Battery State"; the last four are the vendor's later additions.
    pub struct DetailedBatteryState {
        /// Seconds since 1970.
        secs: i64,
        /// Volts.
        voltage: f64,
        /// Amperes; usually negative while charging.
        current: f64,
        /// Charge left, 0..1 in spite of the name.
        percentage: f64,
        /// `charging`, `discharging`, `full`.
        power_supply_status: String,
        /// Volts.
        cell_voltages: Vec<f64>,
        /// Ampere-hours.
        capacity: Measured,
        /// Ampere-hours.
        design_capacity: Measured,
        /// Capacity left compared with new.
        state_of_health: Measured,
        /// How often it was charged.
        cycle_count: i64,
    }
}
