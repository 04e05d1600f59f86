//! What a world file holds. `docs/world-files.md` tells it to those who write one.

use serde::Deserialize;

use super::arena::{self, ArenaFile, ArenaFileError};
use super::consistency::{Misfit, line_of};
use super::{
    Barcode, Box2, Charger, Cylinder, Door, Drop, Floor, Frame, Landmark, Lift, Light, Object, Pallet,
    Person, Place, Rack, RackArea, Sound, Spawn, Table, Wall, Window, check, light,
};

/// A room and what is in it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldFile {
    /// What it is called.
    pub name: String,
    /// Length east and north, metres; outer walls stand around it.
    #[serde(deserialize_with = "check::room")]
    pub size_m: [f64; 2],
    /// Whether no outer walls stand around it.
    #[serde(default)]
    pub open: bool,
    /// Inner walls.
    #[serde(default)]
    pub walls: Vec<Wall>,
    /// Things with a rectangular footprint.
    #[serde(default)]
    pub boxes: Vec<Box2>,
    /// Things with a round footprint.
    #[serde(default)]
    pub cylinders: Vec<Cylinder>,
    /// Tables, of which legs are built.
    #[serde(default)]
    pub tables: Vec<Table>,
    /// Windows in the outer walls.
    #[serde(default)]
    pub windows: Vec<Window>,
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
    /// Doors in the walls.
    #[serde(default)]
    pub doors: Vec<Door>,
    /// Lifts, of which walls, floors and doors are built.
    #[serde(default)]
    pub lifts: Vec<Lift>,
    /// Shelves on legs that robots carry.
    #[serde(default)]
    pub racks: Vec<Rack>,
    /// Areas where racks stand.
    #[serde(default)]
    pub rack_areas: Vec<RackArea>,
    /// Pallets.
    #[serde(default)]
    pub pallets: Vec<Pallet>,
    /// Codes on the floor.
    #[serde(default)]
    pub barcodes: Vec<Barcode>,
    /// Reflective poles.
    #[serde(default)]
    pub landmarks: Vec<Landmark>,
    /// Lamps.
    #[serde(default)]
    pub lights: Vec<Light>,
    /// Ambient light, 0..1 of a sensor's range.
    #[serde(default = "light::ambient", deserialize_with = "check::level")]
    pub ambient: f64,
    /// Places to be at.
    #[serde(default)]
    pub places: Vec<Place>,
    /// Small things at these places.
    #[serde(default)]
    pub objects: Vec<Object>,
    /// Coordinate systems of their own.
    #[serde(default)]
    pub frames: Vec<Frame>,
    /// Names of faces that the robots of this world know from the start.
    #[serde(default)]
    pub known_faces: Vec<String>,
    /// The swarm simulator's arena that it was made from.
    #[serde(skip)]
    pub arena: Option<ArenaFile>,
}

/// What is wrong with a world file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorldFileError {
    /// Not TOML, an unknown key or a value out of bounds; the message shows the line.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// An arena's JSON that cannot be a world.
    #[error(transparent)]
    Arena(#[from] ArenaFileError),
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
    /// Reads and checks a file's text: TOML, or the JSON of a swarm simulator's arena.
    pub fn parse(text: &str) -> Result<Self, WorldFileError> {
        if text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{') {
            return Ok(arena::world_from_arena(text)?);
        }
        let mut file: Self = toml::from_str(text)?;
        file.settle_spawns();
        file.build_lifts();
        file.build_tables();
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
}
