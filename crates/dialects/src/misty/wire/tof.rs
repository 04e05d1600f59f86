//! TimeOfFlight, and the names of its eight sensors.

use serde::{Deserialize, Serialize};

use super::{Extra, number::whole, words::words};

/// Section "TimeOfFlight": one distance reading of one sensor.
///
/// `averageTimeMs`, `inHazard`, `sensorPosition`, `sigma` and `signal` come from firmware of 2020 and later.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TimeOfFlight {
    /// Time the sensor averaged over, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_time_ms: Option<f64>,
    /// When the message was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// Distance of the nearest object, m; see `status` before trusting it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance_in_meters: Option<f64>,
    /// Until when the reading is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<String>,
    /// Whether the reading is in the hazard range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_hazard: Option<bool>,
    /// One of [`TOF_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_id: Option<String>,
    /// One of [`TOF_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_name: Option<String>,
    /// One of [`TOF_SENSORS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensor_position: Option<String>,
    /// Standard deviation of the reading; unit unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sigma: Option<f64>,
    /// Strength of the return; unit unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<f64>,
    /// 0 valid, 100s doubtful, 200s and -1 errors: [`RangeStatus`](super::tof_status::RangeStatus) or
    /// [`EdgeStatus`](super::tof_status::EdgeStatus), by `type`.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub status: Option<i64>,
    /// Which of the two kinds of sensor this is.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_: Option<TofType>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

words! {
    /// `type` of a TimeOfFlight message.
    TofType {
        /// Looks along the floor.
        Range = "Range",
        /// Looks down at the floor.
        Edge = "Edge",
    }
}

/// The names of a time-of-flight sensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TofSensor {
    /// "Sensor Position" in the specification's table.
    pub place: &'static str,
    /// `sensorName` in TimeOfFlight.
    pub sensor_name: &'static str,
    /// `sensorName` in HazardNotification, which spells it in capitals.
    pub hazard_name: &'static str,
    /// `sensorId`.
    pub sensor_id: &'static str,
    /// `sensorPosition`, by which clients filter.
    pub sensor_position: &'static str,
    /// `type`.
    pub type_: TofType,
}

/// Table "Time-of-Flight Sensor Details", in its order.
pub const TOF_SENSORS: [TofSensor; 8] = [
    TofSensor {
        place: "Right Front",
        sensor_name: "toF_Right",
        hazard_name: "TOF_Right",
        sensor_id: "toffr",
        sensor_position: "Right",
        type_: TofType::Range,
    },
    TofSensor {
        place: "Left Front",
        sensor_name: "toF_Left",
        hazard_name: "TOF_Left",
        sensor_id: "toffl",
        sensor_position: "Left",
        type_: TofType::Range,
    },
    TofSensor {
        place: "Center Front",
        sensor_name: "toF_Center",
        hazard_name: "TOF_Center",
        sensor_id: "toffc",
        sensor_position: "Center",
        type_: TofType::Range,
    },
    TofSensor {
        place: "Back",
        sensor_name: "toF_Back",
        hazard_name: "TOF_Back",
        sensor_id: "tofr",
        sensor_position: "Back",
        type_: TofType::Range,
    },
    TofSensor {
        place: "Downward Front Right",
        sensor_name: "toF_DownFrontRight",
        hazard_name: "TOF_DownFrontRight",
        sensor_id: "tofdfr",
        sensor_position: "DownFrontRight",
        type_: TofType::Edge,
    },
    TofSensor {
        place: "Downward Front Left",
        sensor_name: "toF_DownFrontLeft",
        hazard_name: "TOF_DownFrontLeft",
        sensor_id: "tofdfl",
        sensor_position: "DownFrontLeft",
        type_: TofType::Edge,
    },
    TofSensor {
        place: "Downward Back Right",
        sensor_name: "toF_DownBackRight",
        hazard_name: "TOF_DownBackRight",
        sensor_id: "tofdrr",
        sensor_position: "DownBackRight",
        type_: TofType::Edge,
    },
    TofSensor {
        place: "Downward Back Left",
        sensor_name: "toF_DownBackLeft",
        hazard_name: "TOF_DownBackLeft",
        sensor_id: "tofdrl",
        sensor_position: "DownBackLeft",
        type_: TofType::Edge,
    },
];
