//! How well the robot knows where it is.

use std::sync::Arc;

use super::Pose;
use crate::model::record::{record, words};

words! {
    /// What the localisation is doing.
    pub enum LocalizationState {
        /// Not started.
        Idle = "idle",
        /// Starting or being reset.
        Starting = "starting",
        /// Making a map.
        Mapping = "mapping",
        /// Following the robot on a map.
        Tracking = "tracking",
        /// Looking for itself on the map.
        Relocalizing = "relocalizing",
        /// Cannot work.
        Error = "error",
    }
}

record! {
    /// The state of the localisation.
    pub struct Localization {
        /// What it is doing.
        pub state: LocalizationState,
        /// Whether it knows the pose; `None` if it never did.
        pub has_pose: Option<bool>,
        /// Whether its sensor streams.
        pub streaming: bool,
        /// How good the pose is, 0..1.
        pub quality_ratio: Option<f64>,
        /// How much of what the sensor sees now is on the map, 0..1.
        pub match_ratio: Option<f64>,
        /// Whether that is enough.
        pub matched: Option<bool>,
        /// Whether the wheels slip.
        pub slipping: Option<bool>,
        /// Ties between the map's parts that were looked for.
        pub constraints: Option<u32>,
        /// Those of them that hold.
        pub good_constraints: Option<u32>,
        /// The robot's own words for what holds now.
        pub flags: Vec<Arc<str>>,
        /// The robot's own word for the mode.
        pub mode: Option<Arc<str>>,
        /// The robot's own word for the state of the sensor.
        pub sensor: Option<Arc<str>>,
    }
}

record! {
    /// How far the robot trusts its dead reckoning.
    pub struct Odometry {
        /// Whether it can be trusted.
        pub reliable: Option<bool>,
        /// Covariance of x and y, row by row, square metres; empty if unknown.
        pub covariance_m2: Vec<f64>,
    }
}

words! {
    /// How a search for the robot on its map stands.
    pub enum RelocationState {
        /// There was none.
        Idle = "idle",
        /// It goes on.
        Running = "running",
        /// It found a pose.
        Succeeded = "succeeded",
        /// It found none.
        Failed = "failed",
    }
}

record! {
    /// A search for the robot on its map.
    pub struct Relocation {
        /// How it stands.
        pub state: RelocationState,
        /// How well the found pose fits, in percent.
        pub score_percent: Option<f64>,
        /// Whether somebody should look at the pose before it is trusted.
        pub needs_confirmation: Option<bool>,
        /// Where the robot seems to be.
        pub pose: Option<Pose>,
        /// What was found, for a person to read.
        pub message: Option<String>,
    }
}

impl Localization {
    /// A localisation that was not started.
    pub const IDLE: Self = Self {
        state: LocalizationState::Idle,
        has_pose: None,
        streaming: false,
        quality_ratio: None,
        match_ratio: None,
        matched: None,
        slipping: None,
        constraints: None,
        good_constraints: None,
        flags: Vec::new(),
        mode: None,
        sensor: None,
    };
}
