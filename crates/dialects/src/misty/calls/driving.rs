//! Drives that end by themselves.

use std::time::Duration;

use super::{Arg, Call, NAME, Row};
use crate::misty::rest::row::{double, flag, row};

/// Go straight for a distance at a heading.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = heading, word = "heading",
    wire = row!(Post "drive/hdt" DriveHeading in Locomotion: Action "drive" -> CommandGroup))]
pub struct DriveHeading {
    /// By the robot's own yaw.
    #[argument(wire = double("Heading").degrees())]
    pub heading_rad: f64,
    /// How far, metres.
    #[argument(quantity = NonNegative, wire = double("Distance"))]
    pub distance_m: f64,
    /// In what time.
    #[argument(long = "in", value = "DURATION", wire = double("TimeMs").milliseconds())]
    pub duration_s: Duration,
    /// Backwards.
    #[argument(wire = flag("Reverse"))]
    pub reverse: bool,
}

/// Go on a circle until a heading is reached.
#[derive(Call, Clone, Debug, PartialEq)]
#[call(motion = arc, word = "arc",
    wire = row!(Post "drive/arc" DriveArc in Locomotion: Action "drive" -> CommandGroup))]
pub struct DriveArc {
    /// By the robot's own yaw.
    #[argument(wire = double("Heading").degrees())]
    pub heading_rad: f64,
    /// Radius of the circle, metres.
    #[argument(quantity = NonNegative, wire = double("Radius"))]
    pub radius_m: f64,
    /// In what time.
    #[argument(long = "in", value = "DURATION", wire = double("TimeMs").milliseconds())]
    pub duration_s: Duration,
    /// Backwards.
    #[argument(wire = flag("Reverse"))]
    pub reverse: bool,
}
