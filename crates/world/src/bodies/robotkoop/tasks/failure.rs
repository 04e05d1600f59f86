//! Why a request is refused, why an act of the body fails, and why a task fails.

use super::Event;
use super::agenda::MOST_WAITING;
use super::request::{MAX_NAME, MAX_PARAMETERS, MAX_VALUE};

/// Why the agenda does not take a request.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(in crate::bodies::robotkoop) enum SubmitError {
    /// The id is empty or too long.
    #[error("a task's id has 1 to {MAX_NAME} bytes, not {bytes}")]
    IdLength { bytes: usize },
    /// The kind or the asker's name is too long.
    #[error("a task's kind and asker have {MAX_NAME} bytes at most")]
    NameLength,
    /// Too many parameters.
    #[error("a task has {MAX_PARAMETERS} parameters at most, not {count}")]
    ParameterCount { count: usize },
    /// A parameter is too long.
    #[error("a task's parameter has {MAX_VALUE} bytes at most")]
    ParameterLength,
    /// The queue is full.
    #[error("{MOST_WAITING} tasks wait already")]
    QueueFull,
    /// A task of the same id is of another kind.
    #[error("the task of this id is to {queued}, not to {requested}")]
    OtherKind { queued: String, requested: String },
    /// No job does a task of this kind.
    #[error("it cannot do that")]
    NoJob,
}

/// There is no task of this id.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("there is no task {id:?}")]
pub(in crate::bodies::robotkoop) struct UnknownTask {
    /// How the id begins.
    pub(super) id: String,
}

/// The database has no object of this name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("it knows no object {name:?}; it knows: {known}")]
pub(in crate::bodies::robotkoop) struct UnknownObject {
    /// How the name begins.
    pub(super) name: String,
    /// The objects that it knows.
    pub(super) known: String,
}

/// Why an act of the body fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(in crate::bodies::robotkoop) enum ActFailure {
    /// The navigator gave up, with its reason.
    #[error("{0}")]
    Navigation(String),
    /// The robot knows no place of this name.
    #[error("there is no place {0:?}")]
    UnknownPlace(String),
    /// The camera failed.
    #[error("the camera does not work")]
    Camera,
    /// The gripper failed.
    #[error("the gripper does not work")]
    Gripper,
    /// The robot was moved away from where it was to act.
    #[error("it was led away from {0}")]
    LedAway(String),
    /// The gripper closed beside the thing.
    #[error("the grip missed the {0}")]
    Missed(String),
    /// The receiving person is out of reach.
    #[error("nobody took the {0}")]
    NotTaken(String),
    /// The thing stuck to the gripper.
    #[error("the {0} did not come off the gripper")]
    Stuck(String),
}

/// Why a task fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(in crate::bodies::robotkoop) enum TaskFailure {
    /// The body could not act.
    #[error(transparent)]
    Act(#[from] ActFailure),
    /// Every try to reach a goal failed.
    #[error("the way to {goal} is blocked: {failure}")]
    Blocked { goal: String, failure: ActFailure },
    /// A place was skipped.
    #[error("{place} was left out: {failure}")]
    LeftOut { place: String, failure: ActFailure },
    /// Neither the object nor an alternative was found.
    #[error("the {0} was not found, nor anything like it")]
    NotFound(String),
    /// The offer of alternatives was not answered.
    #[error("nobody chose something else")]
    NoChoice,
    /// No person is there to take the object.
    #[error("nobody is there to take it")]
    NoReceiver,
    /// No person is at the goal.
    #[error("nobody is there")]
    NobodyThere,
    /// No person is there to be greeted.
    #[error("nobody is there to be greeted")]
    NobodyToGreet,
    /// No demonstration was recorded.
    #[error("there is no demonstration to save; ask for the operation start first")]
    NothingDemonstrated,
    /// No lesson has this name.
    #[error("it has not learned to {name:?}; it has learned: {learned}")]
    UnknownLesson { name: String, learned: String },
    /// The job expects no such event now.
    #[error("something unforeseen happened: {0:?}")]
    Unexpected(Box<Event>),
}
