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

record! {
    /// One joint: hinge or slide.
    pub struct Joint {
        /// Angle of a hinge; REP-103 sense about its axis.
        pub position_rad: Option<f64>,
        /// Way of a slide.
        pub position_m: Option<f64>,
        /// Rate of a hinge.
        pub velocity_radps: Option<f64>,
    }
}
