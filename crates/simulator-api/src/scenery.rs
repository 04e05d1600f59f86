//! What a simulated world looks like from above: what stands in it, and what moves.
//!
//! Lengths are in metres and angles in radians on the world's map: x east, y north, yaw counter-clockwise
//! from +x.

use latimer_core::RobotId;
use latimer_core::model::{Realities, words};

words! {
    /// What sort of thing a shape is.
    pub enum Layer {
        /// A wall within the room; the outer ones stand around the bounds.
        Wall = "wall",
        /// A thing that has a name, so that it can be moved and taken away while the world runs.
        Obstacle = "obstacle",
        /// A patch of floor with a colour of its own.
        Floor = "floor",
        /// A place without floor.
        Drop = "drop",
        /// Where robots charge.
        Charger = "charger",
        /// A shelf on four legs that robots carry.
        Rack = "rack",
        /// A pallet.
        Pallet = "pallet",
        /// A door while it is shut.
        Door = "door",
        /// A code on the floor.
        Barcode = "barcode",
        /// A reflective pole.
        Landmark = "landmark",
        /// A lamp.
        Light = "light",
        /// Where a robot stands to be at something.
        Place = "place",
        /// Something that sounds.
        Sound = "sound",
        /// A coordinate system of its own.
        Frame = "frame",
        /// Where a robot starts.
        Spawn = "spawn",
        /// A small thing of the household.
        Object = "object",
        /// A thing of the world file without a name.
        Furniture = "furniture",
        /// The top of a table; its legs are furniture.
        Table = "table",
        /// A window in an outer wall, turned into the room.
        Window = "window",
    }
}

/// The outline of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// It has none: only a place.
    Point,
    /// Its corners, on the map.
    Polygon(Vec<[f64; 2]>),
    /// A circle about its place, by its radius.
    Circle(f64),
}

/// Something that is there to be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneryShape {
    /// What sort of thing it is.
    pub layer: Layer,
    /// What it is called; layer and name together name one thing.
    pub name: Option<String>,
    /// A few words about it.
    pub label: Option<String>,
    /// Its outline.
    pub outline: Outline,
    /// Where its middle is: x, y, yaw.
    pub pose: [f64; 3],
    /// Red, green, blue.
    pub rgb: Option<[u8; 3]>,
    /// How tall it is, or how high above the floor if it is a lamp or lies on something.
    pub height_m: Option<f64>,
    /// Whether it is real or virtual.
    pub reality: Realities,
    /// Whether robots can move it; where it is now is among [`SceneryNow::things`].
    pub movable: bool,
}

/// A robot as it truly stands.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotAt {
    /// Which one.
    pub robot: RobotId,
    /// Its family.
    pub family: &'static str,
    /// Where: x, y, yaw.
    pub pose: [f64; 3],
}

/// A person in the room.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonAt {
    /// The name, if there is one.
    pub name: Option<String>,
    /// Where: x, y, and the yaw of the way that is walked.
    pub pose: [f64; 3],
    /// How wide.
    pub radius_m: f64,
    /// Colour of the clothes.
    pub rgb: [u8; 3],
}

words! {
    /// What a door does.
    pub enum DoorIs {
        /// It is out of the way.
        Open = "open",
        /// It slides away.
        Opening = "opening",
        /// It slides back.
        Closing = "closing",
        /// It is shut.
        Closed = "closed",
    }
}

/// A door as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct DoorAt {
    /// Which one.
    pub name: String,
    /// What it does.
    pub state: DoorIs,
    /// The corners of its leaf.
    pub corners_m: [[f64; 2]; 4],
}

/// Where a thing is that is pushed or carried about.
#[derive(Clone, Debug, PartialEq)]
pub struct ThingAt {
    /// What sort of thing it is.
    pub layer: Layer,
    /// Which one.
    pub name: String,
    /// Where: x, y, yaw.
    pub pose: [f64; 3],
}

/// What moves, as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneryNow {
    /// The world's time since it began.
    pub time_s: f64,
    /// How many times as fast as the clock the world goes.
    pub speed: f64,
    /// Whether it stands still.
    pub paused: bool,
    /// Share of the time that steps take, 0..1.
    pub load_ratio: f64,
    /// Which shapes there are: see [`Scenery::revision`].
    pub revision: u64,
    /// Robots, simulated or with a body here.
    pub robots: Vec<RobotAt>,
    /// People.
    pub people: Vec<PersonAt>,
    /// Doors.
    pub doors: Vec<DoorAt>,
    /// What can be pushed, and what is carried.
    pub things: Vec<ThingAt>,
}

/// The whole of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenery {
    /// The world's name.
    pub name: String,
    /// Least x and y, greatest x and y; outer walls stand around it.
    pub bounds_m: [f64; 4],
    /// Grows whenever a shape is put, changed, moved on request or taken away.
    pub revision: u64,
    /// What is there.
    pub shapes: Vec<SceneryShape>,
    /// What moves.
    pub now: SceneryNow,
}
