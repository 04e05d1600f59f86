//! What stands in an arena, in the words of swarm simulators: centimetres and degrees from the arena's origin.
//!
//! Other parts of the model are in SI units; here the numbers that a file gives must come out as they went
//! in, because clients compare them.

use latimer_core::model::Realities;

/// What an obstacle is.
#[derive(Clone, Debug, PartialEq)]
pub enum ArenaShape {
    /// A thin wall that begins at its place and goes on in its orientation.
    Wall {
        /// How long it is.
        width_cm: f64,
        /// How tall it is.
        height_cm: f64,
    },
    /// A box about its place.
    Box {
        /// Length along its orientation.
        width_cm: f64,
        /// How tall it is.
        height_cm: f64,
        /// Length across its orientation.
        depth_cm: f64,
    },
    /// A cylinder about its place.
    Cylinder {
        /// Its radius.
        radius_cm: f64,
        /// How tall it is.
        height_cm: f64,
    },
}

/// Something that stands in an arena.
#[derive(Clone, Debug, PartialEq)]
pub struct ArenaObstacle {
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// What it is.
    pub shape: ArenaShape,
    /// Where it is; a wall begins there.
    pub at_cm: [f64; 2],
    /// Where its width points, counter-clockwise from +x.
    pub orientation_deg: f64,
    /// Its colour as it was written, e.g. `#FF0000`.
    pub color: String,
    /// Whether it is real or virtual.
    pub reality: Realities,
}

/// An arena as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Arena {
    /// The frame whose origin it counts from; the map if `None`.
    pub frame: Option<String>,
    /// Least x and y, greatest x and y.
    pub bounds_cm: [f64; 4],
    /// What its units are said to be.
    pub units: String,
    /// What stands in it.
    pub obstacles: Vec<ArenaObstacle>,
    /// Grows whenever something is put, moved or taken away.
    pub revision: u64,
}
