//! What robots carry and find their way by in a warehouse: racks, pallets, barcodes, reflective poles.

use serde::Deserialize;

use super::{Color, check};
use crate::geometry::Pose2;

/// Steel.
const STEEL: Color = Color([0x5f, 0x73, 0x86]);

fn rack_size_m() -> [f64; 2] {
    [0.66, 0.70]
}

fn leg_m() -> f64 {
    0.04
}

fn rack_height_m() -> f64 {
    1.2
}

fn steel() -> Color {
    STEEL
}

fn pallet_width_m() -> f64 {
    1.0
}

fn pallet_depth_m() -> f64 {
    1.3
}

fn pallet_height_m() -> f64 {
    0.3
}

fn pocket_width_m() -> f64 {
    0.3
}

fn pocket_height_m() -> f64 {
    0.2
}

fn pocket_spacing_m() -> f64 {
    0.2
}

/// A shelf on four legs that a robot can drive beneath and carry away.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// Where a robot looks that drives beneath it.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// Its length in that direction and its width, over the legs.
    #[serde(default = "rack_size_m", deserialize_with = "check::size")]
    pub size_m: [f64; 2],
    /// Side of a leg, which is square.
    #[serde(default = "leg_m", deserialize_with = "check::length")]
    pub leg_m: f64,
    /// How tall it is.
    #[serde(default = "rack_height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// Its colour.
    #[serde(default = "steel")]
    pub color: Color,
}

impl Rack {
    /// Where its middle is at the start.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }

    /// The middles of its legs, from its own middle.
    pub fn legs(&self) -> [[f64; 2]; 4] {
        let [x, y] = self.size_m.map(|side| (side - self.leg_m) / 2.0);
        [[x, y], [-x, y], [-x, -y], [x, -y]]
    }
}

/// An area where racks stand, which robots are sent to as a whole.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RackArea {
    /// What it is called; its id on robots' maps.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// Its corners.
    #[serde(deserialize_with = "check::polygon")]
    pub polygon_m: Vec<[f64; 2]>,
}

/// A pallet: solid, with two pockets for forks in its ends.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pallet {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub id: String,
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// Where a robot looks whose forks go in.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// From side to side.
    #[serde(default = "pallet_width_m", deserialize_with = "check::length")]
    pub width_m: f64,
    /// From end to end, the way the forks go.
    #[serde(default = "pallet_depth_m", deserialize_with = "check::length")]
    pub depth_m: f64,
    /// How tall it is.
    #[serde(default = "pallet_height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// Width of a pocket.
    #[serde(default = "pocket_width_m", deserialize_with = "check::length")]
    pub pocket_width_m: f64,
    /// Height of a pocket.
    #[serde(default = "pocket_height_m", deserialize_with = "check::length")]
    pub pocket_height_m: f64,
    /// What is between the two pockets.
    #[serde(default = "pocket_spacing_m", deserialize_with = "check::length")]
    pub pocket_spacing_m: f64,
}

impl Pallet {
    /// Where its middle is.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }
}

/// A code on the floor that a robot reads from above.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barcode {
    /// What it says.
    #[serde(deserialize_with = "check::text")]
    pub id: String,
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How it is turned.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
}

impl Barcode {
    /// Where it is.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }
}

/// A thin reflective pole that a lidar finds its place by.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Landmark {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub id: String,
    /// Where it stands.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
}
