//! The topics' messages as they are on the wire: the specification's words and units, no logic.
//!
//! | file | topics |
//! |---|---|
//! | [`map`] | `/map`, obstacle maps, `/env_*`, `/incremental_map`, the cached ones, `/map/info` |
//! | [`localization`] | `/slam/state` |
//! | [`drive`] | `/planning_state`, scans, paths, outlines, robots and doors nearby |
//! | [`state`] | `/wheel_state`, `/alerts`, `/jack_state`, pins, signals, distances |
//! | [`camera`] | `/rgb_cameras/*`, `/external_rgb_camera_control` |
//! | [`objects`] | what the robot sees: boxes, codes, racks, pallets, poles |
//! | [`device`] | `/device_info_brief`, `/action` |
//! | [`debugging`] | `/imu_state`, `/horizontal_laser_2d/matched` |
//!
//! Three rules hold in every struct, which the macro in `record` sees to: a key that a frame lacks is `None`, never 0,
//! and is left out again; keys stand in the order of the specification; a key that nobody here knows is kept in `extra`
//! and written behind the others. `describe::lenient` says what else than the specification's spelling is read.

pub mod camera;
pub mod debugging;
pub mod device;
pub mod drive;
pub mod localization;
pub mod map;
mod message;
mod number;
pub mod objects;
mod place;
mod record;
pub mod state;

#[cfg(test)]
pub(super) mod tests;

pub(super) use message::Body;
pub use message::{MAX_FRAME_BYTES, Message};
pub use number::{Measured, Moment, Score};
pub use place::{FloorBox, Point};

pub use super::messages::place::Pose;

use super::topic::Topic;

pub use crate::describe::Extra;

/// A message that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{topic}: {problem}")]
pub struct DecodeError {
    /// Of which topic.
    pub topic: Topic,
    /// What is wrong, and at which key.
    pub problem: String,
}
