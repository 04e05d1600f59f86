//! Things that the robot sees around itself.

use super::{Pose, Size};
use crate::clock::Timestamp;
use crate::model::record::record;

record! {
    /// One thing.
    pub struct DetectedObject {
        /// The robot's number for it.
        pub id: i64,
        /// What it is, e.g. `obstacle`, `person`.
        pub class: Option<String>,
        /// Which one it is.
        pub label: Option<String>,
        /// Where it is.
        pub pose: Pose,
        /// How big it is.
        pub size: Option<Size>,
        /// How sure the robot is, 0..1.
        pub confidence_ratio: Option<f64>,
        /// Whether it is sensed now, rather than remembered.
        pub sensed: bool,
        /// When it was first sensed.
        pub first_seen: Option<Timestamp>,
        /// When it was last sensed.
        pub last_seen: Option<Timestamp>,
    }
}

record! {
    /// All things that the robot knows of.
    pub struct Objects {
        /// The things.
        pub objects: Vec<DetectedObject>,
    }
}
