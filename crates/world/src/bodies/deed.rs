//! What a body does to the world around it; the world carries it out after everybody has sensed.

use crate::geometry::Pose2;
use crate::physics::Footprint;

/// Something done to the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// The robot's outline is another one now.
    Outline(Footprint),
    /// A rack is lifted and moves along with the robot.
    TakeRack(String),
    /// A rack is put down.
    PutRack {
        /// Which one.
        name: String,
        /// Where.
        at: Pose2,
    },
    /// A thing is taken into the hand.
    TakeObject(String),
    /// A thing is put down at a place or given to somebody.
    PutObject {
        /// Which one.
        name: String,
        /// The place; with somebody if not given.
        place: Option<String>,
    },
    /// Somebody is asked to stay where they are for a while.
    AskToStay {
        /// Who, by the order of the world file.
        person: usize,
        /// For how long.
        seconds: f64,
    },
}
