//! The body itself: what touches it and how its joints stand.

use super::{Frame, Point};
use crate::model::record::{record, words};

words! {
    /// What kind of sensor feels the contact.
    pub enum ContactSensor {
        /// Pressed by an obstacle.
        Bumper = "bumper",
        /// Stroked by a hand.
        Touch = "touch",
    }
}

record! {
    /// A bumper or touch sensor changed.
    pub struct Contact {
        /// Pressed or touched now.
        pub contacted: bool,
        /// What kind of sensor it is.
        pub sensor: ContactSensor,
        /// Where it sits, in `frame`.
        pub position: Option<Point>,
        /// The frame of the position.
        pub frame: Frame,
    }
}

words! {
    /// How a joint's check of itself stands.
    pub enum SelfCheck {
        /// It goes up to see whether it can.
        Up = "up",
        /// It goes down to see whether it can.
        Down = "down",
        /// Nothing was found wrong.
        Passed = "passed",
        /// It could not go all the way.
        Failed = "failed",
        /// Nothing is known.
        Unknown = "unknown",
    }
}

record! {
    /// One joint: hinge or slide.
    pub struct Joint {
        /// Angle of a hinge; REP-103 sense about its axis.
        pub position_rad: Option<f64>,
        /// Way of a slide.
        pub position_m: Option<f64>,
        /// Where it stands in its range, where only that is known: 0..1, or -1..1 about a neutral middle.
        pub position_ratio: Option<f64>,
        /// Rate of a hinge.
        pub velocity_radps: Option<f64>,
        /// Rate of the share of its range, 1/s; 0 while it holds.
        pub velocity_ratiops: Option<f64>,
        /// How its check of itself stands.
        pub self_check: Option<SelfCheck>,
    }
}

impl Joint {
    /// Nothing known.
    pub const UNKNOWN: Self = Self {
        position_rad: None,
        position_m: None,
        position_ratio: None,
        velocity_radps: None,
        velocity_ratiops: None,
        self_check: None,
    };

    /// A hinge at an angle.
    pub const fn hinge(position_rad: f64) -> Self {
        Self { position_rad: Some(position_rad), ..Self::UNKNOWN }
    }

    /// A slide at a place.
    pub const fn slide(position_m: f64) -> Self {
        Self { position_m: Some(position_m), ..Self::UNKNOWN }
    }

    /// Something of which only the share of its range is known.
    pub const fn share(position_ratio: f64) -> Self {
        Self { position_ratio: Some(position_ratio), ..Self::UNKNOWN }
    }
}
