//! Poses as several messages have them.

use crate::table::WordPair;

/// Names of frames.
pub(super) const FRAMES: &[WordPair] =
    &[("RobotBaseCenter", "base_link"), ("RobotHead", "head"), ("WorldOrigin", "map"), ("Odom", "odom")];

pub(super) const POLAR: &str = "x, y and z as a direction and a distance: written, not read";
pub(super) const TREE: &str = "the tree of frames, of which robots show the root only: written, not read";
pub(super) const AGAIN: &str = "the pose again as a transform: written, not read";
pub(super) const NO_TOLERANCE: &str = "tolerance: written as 0, not read";

/// Fields, with those of a pose with tolerances behind.
macro_rules! with_location {
    ($at:literal, $kind:expr, $model:literal, [$($row:expr,)*]) => {
        &[
            $($row,)*
            FieldPair::own(concat!($at, ".bearing"), POLAR),
            FieldPair::own(concat!($at, ".bearingThreshold.**"), NO_TOLERANCE),
            FieldPair::own(concat!($at, ".distance"), POLAR),
            FieldPair::own(concat!($at, ".distanceThreshold.**"), NO_TOLERANCE),
            FieldPair::own(concat!($at, ".elevation"), POLAR),
            FieldPair::own(concat!($at, ".elevationThreshold.**"), NO_TOLERANCE),
            FieldPair::own(concat!($at, ".pose.bearing"), POLAR),
            FieldPair::own(concat!($at, ".pose.distance"), POLAR),
            FieldPair::own(concat!($at, ".pose.elevation"), POLAR),
            FieldPair::words(concat!($at, ".pose.frameId"), $kind, concat!($model, "frame"), FRAMES),
            FieldPair::own(concat!($at, ".pose.framesProvider.**"), TREE),
            FieldPair::own(concat!($at, ".pose.homogeneousCoordinates.**"), AGAIN),
            FieldPair::number(concat!($at, ".pose.pitch"), "rad", $kind, concat!($model, "pitch_rad"), 1.0),
            FieldPair::number(concat!($at, ".pose.roll"), "rad", $kind, concat!($model, "roll_rad"), 1.0),
            FieldPair::number(concat!($at, ".pose.x"), "m", $kind, concat!($model, "x_m"), 1.0),
            FieldPair::number(concat!($at, ".pose.y"), "m", $kind, concat!($model, "y_m"), 1.0),
            FieldPair::number(concat!($at, ".pose.yaw"), "rad", $kind, concat!($model, "yaw_rad"), 1.0),
            FieldPair::number(concat!($at, ".pose.z"), "m", $kind, concat!($model, "z_m"), 1.0),
            FieldPair::own(concat!($at, ".unitOfMeasure"), "always `None`"),
        ]
    };
}

pub(super) use with_location;
