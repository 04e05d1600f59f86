//! The battery, in brief and with every cell.

use latimer_core::model::signal::{Battery, PowerState};

use super::Context;
use super::codecs::{OrNan, Seconds};
use crate::axbot::wire::Measured;
use crate::describe::{Extra, Message};

/// The last is not in the specification, but one client is known to take it.
pub(in crate::axbot) const POWER_STATES: &[(&str, PowerState)] = &[
    ("charging", PowerState::Charging),
    ("discharging", PowerState::Discharging),
    ("full", PowerState::Full),
    ("not_charging", PowerState::NotCharging),
];

/// Section "Battery State".
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Battery, context = Context, base = Battery::UNKNOWN)]
#[message(ignores(temperature_c, health_ratio, gauge_trained, cell_voltages_v))]
#[message(ignores(capacity_ah, design_capacity_ah, cycles))]
pub struct BatteryState {
    /// Seconds since 1970.
    #[field(stamp, codec = Seconds)]
    pub secs: Option<i64>,
    /// Terminal voltage.
    #[field(voltage_v)]
    pub voltage: Option<f64>,
    /// Current; usually negative while charging.
    #[field(current_a, factor = -1.0)]
    pub current: Option<f64>,
    /// Charge left, a ratio in spite of its name.
    #[field(charge_ratio)]
    pub percentage: Option<f64>,
    /// Left out for a fault and for what is not known.
    #[field(state, words = POWER_STATES, or = PowerState::Unknown)]
    pub power_supply_status: Option<String>,
    pub(crate) extra: Extra,
}

/// Section "Detailed Battery State"; the last four are the vendor's later additions.
///
/// A robot that does not tell its cells sends it without them, as some clients take this message alone.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Battery, context = Context)]
pub struct DetailedBatteryState {
    /// What `/battery_state` tells.
    #[field(flatten)]
    pub brief: BatteryState,
    /// Of each cell.
    #[field(cell_voltages_v, each, or = Vec::new())]
    pub cell_voltages: Option<Vec<f64>>,
    /// Charge that fits in; the text `nan` if nobody measured.
    #[field(capacity_ah, codec = OrNan)]
    pub capacity: Option<Measured>,
    /// Charge that fitted in when it was new; the text `nan` if nobody measured.
    #[field(design_capacity_ah, codec = OrNan)]
    pub design_capacity: Option<Measured>,
    /// Capacity left compared with new; the text `nan` if nobody measured.
    #[field(health_ratio, codec = OrNan)]
    pub state_of_health: Option<Measured>,
    /// How often it was charged.
    #[field(cycles)]
    pub cycle_count: Option<i64>,
    pub(crate) extra: Extra,
}
