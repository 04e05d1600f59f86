//! Range sensors: time of flight, sonar, infrared, and those that look down for edges.

use crate::model::record::{record, words};

words! {
    /// How far a reading can be trusted.
    pub enum RangeStatus {
        /// The reading is good.
        Valid = "valid",
        /// It scatters too much.
        Noisy = "noisy",
        /// Too little light or sound came back.
        WeakSignal = "weak_signal",
        /// The target is farther than the sensor measures.
        TooFar = "too_far",
        /// The target is nearer than the sensor measures.
        TooNear = "too_near",
        /// A target beyond the range appears within it.
        Wrapped = "wrapped",
        /// Nothing is in view.
        NothingInView = "nothing_in_view",
        /// The sun or a lamp drowns the signal.
        AmbientLight = "ambient_light",
        /// The sensor is set up wrongly.
        Misconfigured = "misconfigured",
        /// The sensor is broken.
        HardwareFault = "hardware_fault",
        /// The sensor does not say.
        Unknown = "unknown",
    }
}

record! {
    /// One reading of one sensor.
    pub struct Range {
        /// Distance to the target; may be given though the status says that it is wrong.
        pub distance_m: Option<f64>,
        /// How far it can be trusted.
        pub status: RangeStatus,
        /// The robot's own status code.
        pub status_code: Option<i64>,
        /// Nearest distance that the sensor measures.
        pub min_m: Option<f64>,
        /// Farthest distance that the sensor measures.
        pub max_m: Option<f64>,
        /// Width of the cone.
        pub field_of_view_rad: Option<f64>,
    }
}

impl Range {
    /// A good reading.
    pub const fn valid(distance_m: f64) -> Self {
        Self {
            distance_m: Some(distance_m),
            status: RangeStatus::Valid,
            status_code: None,
            min_m: None,
            max_m: None,
            field_of_view_rad: None,
        }
    }

    /// Nothing is in view.
    pub const fn nothing() -> Self {
        Self { distance_m: None, status: RangeStatus::NothingInView, ..Self::valid(0.0) }
    }
}
