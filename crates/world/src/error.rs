//! Why a world could not be built or a robot not be put into it.

use latimer_core::RobotId;

use crate::bodies::UnknownKind;
use crate::config::WorldFileError;

/// Why a world could not be built or a robot not be put into it.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// The world's file is wrong.
    #[error(transparent)]
    File(#[from] WorldFileError),
    /// There is no body of that kind.
    #[error(transparent)]
    UnknownKind(#[from] UnknownKind),
    /// A robot of that name is in the world already.
    #[error("a robot {0} is in the world already; give the new one another name")]
    DuplicateRobot(RobotId),
    /// The world has no spawn point of that name.
    #[error("no spawn point {name:?} in world {world:?}; there are: {known}")]
    UnknownSpawn {
        /// The name asked for.
        name: String,
        /// The world's name.
        world: String,
        /// The names there are.
        known: String,
    },
    /// The place is outside, over a drop or taken.
    #[error(
        "no room for robot {robot} at x {x_m:.2} m, y {y_m:.2} m: {reason}; start it elsewhere or change the world file"
    )]
    NoRoom {
        /// The robot.
        robot: RobotId,
        /// East of the origin.
        x_m: f64,
        /// North of the origin.
        y_m: f64,
        /// What is in the way.
        reason: String,
    },
    /// Every place is taken.
    #[error("world {world:?} has no free place for robot {robot}; make it larger or start fewer robots")]
    Full {
        /// The robot.
        robot: RobotId,
        /// The world's name.
        world: String,
    },
}
