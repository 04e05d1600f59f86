//! A rover: two driven wheels, a laser scanner, a map, bumpers, and the way to a goal. Bodies that find
//! their way are built from it.
//!
//! ```text
//!  errand ─▶ way ─▶ drive ─▶ wish ─▶ (the world moves) ─▶ bearings: wheels, scan, localisation ─▶ way
//!                     ▲ bumpers, commands
//! ```

mod bearings;
mod bumpers;
mod drive;
mod power;
mod way;

pub(super) use bearings::Bearings;
pub(super) use bumpers::{BumperMake, Bumpers};
pub(super) use drive::Drive;
pub(super) use power::{Power, PowerMake};
pub(super) use way::{Ended, Way};

use crate::drive::TrackLimits;
use crate::nav::NavigatorLimits;
use crate::physics::Footprint;
use crate::sensors::{DriftModel, Lidar};

/// How a family's rover is made.
pub(super) struct RoverMake {
    /// Its outline, without a load.
    pub(super) footprint: Footprint,
    /// Greatest speed, m/s.
    pub(super) max_linear_mps: f64,
    /// Greatest turn rate, rad/s.
    pub(super) max_angular_radps: f64,
    /// The wheels.
    pub(super) wheels: TrackLimits,
    /// What its wheels count wrong.
    pub(super) drift: DriftModel,
    /// The scanner.
    pub(super) lidar: Lidar,
    /// How it drives by itself.
    pub(super) navigation: NavigatorLimits,
}
