//! SelfState.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Extra, goal::CurrentGoal, mind::MentalState, number::whole, slam::SlamStatus, words::words};
use crate::misty::messages::battery::BatteryCharge;
use crate::misty::messages::pose::Location;

/// Section "SelfState": the robot about itself, by a timer. Reserved parts may be empty or `null`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SelfState {
    /// Reserved.
    pub acceleration: Option<Acceleration>,
    /// The battery.
    pub battery: Option<BatteryCharge>,
    /// Reserved.
    pub bumped_state: Option<BumpedState>,
    /// The RGB camera.
    pub camera_status: Option<CameraStatus>,
    /// Reserved.
    pub current_goal: Option<CurrentGoal>,
    /// IPv4 address of the robot.
    #[serde(rename = "localIPAddress")]
    pub local_ip_address: Option<String>,
    /// Where the robot is on the current map.
    pub location: Option<Location>,
    /// Reserved, with `personality` and `physiologicalBehavior` in it.
    pub mental_state: Option<MentalState>,
    /// Cell of the current map that the robot is in.
    pub occupancy_grid_cell: Option<GridCell>,
    /// Side of a cell, m; 0 without a map.
    pub occupancy_grid_cell_meters: Option<f64>,
    /// Whether the robot boots, runs or updates; described, but not in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot_run_state: Option<RobotRunState>,
    /// Reserved.
    pub serial_messages: Option<Value>,
    /// Mapping and localisation.
    pub slam_status: Option<SlamStatus>,
    /// Reserved.
    pub touched_state: Option<TouchedState>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `acceleration`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Acceleration {
    /// `None` in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<String>,
    /// Forward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<f64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `bumpedState`: which bumpers are pressed, thrice. The sample shows empty lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct BumpedState {
    /// Released, by `sensorId`.
    pub disengaged_sensor_ids: Option<Vec<Value>>,
    /// Released, by `sensorName`.
    pub disengaged_sensor_names: Option<Vec<Value>>,
    /// Released.
    pub disengaged_sensors: Option<Vec<Value>>,
    /// Pressed, by `sensorId`.
    pub engaged_sensor_ids: Option<Vec<Value>>,
    /// Pressed, by `sensorName`.
    pub engaged_sensor_names: Option<Vec<Value>>,
    /// Pressed.
    pub engaged_sensors: Option<Vec<Value>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `touchedState`: which touch sensors are touched. The sample shows empty lists.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TouchedState {
    /// Released.
    pub disengaged_sensors: Option<Vec<Value>>,
    /// Touched.
    pub engaged_sensors: Option<Vec<Value>>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `cameraStatus`: whether the RGB camera is free.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CameraStatus {
    /// A picture is being taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_taking_picture: Option<bool>,
    /// `Streaming` in the sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onboard_camera_status: Option<String>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A cell of an occupancy grid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct GridCell {
    /// Column.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub x: Option<i64>,
    /// Row.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub y: Option<i64>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `robotRunState`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RobotRunState {
    /// What the system is doing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_state: Option<RunState>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

words! {
    /// `currentState` of `robotRunState`.
    RunState {
        /// Booting.
        Loading = "Loading",
        /// Booted, and not updating.
        Running = "Running",
        /// Installing an update.
        Updating = "Updating",
    }
}
