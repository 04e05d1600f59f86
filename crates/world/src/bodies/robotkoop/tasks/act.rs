//! What a job wants the body to do, and what the body tells it back.

use latimer_core::model::TaskRequest;

use super::{ActFailure, TaskFailure};

/// What the body shall do now.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bodies::robotkoop) enum Act {
    /// Nothing.
    Rest,
    /// Think or wait, seconds.
    Think(f64),
    /// Drive to a place.
    Go(String),
    /// Go to whoever asked, or to where that was.
    Meet,
    /// Look at what is here.
    Look,
    /// Take a thing.
    Pick(String),
    /// Put a thing down at a place, or hand it over.
    Put {
        /// Which one.
        thing: String,
        /// Where; to whoever is here if not given.
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
        !matches!(self, Self::Look | Self::Pick(_) | Self::Put { .. })
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
    /// Somebody is here, by name if the robot knows the face.
    Met(Option<String>),
    /// Nobody came, or nobody answered.
    Silence,
    /// Somebody answered: the task with what was changed.
    Answer(TaskRequest),
}
