//! Acts of a job, and events of the body.

use latimer_core::model::TaskRequest;

use super::{ActFailure, ArmPose, TaskFailure};

/// What the body shall do now.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bodies::robotkoop) enum Act {
    /// Nothing.
    Rest,
    /// Think or wait, seconds.
    Think(f64),
    /// Drive to a place.
    Go(String),
    /// Go to the asker, or to where the task was given.
    Meet,
    /// Look at what is here.
    Look,
    /// Let the arm go through poses that were demonstrated, one after the other.
    Reproduce(Vec<ArmPose>),
    /// Take a thing.
    Pick(String),
    /// Put a thing down at a place, or hand it over.
    Put {
        /// Which one.
        thing: String,
        /// Where; to the person who is here if not given.
        place: Option<String>,
    },
    /// Wait for a person to answer.
    Ask,
    /// The task is over, for good or for a reason.
    End(Result<(), TaskFailure>),
}

impl Act {
    /// Whether it can be broken off and begun again later from elsewhere: not what is done on the spot.
    pub(super) fn can_wait(&self) -> bool {
        !matches!(self, Self::Look | Self::Reproduce(_) | Self::Pick(_) | Self::Put { .. })
    }
}

/// What became of an act.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bodies::robotkoop) enum Event {
    /// The task begins.
    Begin,
    /// It is done: thought, arrived, taken, put down.
    Done,
    /// It could not be done, and why.
    Failed(ActFailure),
    /// What was seen here.
    Saw(Vec<String>),
    /// A person is here, by name if the robot knows the face.
    Met(Option<String>),
    /// No person came or answered.
    Silence,
    /// The search takes too long.
    Late,
    /// A person answered: the task with the changes.
    Answer(TaskRequest),
}
