//! The topics' messages that describe themselves, each field beside what it is in the model.
//!
//! | file | topics |
//! |---|---|
//! | [`around`] | `/robot_model`, `/nearby_*` |
//! | [`battery`] | `/battery_state`, `/detailed_battery_state` |
//! | [`camera`] | `/rgb_cameras/*`, `/external_rgb_camera_control` |
//! | [`device`] | `/device_info_brief`, `/action`, `/imu_state` |
//! | [`drive`] | `/planning_state`, scans, paths |
//! | [`grids`] | `/map`, obstacle maps, `/env_*`, `/incremental_map`, the cached ones, `/map/info` |
//! | [`joints`] | `/jack_state`, `/roller_state` |
//! | [`localization`] | `/slam/state` |
//! | [`objects`] | what the robot sees: boxes, codes, racks, pallets, poles |
//! | [`place`] | `/tracked_pose`, `/odom_state`, `/global_positioning_state` |
//! | [`state`] | `/wheel_state`, `/alerts`, pins, signals, distances |
//!
//! Keys stand in the order of the specification; one that a frame lacks is `None`, never 0, and is left out again; one that
//! the specification does not name is kept in `extra` and written behind the others.

pub mod around;
pub mod battery;
pub mod camera;
pub(in crate::axbot) mod codecs;
pub mod device;
pub mod drive;
pub mod grids;
pub mod joints;
pub mod localization;
pub mod objects;
pub mod place;
pub mod state;

use latimer_core::Timestamp;

use super::style::Style;
use crate::describe;

/// What encoding needs beside a record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// When it happened.
    pub at: Timestamp,
    /// How messages are written.
    pub style: Style,
    /// Whether the robot never has a map, so that the frame in which it started is all the world that it knows.
    pub mapless: bool,
}

impl describe::Context for Context {
    fn at(&self) -> Timestamp {
        self.at
    }
}

#[cfg(test)]
mod tests;
