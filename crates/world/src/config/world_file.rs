//! What a world file holds. `docs/world-files.md` tells it to those who write one.

use std::collections::HashSet;

use serde::Deserialize;

use super::{Color, Person, Reality, Sound, check};
use crate::geometry::{Pose2, inside};

/// Most shapes accepted in one file.
const MAX_SHAPES: usize = 5_000;

fn wall_thickness_m() -> f64 {
    0.1
}

fn box_mass_kg() -> f64 {
    2.0
}

fn drop_depth_m() -> f64 {
    0.18
}

/// A room and what is in it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldFile {
    /// What it is called.
    pub name: String,
    /// Length east and north, metres; outer walls stand around it.
    #[serde(deserialize_with = "check::room")]
    pub size_m: [f64; 2],
    /// Inner walls.
    #[serde(default)]
    pub walls: Vec<Wall>,
    /// Things with a rectangular footprint.
    #[serde(default)]
    pub boxes: Vec<Box2>,
    /// Things with a round footprint.
    #[serde(default)]
    pub cylinders: Vec<Cylinder>,
    /// Patches of another floor: rugs, dark tiles.
    #[serde(default)]
    pub floors: Vec<Floor>,
    /// Places without floor: stairs, pits.
    #[serde(default)]
    pub drops: Vec<Drop>,
    /// Where robots charge.
    #[serde(default)]
    pub chargers: Vec<Charger>,
    /// Where robots start; taken in this order.
    #[serde(default)]
    pub spawns: Vec<Spawn>,
    /// Who walks about.
    #[serde(default)]
    pub people: Vec<Person>,
    /// What can be heard.
    #[serde(default)]
    pub sounds: Vec<Sound>,
    /// Names of faces that the robots of this world know from the start.
    #[serde(default)]
    pub known_faces: Vec<String>,
}

/// A wall along a line of points.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Its corners.
    #[serde(deserialize_with = "check::line")]
    pub points_m: Vec<[f64; 2]>,
    /// How thick it is.
    #[serde(default = "wall_thickness_m", deserialize_with = "check::length")]
    pub thickness_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given, 0.95 and more is a mirror.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
    /// Whether it is real or virtual.
    #[serde(default)]
    pub reality: Reality,
}

/// A thing with a rectangular footprint.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Box2 {
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub center_m: [f64; 2],
    /// Its length and width.
    #[serde(deserialize_with = "check::size")]
    pub size_m: [f64; 2],
    /// How it is turned.
    #[serde(default, deserialize_with = "check::degrees")]
    pub yaw_deg: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given, 0.95 and more is a mirror.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
    /// Whether it is real or virtual.
    #[serde(default)]
    pub reality: Reality,
    /// Whether robots can push it.
    #[serde(default)]
    pub movable: bool,
    /// What it weighs, if it can be pushed.
    #[serde(default = "box_mass_kg", deserialize_with = "check::mass")]
    pub mass_kg: f64,
}

/// A thing with a round footprint.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Its middle.
    #[serde(deserialize_with = "check::point")]
    pub center_m: [f64; 2],
    /// Its radius.
    #[serde(deserialize_with = "check::length")]
    pub radius_m: f64,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given, 0.95 and more is a mirror.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
    /// Whether it is real or virtual.
    #[serde(default)]
    pub reality: Reality,
}

/// A patch of floor with a colour of its own.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// Its corners.
    #[serde(deserialize_with = "check::polygon")]
    pub polygon_m: Vec<[f64; 2]>,
    /// Its colour.
    #[serde(default)]
    pub color: Color,
    /// How much light it sends back, 0..1; by its colour if not given.
    #[serde(default, deserialize_with = "check::ratio")]
    pub reflectivity: Option<f64>,
}

/// A place without floor.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drop {
    /// Its corners.
    #[serde(deserialize_with = "check::polygon")]
    pub polygon_m: Vec<[f64; 2]>,
    /// How far down it goes.
    #[serde(default = "drop_depth_m", deserialize_with = "check::length")]
    pub depth_m: f64,
}

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
}

/// Where a robot starts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spawn {
    /// What it is called.
    pub name: String,
    /// Where the robot's middle is.
    #[serde(deserialize_with = "check::point")]
    pub position_m: [f64; 2],
    /// How it is turned.
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
    /// The pose of a robot that starts here.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position_m[0], self.position_m[1], self.yaw_deg.to_radians())
    }
}

