//! Hazards: what keeps the robot from driving, and how that is set up.

use std::sync::Arc;

use crate::model::record::{record, words};

words! {
    /// What found the hazard.
    pub enum HazardSource {
        /// A bumper is pressed.
        Bumper = "bumper",
        /// A range or edge sensor is past its threshold.
        Range = "range",
        /// Motor current.
        Current = "current",
        /// A zone around the robot where driving is stopped.
        DriveZone = "drive_zone",
        /// A motor does not turn.
        MotorStall = "motor_stall",
        /// A motor turns too fast.
        Overspeed = "overspeed",
    }
}

record! {
    /// One hazard.
    pub struct HazardItem {
        /// What found it.
        pub source: HazardSource,
        /// Which sensor, motor or zone; the part's name.
        pub part: Arc<str>,
        /// Whether it holds now.
        pub active: bool,
    }
}

record! {
    /// All hazards after a change.
    pub struct Hazard {
        /// Every hazard that the robot watches.
        pub items: Vec<HazardItem>,
        /// The robot's own code for a broken hazard system; 0 is none.
        pub critical_error_code: Option<i64>,
    }
}

record! {
    /// Something that may be switched.
    pub struct Switch {
        /// The part's name.
        pub part: Arc<str>,
        /// Whether it is on; a hazard stops the robot then.
        pub enabled: bool,
    }
}

record! {
    /// A range sensor's threshold.
    pub struct Limit {
        /// The part's name.
        pub part: Arc<str>,
        /// Distance past which it is a hazard; 0 switches it off.
        pub threshold_m: f64,
    }
}

record! {
    /// Which hazards stop the robot.
    pub struct HazardSettings {
        /// Bumpers.
        pub bumpers: Vec<Switch>,
        /// Edge and range sensors.
        pub ranges: Vec<Limit>,
    }
}
