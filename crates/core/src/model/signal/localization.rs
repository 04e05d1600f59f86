//! How well the robot knows where it is.

use std::sync::Arc;

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
        /// The robot's own words for what holds now.
        pub flags: Vec<Arc<str>>,
        /// The robot's own word for the mode.
        pub mode: Option<Arc<str>>,
        /// The robot's own word for the state of the sensor.
        pub sensor: Option<Arc<str>>,
    }
}

impl Localization {
    /// A localisation that was not started.
    pub const IDLE: Self = Self {
        state: LocalizationState::Idle,
        has_pose: None,
        streaming: false,
        quality_ratio: None,
        flags: Vec::new(),
        mode: None,
        sensor: None,
    };
}
