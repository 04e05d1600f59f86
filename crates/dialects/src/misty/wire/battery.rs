//! BatteryCharge.

use serde::{Deserialize, Serialize};

use super::{Extra, words::words};

/// `sensorId` of the battery.
pub const BATTERY_SENSOR_ID: &str = "charge";
/// `sensorName` of the battery.
pub const BATTERY_SENSOR_NAME: &str = "/Sensors/RTC/BatteryCharge";

/// Section "BatteryCharge", every five seconds; also `battery` in SelfState and the answer to `GET battery`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BatteryCharge {
    /// Charge; `null` while unknown. The specification names neither ratio nor percent.
    pub charge_percent: Option<f64>,
    /// When the reading was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Current, A; negative while discharging.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<f64>,
    /// Until when the reading is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Health; `null` while unknown.
    pub health_percent: Option<f64>,
    /// Whether a charger is connected and charging.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_charging: Option<bool>,
    /// `charge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// `/Sensors/RTC/BatteryCharge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// What the battery is doing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<BatteryState>,
    /// Temperature, in a unit that the specification does not name (21 and 83 in the samples).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Whether the gauge has learned the battery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trained: Option<bool>,
    /// Voltage, V.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voltage: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

words! {
    /// `state` of a BatteryCharge message. The specification shows `Discharging` only.
    BatteryState {
        Charging = "Charging",
        Discharging = "Discharging",
    }
}
