//! Where robots start, charge and count from: spawn points, chargers, frames.

use serde::Deserialize;

use super::{WorldFile, check};
use crate::geometry::Pose2;

/// Where a robot charges.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charger {
    /// What it is called.
    pub name: String,
    /// Where the robot's middle is while it charges.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How the robot is turned while it charges.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// How many times as fast as a real one it charges.
    #[serde(default = "charger_speed", deserialize_with = "check::charger_speed")]
    pub speed: f64,
}

fn charger_speed() -> f64 {
    1.0
}

/// Where a robot starts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spawn {
    /// What it is called.
    pub name: String,
    /// The frame that its position and angle are written in; the map if not given.
    #[serde(default)]
    pub frame: Option<String>,
    /// Where the robot's middle is; on the map once the file is read.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How it is turned; on the map once the file is read.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
}

impl Charger {
    /// The pose of a robot that charges here.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }
}

impl Spawn {
    /// The pose of a robot that starts here, on the map.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }
}

/// A coordinate system of its own on the map, as that of an arena with its origin in the middle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// Its origin on the map.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// Where its x axis points.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// Length along its x and y axes of what it is about, with the origin in the middle.
    #[serde(default, deserialize_with = "check::some_size")]
    pub size_m: Option<[f64; 2]>,
}

impl Frame {
    /// Its origin and how it is turned, on the map.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }
}

impl WorldFile {
    /// A frame of that name.
    pub fn frame(&self, name: &str) -> Option<&Frame> {
        self.frames.iter().find(|frame| frame.name == name)
    }

    /// The frame that a spawn point was written in, as its pose on the map.
    pub fn frame_of(&self, spawn: &Spawn) -> Option<Pose2> {
        self.frame(spawn.frame.as_deref()?).map(Frame::pose)
    }

    /// Turns the spawn points that are written in a frame into points of the map.
    pub(super) fn settle_spawns(&mut self) {
        for spawn in &mut self.spawns {
            let frame = spawn.frame.as_ref();
            let frame = frame.and_then(|name| self.frames.iter().find(|frame| frame.name == *name));
            let Some(frame) = frame else { continue };
            let [x_m, y_m] = spawn.position_m;
            spawn.position_m = frame.pose().point_out(x_m, y_m);
            spawn.yaw_deg += frame.yaw_deg;
        }
    }
}
