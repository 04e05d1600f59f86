//! Tables: a top on four legs, below which low robots drive.

use serde::Deserialize;

use super::{Color, Cylinder, Reality, WorldFile, check};
use crate::geometry::Pose2;

/// How thick a leg is, and how thick a top, metres.
const LEG_RADIUS_M: f64 = 0.035;
const TOP_M: f64 = 0.04;

fn height_m() -> f64 {
    0.75
}

/// A table. Scanners and wheels meet its legs alone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What it is called on pages.
    #[serde(default, deserialize_with = "check::name")]
    pub label: Option<String>,
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub center_m: [f64; 2],
    /// Length and width of its top.
    #[serde(deserialize_with = "check::size")]
    pub size_m: [f64; 2],
    /// How it is turned.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// The upper side of its top above the floor.
    #[serde(default = "height_m", deserialize_with = "check::length")]
    pub height_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
}

impl Table {
    /// Where its middle is and how it is turned.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.center_m[0], self.center_m[1], self.yaw_deg.to_radians())
    }

    /// The lower and the upper side of its top above the floor, metres.
    pub fn top_m(&self) -> [f64; 2] {
        [(self.height_m - TOP_M).max(0.0), self.height_m]
    }

    fn legs(&self) -> [Cylinder; 4] {
        let [x, y] = self.size_m.map(|side| (side / 2.0 - LEG_RADIUS_M).max(0.0));
        [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| Cylinder {
            name: None,
            label: None,
            center_m: self.pose().point_out(x, y),
            radius_m: LEG_RADIUS_M,
            height_m: self.height_m,
            color: self.color,
            reflectivity: None,
            reality: Reality::Real,
        })
    }
}

impl WorldFile {
    /// Puts the legs of tables up.
    pub(super) fn build_tables(&mut self) {
        self.cylinders.extend(self.tables.iter().flat_map(Table::legs));
    }
}
