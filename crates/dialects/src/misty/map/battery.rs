//! BatteryCharge, also `battery` in SelfState and the answer to `GET battery`.
//!
//! | wire | model |
//! |---|---|
//! | `chargePercent`, `healthPercent`: 0..1 in spite of the names | `charge_ratio`, `health_ratio` |
//! | `voltage`, V; `current`, A, negative while discharging; `temperature`, taken as °C | `voltage_v` … |
//! | `state`: `Charging` `Discharging` `Charged` `Fault` `Unknown` | charging, discharging, full, fault, unknown |
//! | `isCharging` | read only where `state` is missing |
//! | `trained` | `gauge_trained` |

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::signal::{Battery, PowerState};

use super::Heard;
use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use super::units::{finite, ratio_from_charge, tidy};
use crate::misty::wire::Extra;
use crate::misty::wire::battery::{BATTERY_SENSOR_ID, BATTERY_SENSOR_NAME, BatteryCharge, BatteryState};

/// As in the SelfState sample.
const GOOD_FOR: Duration = Duration::from_secs(10);

/// States and their words.
const STATES: [(PowerState, &str); 6] = [
    (PowerState::Charging, "Charging"),
    (PowerState::Discharging, "Discharging"),
    (PowerState::Full, "Charged"),
    (PowerState::Fault, "Fault"),
    (PowerState::Unknown, "Unknown"),
    // Not Misty's: robots of other families stand on a charger that does nothing.
    (PowerState::NotCharging, "NotCharging"),
];

/// The battery.
pub(super) fn heard_from_battery_charge(message: &BatteryCharge, received: Timestamp) -> Heard {
    let BatteryCharge {
        charge_percent,
        created,
        current,
        expiry: _,
        health_percent,
        is_charging,
        sensor_id: _,
        sensor_name: _,
        state,
        temperature,
        trained,
        voltage,
        extra: _,
    } = message;
    Heard::new(
        None,
        stamp_from_utc(created.as_deref(), received),
        Battery {
            charge_ratio: charge_percent.map(ratio_from_charge),
            voltage_v: *voltage,
            current_a: *current,
            temperature_c: *temperature,
            health_ratio: health_percent.map(ratio_from_charge),
            state: power_state(state.as_ref(), *is_charging),
            gauge_trained: *trained,
            ..Battery::UNKNOWN
        },
    )
}

fn power_state(state: Option<&BatteryState>, is_charging: Option<bool>) -> PowerState {
    let word = state.map(BatteryState::as_str);
    match (word, is_charging) {
        (Some(word), _) => STATES
            .iter()
            .find(|(_, known)| known.eq_ignore_ascii_case(word))
            .map_or(PowerState::Unknown, |(state, _)| *state),
        (None, Some(true)) => PowerState::Charging,
        (None, _) => PowerState::Unknown,
    }
}

/// A message about the battery.
pub fn battery_charge_from_battery(battery: &Battery, at: Timestamp) -> BatteryCharge {
    let Battery {
        charge_ratio,
        voltage_v,
        current_a,
        temperature_c,
        health_ratio,
        state,
        gauge_trained,
        cell_voltages_v: _,
        capacity_ah: _,
        design_capacity_ah: _,
        cycles: _,
    } = battery;
    let word = STATES.iter().find(|(known, _)| known == state).map(|(_, word)| BatteryState::from(*word));
    let ratio = |ratio: &Option<f64>| ratio.and_then(finite).map(tidy);
    BatteryCharge {
        charge_percent: ratio(charge_ratio),
        created: Some(utc_from_timestamp(at)),
        current: current_a.and_then(finite),
        expiry: expiry(at, GOOD_FOR),
        health_percent: ratio(health_ratio),
        is_charging: Some(battery.is_charging()),
        sensor_id: Some(BATTERY_SENSOR_ID.to_owned()),
        sensor_name: Some(BATTERY_SENSOR_NAME.to_owned()),
        state: word,
        temperature: temperature_c.and_then(finite),
        trained: *gauge_trained,
        voltage: voltage_v.and_then(finite),
        extra: Extra::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_word() {
        for &state in PowerState::ALL {
            let battery = Battery { state, ..Battery::UNKNOWN };
            let wire = battery_charge_from_battery(&battery, Timestamp::default());
            assert_eq!(power_state(wire.state.as_ref(), wire.is_charging), state);
        }
        assert_eq!(power_state(None, Some(true)), PowerState::Charging);
        assert_eq!(power_state(Some(&BatteryState::from("Melting")), Some(true)), PowerState::Unknown);
    }
}
