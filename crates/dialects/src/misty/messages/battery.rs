//! BatteryCharge.

use latimer_core::model::signal::{Battery, PowerState};

use super::codecs::{Charge, Utc};
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::Words;
use crate::describe::{Extra, Message};

/// `sensorId` of the battery.
pub const BATTERY_SENSOR_ID: &str = "charge";
/// `sensorName` of the battery.
pub const BATTERY_SENSOR_NAME: &str = "/Sensors/RTC/BatteryCharge";

const STATES: Words<PowerState> = Words(&[
    ("Charging", PowerState::Charging),
    ("Discharging", PowerState::Discharging),
    ("Charged", PowerState::Full),
    ("Fault", PowerState::Fault),
    ("Unknown", PowerState::Unknown),
    // Not Misty's: robots of other families stand on a charger that does nothing.
    ("NotCharging", PowerState::NotCharging),
]);

/// Section "BatteryCharge", every five seconds; also `battery` in SelfState and the answer to `GET battery`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase", record = Battery, context = Context, base = Battery::UNKNOWN, finish = without_state)]
#[message(ignores(cell_voltages_v, capacity_ah, design_capacity_ah, cycles))]
pub struct BatteryCharge {
    /// Charge left, a ratio in spite of its name; `null` while unknown; above 1 it is read as percent.
    #[field(charge_ratio, codec = Charge, null)]
    pub charge_percent: Option<f64>,
    /// When the reading was taken.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Current; negative while discharging.
    #[field(current_a)]
    pub current: Option<f64>,
    /// Until when the reading is good, 10 s after `created` as in the SelfState sample.
    #[field(computed = good_for::<10_000, _>, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Capacity left compared with new, spelled like the charge.
    #[field(health_ratio, codec = Charge, null)]
    pub health_percent: Option<f64>,
    /// Whether it takes current; read where `state` is missing.
    #[field(computed = is_charging)]
    pub is_charging: Option<bool>,
    /// Always `charge`.
    #[field(constant = BATTERY_SENSOR_ID)]
    pub sensor_id: Option<String>,
    /// Always `/Sensors/RTC/BatteryCharge`.
    #[field(constant = BATTERY_SENSOR_NAME, hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// What the battery is doing. The specification shows `Discharging` only.
    #[field(state, codec = STATES, or = PowerState::Unknown)]
    pub state: Option<String>,
    /// The specification names no unit (21 and 83 in the samples); taken as °C.
    #[field(temperature_c)]
    pub temperature: Option<f64>,
    /// Whether the gauge has learned the battery.
    #[field(gauge_trained)]
    pub trained: Option<bool>,
    /// Terminal voltage.
    #[field(voltage_v)]
    pub voltage: Option<f64>,
    pub(crate) extra: Extra,
}

fn is_charging(battery: &Battery, _: &Context) -> Option<bool> {
    Some(battery.is_charging())
}

fn without_state(message: &BatteryCharge, _: &Context, battery: &mut Battery) {
    if message.state.is_none() && message.is_charging == Some(true) {
        battery.state = PowerState::Charging;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Translate;

    #[test]
    fn every_state_has_a_word() {
        for &state in PowerState::ALL {
            let battery = Battery { state, ..Battery::UNKNOWN };
            let message = BatteryCharge::encode(&battery, &Context::at(Default::default())).unwrap();
            assert_eq!(message.decode(&Context::at(Default::default())).unwrap().state, state);
        }
        let state = |state: Option<&str>| {
            let message =
                BatteryCharge { is_charging: Some(true), state: state.map(Into::into), ..Default::default() };
            message.decode(&Context::at(Default::default())).unwrap().state
        };
        assert_eq!(state(None), PowerState::Charging);
        assert_eq!(state(Some("Melting")), PowerState::Unknown);
    }
}
