//! Batteries, after `sensor_msgs/BatteryState`.

use crate::model::record::{record, words};

words! {
    /// What the battery is doing, as in `sensor_msgs/BatteryState`.
    pub enum PowerState {
        /// Gives current.
        Discharging = "discharging",
        /// Takes current.
        Charging = "charging",
        /// On the charger, not taking current.
        NotCharging = "not_charging",
        /// Fully charged.
        Full = "full",
        /// The battery or the charger reports a fault.
        Fault = "fault",
        /// The robot does not know.
        Unknown = "unknown",
    }
}

record! {
    /// A battery.
    pub struct Battery {
        /// Charge left, 0..1.
        pub charge_ratio: Option<f64>,
        /// Terminal voltage.
        pub voltage_v: Option<f64>,
        /// Current; negative while discharging, as in ROS.
        pub current_a: Option<f64>,
        /// Cell temperature.
        pub temperature_c: Option<f64>,
        /// Capacity left compared with new, 0..1.
        pub health_ratio: Option<f64>,
        /// What it is doing.
        pub state: PowerState,
        /// Whether the gauge has learnt the battery's capacity.
        pub gauge_trained: Option<bool>,
        /// The voltage of each cell; empty if the robot does not tell.
        pub cell_voltages_v: Vec<f64>,
        /// Charge that fits in now, ampere-hours.
        pub capacity_ah: Option<f64>,
        /// Charge that fitted in when it was new, ampere-hours.
        pub design_capacity_ah: Option<f64>,
        /// How often it was charged.
        pub cycles: Option<i64>,
    }
}

impl Battery {
    /// A battery of which nothing is known.
    pub const UNKNOWN: Self = Self {
        charge_ratio: None,
        voltage_v: None,
        current_a: None,
        temperature_c: None,
        health_ratio: None,
        state: PowerState::Unknown,
        gauge_trained: None,
        cell_voltages_v: Vec::new(),
        capacity_ah: None,
        design_capacity_ah: None,
        cycles: None,
    };

    /// Whether it takes current.
    pub fn is_charging(&self) -> bool {
        self.state == PowerState::Charging
    }
}
