//! `/battery_state`, `/detailed_battery_state`.
//!
//! | wire | model |
//! |---|---|
//! | `current`, usually negative while charging | `current_a`, the other way round |
//! | `percentage`: 0..1 in spite of the name | `charge_ratio` |
//! | `power_supply_status` | `state`; nothing is written for a fault or what is not known |
//! | `capacity`, `design_capacity`: Ah, or the text `nan` | `capacity_ah`, `design_capacity_ah` |
//! | `state_of_health`: 0..1 | `health_ratio` |

use latimer_core::Timestamp;
use latimer_core::model::signal::{Battery, PowerState};

use super::Heard;
use super::units::{finite, secs_from_timestamp, stamp_from_secs, tidy};
use super::words::{meaning_of, word_of};
use crate::axbot::wire::battery::{BatteryState, DetailedBatteryState};
use crate::axbot::wire::{Extra, Measured};

/// The last is not in the specification, but one client is known to take it.
pub(in crate::axbot) const STATES: [(&str, PowerState); 4] = [
    ("charging", PowerState::Charging),
    ("discharging", PowerState::Discharging),
    ("full", PowerState::Full),
    ("not_charging", PowerState::NotCharging),
];

/// The battery in brief.
pub(super) fn heard_from_battery_state(message: &BatteryState, received: Timestamp) -> Heard {
    let BatteryState { secs, voltage, current, percentage, power_supply_status, extra: _ } = message;
    let battery = Battery {
        charge_ratio: *percentage,
        voltage_v: *voltage,
        current_a: current.map(turned),
        state: state(power_supply_status.as_deref()),
        ..Battery::UNKNOWN
    };
    Heard::new(None, stamp_from_secs(*secs, received), battery)
}

/// The battery with every cell.
pub(super) fn heard_from_detailed(message: &DetailedBatteryState, received: Timestamp) -> Heard {
    let DetailedBatteryState {
        secs,
        voltage,
        current,
        percentage,
        power_supply_status,
        cell_voltages,
        capacity,
        design_capacity,
        state_of_health,
        cycle_count,
        extra: _,
    } = message;
    let battery = Battery {
        charge_ratio: *percentage,
        voltage_v: *voltage,
        current_a: current.map(turned),
        temperature_c: None,
        health_ratio: state_of_health.and_then(Measured::number),
        state: state(power_supply_status.as_deref()),
        gauge_trained: None,
        cell_voltages_v: cell_voltages.clone().unwrap_or_default(),
        capacity_ah: capacity.and_then(Measured::number),
        design_capacity_ah: design_capacity.and_then(Measured::number),
        cycles: *cycle_count,
    };
    Heard::new(None, stamp_from_secs(*secs, received), battery)
}

fn turned(current: f64) -> f64 {
    // Without the sum 0 would become -0.
    -current + 0.0
}

fn state(word: Option<&str>) -> PowerState {
    word.and_then(|word| meaning_of(&STATES, word)).unwrap_or(PowerState::Unknown)
}

/// The message in brief.
pub(super) fn battery_state(battery: &Battery, at: Timestamp) -> BatteryState {
    BatteryState {
        secs: Some(secs_from_timestamp(at)),
        voltage: battery.voltage_v.and_then(finite),
        current: battery.current_a.map(turned).and_then(finite),
        percentage: battery.charge_ratio.and_then(finite),
        power_supply_status: word_of(&STATES, &battery.state).map(str::to_owned),
        extra: Extra::new(),
    }
}

/// The message with every cell, with none of a robot that does not tell them: some clients listen to this message alone.
pub(super) fn detailed(battery: &Battery, at: Timestamp) -> DetailedBatteryState {
    let cells: Vec<f64> = battery.cell_voltages_v.iter().copied().filter_map(finite).collect();
    let BatteryState { secs, voltage, current, percentage, power_supply_status, extra } =
        battery_state(battery, at);
    let measured = |number: Option<f64>| number.and_then(finite).map(tidy).map(Measured::Number);
    DetailedBatteryState {
        secs,
        voltage,
        current,
        percentage,
        power_supply_status,
        cell_voltages: Some(cells),
        capacity: measured(battery.capacity_ah),
        design_capacity: measured(battery.design_capacity_ah),
        state_of_health: measured(battery.health_ratio),
        cycle_count: battery.cycles,
        extra,
    }
}
