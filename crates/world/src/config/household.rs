//! What a household robot knows by name: places to be at and small objects that lie there.

use serde::Deserialize;

use super::{Color, WorldFile, check};
use crate::geometry::Pose2;

/// Air between objects that lie beside each other, metres.
const GAP_M: f64 = 0.06;

fn object_height_m() -> f64 {
    0.7
}

fn object_size_m() -> [f64; 2] {
    [0.08, 0.08]
}

/// Where a robot stands to be at something.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// Other names that it is found by, such as those of another language.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Where the robot's middle is.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How the robot is turned.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// Where objects lie that are there; where the robot stands if not given.
    #[serde(default, deserialize_with = "check::some_point")]
    pub surface_m: Option<[f64; 2]>,
}

impl Place {
    /// The pose of a robot that is there.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }

    /// The middle of what lies there.
    pub fn surface(&self) -> [f64; 2] {
        self.surface_m.unwrap_or(self.position_m)
    }
}

/// A small thing that lies at a place; nothing bumps into it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// What it is called.
    #[serde(deserialize_with = "check::text")]
    pub name: String,
    /// Other names that it is found by, such as those of another language.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What sort of thing it is.
    pub category: String,
    /// The name of the place where it lies.
    pub place: String,
    /// How far above the floor it lies.
    #[serde(default = "object_height_m", deserialize_with = "check::level_m")]
    pub height_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How wide and how tall it looks.
    #[serde(default = "object_size_m", deserialize_with = "check::size")]
    pub size_m: [f64; 2],
}

impl Object {
    /// A thing that lies at no place of the world file, of the usual size and height.
    pub fn new(name: String, category: String, color: Color) -> Self {
        let (height_m, size_m) = (object_height_m(), object_size_m());
        Self { name, aliases: Vec::new(), category, place: String::new(), height_m, color, size_m }
    }
}

impl WorldFile {
    /// A place of that name.
    pub fn place(&self, name: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.name == name)
    }

    /// Every object with where it lies on the map: those at one place beside each other, from left to
    /// right as a robot sees them that is there.
    pub fn objects_at(&self) -> impl Iterator<Item = (&Object, [f64; 2])> {
        self.objects.iter().enumerate().filter_map(|(number, object)| {
            let place = self.place(&object.place)?;
            let beside = |(_, it): &(usize, &Object)| it.place == object.place;
            let row: Vec<(usize, &Object)> = self.objects.iter().enumerate().filter(beside).collect();
            let step_m = row.iter().map(|(_, it)| it.size_m[0]).fold(0.0, f64::max) + GAP_M;
            let rank = row.iter().position(|(at, _)| *at == number)?;
            let [x_m, y_m] = place.surface();
            let row_pose = Pose2::new(x_m, y_m, place.yaw_deg.to_radians());
            let left_m = ((row.len() - 1) as f64 / 2.0 - rank as f64) * step_m;
            Some((object, row_pose.point_out(0.0, left_m)))
        })
    }
}
