//! Effects of a body on the world, which the world applies after all bodies have sensed.

use crate::geometry::Pose2;
use crate::physics::Footprint;

/// A change of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The robot's outline changes.
    Outline(Footprint),
    /// A rack is lifted and moves along with the robot.
    TakeRack(String),
    /// A rack is put down.
    PutRack {
        /// Its name.
        name: String,
        /// Its new pose.
        at: Pose2,
    },
    /// A lift is called, by the name of its door.
    CallLift(String),
    /// A thing is taken into the hand.
    TakeObject(String),
    /// A thing is put down at a place or given to a person.
    PutObject {
        /// Its name.
        name: String,
        /// The place; given to a person if not set.
        place: Option<String>,
    },
    /// A person is asked to stay for a while.
    AskToStay {
        /// The person, by the order of the world file.
        person: usize,
        /// Duration.
        seconds: f64,
    },
}
