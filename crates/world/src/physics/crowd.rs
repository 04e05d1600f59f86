//! Who else is there: every robot of a world with its place, as the others may meet it.

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
    /// Where it is about to go, on the map; told only while somebody follows that.
    pub trend_m: Vec<[f64; 2]>,
}