/// What is wrong with a world file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorldFileError {
    /// Not TOML, an unknown key or a value out of bounds; the message shows the line.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// The parts do not fit together.
    #[error("world {world:?}, line {line}: {what}")]
    Inconsistent {
        /// The line where the part begins, from 1.
        line: usize,
        /// The world's name.
        world: String,
        /// What does not fit and what to do.
        what: String,
    },
    /// No such built-in world.
    #[error("no built-in world {name:?}; there are: {known}")]
    UnknownBuiltin {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
}

impl WorldFile {
    /// Reads and checks a file's text.
    pub fn parse(text: &str) -> Result<Self, WorldFileError> {
        let file: Self = toml::from_str(text)?;
        match file.check() {
            Ok(()) => Ok(file),
            Err(Misfit { part, what }) => {
                Err(WorldFileError::Inconsistent { line: line_of(text, part), world: file.name, what })
            }
        }
    }

    /// Whether a point is in the room.
    pub fn contains(&self, x_m: f64, y_m: f64) -> bool {
        (0.0..=self.size_m[0]).contains(&x_m) && (0.0..=self.size_m[1]).contains(&y_m)
    }

    fn check(&self) -> Result<(), Misfit> {
        let corners: usize = self.walls.iter().map(|wall| wall.points_m.len()).sum();
        let shapes = corners + self.boxes.len() + self.cylinders.len() + self.floors.len() + self.drops.len();
        let shapes = shapes + self.people.len() + self.sounds.len();
        if shapes > MAX_SHAPES {
            let what = format!("{shapes} things and wall corners, but {MAX_SHAPES} is the most");
            return Err(Misfit { part: ("walls", 0), what });
        }
        let mut names = HashSet::new();
        for (part, name, point) in self.places() {
            let wrong = |what: String| Err(Misfit { part, what });
            let kind = if part.0 == "people" { "person" } else { part.0.trim_end_matches('s') };
            let what = if name.is_empty() { format!("this {kind}") } else { format!("{kind} {name:?}") };
            if !name.is_empty() && part.0 != "people" && !names.insert((part.0, name)) {
                return wrong(format!("two {} are called {name:?}; rename one", part.0));
            }
            if !self.contains(point[0], point[1]) {
                return wrong(format!("{what} is outside the room; move it or enlarge size_m"));
            }
            let over = |drop: &Drop| inside(&drop.polygon_m, point[0], point[1]);
            if part.0 != "sounds" && self.drops.iter().any(over) {
                return wrong(format!("{what} is over a drop; move it"));
            }
        }
        Ok(())
    }

    /// All places that must be in the room, each with the part and the name that it belongs to.
    fn places(&self) -> impl Iterator<Item = (Part, &str, [f64; 2])> {
        let chargers = self.chargers.iter().enumerate();
        let chargers = chargers.map(|(i, it)| (("chargers", i), it.name.as_str(), it.position_m));
        let spawns = self.spawns.iter().enumerate();
        let spawns = spawns.map(|(i, it)| (("spawns", i), it.name.as_str(), it.position_m));
        let people = self.people.iter().enumerate().flat_map(|(i, it)| {
            let points = std::iter::once(&it.start_m).chain(&it.walk_m);
            points.map(move |point| (("people", i), it.name.as_deref().unwrap_or_default(), *point))
        });
        let sounds = self.sounds.iter().enumerate();
        let sounds = sounds.map(|(i, it)| (("sounds", i), "", it.position_m));
        chargers.chain(spawns).chain(people).chain(sounds)
    }
}

/// One entry of a list in the file: the list's key and a number from 0.
type Part = (&'static str, usize);

/// A part that does not fit.
struct Misfit {
    part: Part,
    what: String,
}

/// The line where a part begins.
fn line_of(text: &str, (key, number): Part) -> usize {
    let place = toml::de::DeTable::parse(text).ok().and_then(|table| {
        let item = table.get_ref().get(key)?.get_ref().get(number)?;
        Some(item.span().start)
    });
    text.as_bytes().iter().take(place.unwrap_or(0)).filter(|byte| **byte == b'\n').count() + 1
}
