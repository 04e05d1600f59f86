//! Lifts: a cabin with walls, a floor and a door that opens some time after a robot called it.
//!
//! What is built of one are walls, a patch of floor and a locked door of the lift's name.

use serde::Deserialize;

use super::{Color, Door, DoorMode, Floor, Wall, WorldFile, check};
use crate::geometry::Pose2;

/// Brushed steel.
const STEEL: Color = Color([0x9a, 0xa3, 0xab]);

/// Thickness and height of the cabin's walls, metres.
const WALL_M: f64 = 0.1;
const HEIGHT_M: f64 = 2.5;

/// How thick the door is, metres, and how long it takes to slide, seconds.
const DOOR_M: f64 = 0.05;
const OPEN_S: f64 = 1.5;

/// How near to the door somebody keeps it open, metres: who stands in the cabin does not.
const SENSE_M: f64 = 0.15;

fn size_m() -> [f64; 2] {
    [1.8, 1.6]
}

fn call_s() -> f64 {
    5.0
}

fn hold_s() -> f64 {
    5.0
}

/// A lift's cabin on this floor.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lift {
    /// What it is called; its door is called the same.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// The address of the radio that calls it, if it has one.
    #[serde(default, deserialize_with = "check::name")]
    pub mac: Option<String>,
    /// The middle of the cabin.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// Where its door faces.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// From the door to the back of the cabin, and its width, which is that of the door.
    #[serde(default = "size_m", deserialize_with = "check::size")]
    pub size_m: [f64; 2],
    /// How long after a call the cabin is there and the door opens.
    #[serde(default = "call_s", deserialize_with = "check::pause")]
    pub call_s: f64,
    /// How long the door stays open after the last went through.
    #[serde(default = "hold_s", deserialize_with = "check::pause")]
    pub hold_s: f64,
}

impl Lift {
    /// The middle of the cabin, turned to the door.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }

    /// Whether a point on the map is in the cabin.
    pub fn contains(&self, x_m: f64, y_m: f64) -> bool {
        let [ahead_m, left_m] = self.pose().point_in(x_m, y_m);
        ahead_m.abs() <= self.size_m[0] / 2.0 && left_m.abs() <= self.size_m[1] / 2.0
    }

    /// The ends of the door, and the corners at the back, from the left end of the door around.
    fn corners(&self) -> [[f64; 2]; 4] {
        let [x, y] = self.size_m.map(|side| side / 2.0);
        [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| self.pose().point_out(x, y))
    }

    fn door(&self) -> Door {
        let [left, .., right] = self.corners();
        Door {
            name: self.name.clone(),
            mac: self.mac.clone(),
            points_m: [left, right],
            thickness_m: DOOR_M,
            color: STEEL,
            mode: DoorMode::Auto,
            sense_m: SENSE_M,
            hold_s: self.hold_s,
            open_s: OPEN_S,
            locked: true,
            call_s: self.call_s,
        }
    }

    fn walls(&self) -> Wall {
        let [ahead_m, left_m] = self.size_m.map(|side| side / 2.0);
        // The door slides away along the wall that goes on there.
        let beside = self.pose().point_out(ahead_m, left_m + self.size_m[1]);
        Wall {
            points_m: std::iter::once(beside).chain(self.corners()).collect(),
            thickness_m: WALL_M,
            height_m: HEIGHT_M,
            color: STEEL,
            reflectivity: None,
            reality: super::Reality::Real,
        }
    }
}

impl WorldFile {
    /// Builds the cabins.
    pub(super) fn build_lifts(&mut self) {
        let floor =
            |lift: &Lift| Floor { polygon_m: lift.corners().to_vec(), color: STEEL, reflectivity: None };
        self.floors.extend(self.lifts.iter().map(floor));
        self.walls.extend(self.lifts.iter().map(Lift::walls));
        self.doors.extend(self.lifts.iter().map(Lift::door));
    }
}
