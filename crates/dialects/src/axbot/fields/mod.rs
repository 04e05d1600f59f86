//! The topics' fields beside the model's: `map` as data, for pages and documents.
//!
//! | file | topics |
//! |---|---|
//! | `grids` | maps of cells, `/map/info` |
//! | `state` | who drives, battery, alerts, distances, what the robot is |
//! | `body` | jack, roller, bumpers, pins, signals |
//! | `place` | where the robot is, and how far that is trusted |
//! | `drive` | moves, scans, paths |
//! | `around` | outlines, robots and doors nearby |
//! | `objects` | what the robot sees |
//! | `camera` | video and pictures |

mod around;
mod body;
mod camera;
mod drive;
mod grids;
mod objects;
mod place;
mod state;
#[cfg(test)]
mod tests;

use latimer_core::model::Kind;

use super::messages::battery::{BatteryState, DetailedBatteryState};
use super::messages::place::{GlobalPositioningState, OdomState, TrackedPose};
use super::topic::Topic;
use crate::describe::Described;
use crate::table::{FieldPair, Fields, Message};

/// Every topic that tells something of the model, in the order of [`Topic::ALL`].
pub const MESSAGES: &[Message] = &[
    grids::MAP,
    grids::COSTMAP_5CM,
    grids::COSTMAP_1CM,
    state::WHEEL_STATE,
    place::SLAM_STATE,
    objects::VISION_DETECTED_OBJECTS,
    described::<BatteryState>(Topic::BatteryState),
    described::<DetailedBatteryState>(Topic::DetailedBatteryState),
    described::<TrackedPose>(Topic::TrackedPose),
    drive::PLANNING_STATE,
    drive::SCAN_MATCHED_POINTS_2,
    drive::PATH,
    drive::TRAJECTORY,
    state::ALERTS,
    state::TRAVELLED_DISTANCE,
    camera::FRONT_VIDEO,
    camera::BACK_VIDEO,
    camera::FRONT_AUGMENTED_VIDEO,
    camera::FRONT_COMPRESSED,
    camera::BACK_COMPRESSED,
    state::SENSOR_MANAGER_STATE,
    around::ROBOT_MODEL,
    around::NEARBY_ROBOTS,
    around::NEARBY_ROBOT_FOOTPRINTS,
    described::<OdomState>(Topic::OdomState),
    described::<GlobalPositioningState>(Topic::GlobalPositioningState),
    state::DEVICE_INFO_BRIEF,
    grids::ENV_MATCH_MAP,
    grids::ENV_SYMMETRY_MAP,
    drive::LOCAL_PATH,
    body::JACK_STATE,
    grids::INCREMENTAL_MAP,
    grids::MAP_V2,
    grids::COSTMAP_V2,
    grids::INCREMENTAL_MAP_V2,
    objects::COLLECTED_BARCODE,
    objects::DETECTED_RACK,
    body::ROBOT_SIGNAL,
    around::NEARBY_AUTO_DOORS,
    body::BUMPER_STATE,
    body::ROLLER_STATE,
    objects::DETECTED_PALLETS,
    objects::LANDMARKS,
    body::IO_PINS_STATE,
    grids::MAP_INFO,
    state::ACTION,
    state::IMU_STATE,
    drive::HORIZONTAL_LASER,
    state::MOTION_METRICS,
];

/// The stamp of most topics.
const STAMP: FieldPair = FieldPair::time("stamp").note("seconds since 1970");

/// The stamp of scans and paths.
const SCAN_STAMP: FieldPair =
    FieldPair::time("stamp").note("milliseconds since 1970, or seconds if the config says so; both are read");

const fn described<T: Described>(topic: Topic) -> Message {
    Message {
        topic: topic.as_str(),
        kinds: topic.kinds(),
        summary: topic.summary(),
        fields: Fields::of::<T>(),
    }
}

const fn message(
    topic: Topic,
    kinds: &'static [Kind],
    summary: &'static str,
    fields: &'static [FieldPair],
) -> Message {
    Message { topic: topic.as_str(), kinds, summary, fields: Fields::Table(fields) }
}

/// A length.
const fn metres(wire: &'static str, kind: Kind, model: &'static str) -> FieldPair {
    FieldPair::number(wire, "m", kind, model, 1.0)
}

/// An angle, counter-clockwise.
const fn radians(wire: &'static str, kind: Kind, model: &'static str) -> FieldPair {
    FieldPair::number(wire, "rad", kind, model, 1.0).turning(std::f64::consts::TAU)
}

/// A share.
const fn ratio(wire: &'static str, kind: Kind, model: &'static str) -> FieldPair {
    FieldPair::number(wire, "ratio", kind, model, 1.0)
}
