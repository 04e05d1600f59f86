//! The crowd: every robot of a world with its pose, as an obstacle of the others.

use latimer_core::RobotId;

use super::Footprint;
use crate::geometry::Pose2;

/// A robot as the others meet it.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// Its name.
    pub robot: RobotId,
    /// Its family, e.g. `misty`.
    pub family: &'static str,
    /// Where it truly is, on the map.
    pub pose: Pose2,
    /// Its outline.
    pub footprint: Footprint,
    /// Where it is about to go, on the map; computed only while it is subscribed to.
    pub trend_m: Vec<[f64; 2]>,
}
