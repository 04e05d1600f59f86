//! Things that the robot sees around itself.

use super::{Frame, Pose, Size};
use crate::clock::Timestamp;
use crate::model::record::record;

record! {
    /// The two openings of a pallet that forks go into.
    pub struct Pockets {
        /// How wide each is.
        pub width_m: f64,
        /// How high each is.
        pub height_m: f64,
        /// How far they are apart.
        pub spacing_m: f64,
    }
}

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
        /// Its openings, if it is a pallet.
        pub pockets: Option<Pockets>,
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

impl DetectedObject {
    /// A thing of which nothing is known.
    pub const UNKNOWN: Self = Self {
        id: 0,
        class: None,
        label: None,
        pose: Pose::planar(Frame::Map, 0.0, 0.0, 0.0),
        size: None,
        pockets: None,
        confidence_ratio: None,
        sensed: true,
        first_seen: None,
        last_seen: None,
    };
}

record! {
    /// All things that the robot knows of.
    pub struct Objects {
        /// The things.
        pub objects: Vec<DetectedObject>,
    }
}
