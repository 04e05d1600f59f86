//! What can be made to happen in a simulated world, apart from what happens to one robot.

use std::fmt;

use latimer_core::model::Realities;

/// The shape of something that stands about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObstacleShape {
    /// A rectangle.
    Box {
        /// Along its own x.
        length_m: f64,
        /// Along its own y.
        width_m: f64,
    },
    /// A circle.
    Cylinder {
        /// Its radius.
        radius_m: f64,
    },
}

/// Where a small thing of the household lies.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectLocation {
    /// At a place of the world, by its name.
    Place(String),
    /// On the floor, on the map, metres.
    Floor([f64; 2]),
}

/// Something that happens in a simulated world on cue.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A door is opened or shut.
    Door {
        /// Which one.
        name: String,
        /// Open it.
        open: bool,
    },
    /// A light is switched.
    Light {
        /// Which one.
        name: String,
        /// On.
        on: bool,
    },
    /// Something is put into the room.
    PutObstacle {
        /// What it is called.
        name: String,
        /// Its shape.
        shape: ObstacleShape,
        /// Where: x, y in metres, yaw in radians.
        pose: [f64; 3],
        /// Red, green, blue.
        rgb: [u8; 3],
        /// Whether it is real or virtual; mixed is not a place to stand.
        reality: Realities,
    },
    /// Something is moved.
    MoveObstacle {
        /// Which one.
        name: String,
        /// Where to: x, y in metres, yaw in radians.
        pose: [f64; 3],
    },
    /// Something is taken away.
    RemoveObstacle {
        /// Which one.
        name: String,
    },
    /// A small thing comes into the room; robots do not know it, nor where it belongs.
    PutObject {
        /// What it is called.
        name: String,
        /// What sort of thing it is.
        category: String,
        /// Where it lies.
        at: ObjectLocation,
        /// Red, green, blue.
        rgb: [u8; 3],
    },
    /// A small thing is put elsewhere, also out of a hand, and comes back if it was taken away.
    MoveObject {
        /// Which one.
        name: String,
        /// Where it lies then.
        to: ObjectLocation,
    },
    /// A small thing is taken out of the room.
    RemoveObject {
        /// Which one.
        name: String,
    },
    /// A person is put elsewhere and continues from there.
    PlacePerson {
        /// Who.
        name: String,
        /// On the map, metres.
        position_m: [f64; 2],
    },
}

/// In words, for logs: `open the door front`.
impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Door { name, open: true } => write!(f, "open the door {name}"),
            Self::Door { name, open: false } => write!(f, "shut the door {name}"),
            Self::Light { name, on: true } => write!(f, "switch the light {name} on"),
            Self::Light { name, on: false } => write!(f, "switch the light {name} off"),
            Self::PutObstacle { name, .. } => write!(f, "put the obstacle {name}"),
            Self::MoveObstacle { name, .. } => write!(f, "move the obstacle {name}"),
            Self::RemoveObstacle { name } => write!(f, "remove the obstacle {name}"),
            Self::PutObject { name, .. } => write!(f, "put the object {name}"),
            Self::MoveObject { name, .. } => write!(f, "move the object {name}"),
            Self::RemoveObject { name } => write!(f, "remove the object {name}"),
            Self::PlacePerson { name, .. } => write!(f, "place the person {name}"),
        }
    }
}

/// How fast a simulated world goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// So many times as fast as the clock; 0 stands still.
    Speed(f64),
    /// Stands still.
    Pause,
    /// Goes on at the speed before the pause.
    Resume,
    /// Goes on by so many steps and stands still again.
    Step(u32),
}
