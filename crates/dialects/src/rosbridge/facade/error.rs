//! Why a client's frame is refused, as the client reads it.

use latimer_core::RobotId;
use latimer_core::hub::SelectionError;
use latimer_core::model::Kind;

use super::NameTaken;
use super::frames::NoPlace;
use super::relay::RelayError;
use crate::limits::MAX_PENDING_STOPS;
use crate::rosbridge::fragments::FragmentError;
use crate::rosbridge::limits::{
    MAX_COMMANDS_PER_CLIENT, MAX_GOALS_PER_CLIENT, MAX_REPUBLISHED_FRAMES, MAX_TOPICS_PER_CLIENT,
};
use crate::rosbridge::topics::{COMMANDS, DecodeError};

/// Why a frame is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    #[error("the message is no frame of rosbridge: {0}")]
    Frame(#[from] serde_json::Error),
    #[error(
        "{0:?} is not known here; subscribe, unsubscribe, advertise, unadvertise, publish, call_service, advertise_service, \
         unadvertise_service, service_response, fragment and set_level are"
    )]
    UnknownOp(String),
    #[error("{op} needs a {field}")]
    Missing { op: String, field: &'static str },
    #[error("{MAX_TOPICS_PER_CLIENT} topics are the limit of one client; unsubscribe one")]
    TooManyTopics,
    #[error(
        "{MAX_COMMANDS_PER_CLIENT} commands of this client wait for their robots, or {MAX_PENDING_STOPS} stops for this one; send fewer"
    )]
    TooManyCommands,
    #[error(transparent)]
    NoPlace(#[from] NoPlace),
    #[error("there is no action {0:?}; robots have navigate_to_pose")]
    NoAction(String),
    #[error(
        "{0} does not tell how its drives end, so that no action can; publish the pose on its topic goal"
    )]
    Untold(RobotId),
    #[error("no goal of {0} with this id is under way; cancel it with the id that send_action_goal had")]
    NoGoal(String),
    #[error("{MAX_REPUBLISHED_FRAMES} frames are the limit of one goal; give several")]
    TooManyFrames,
    #[error("{MAX_GOALS_PER_CLIENT} goals of actions are the limit of one client; cancel one")]
    TooManyGoals,
    #[error(transparent)]
    NameTaken(#[from] NameTaken),
    #[error("there is no level {0:?}; none, error, warning and info are")]
    Level(String),
    #[error("{0} is published here; a client cannot publish it")]
    Published(String),
    #[error("{0} is served here; a client cannot serve it")]
    Served(String),
    #[error("there is no service {0}; call /rosapi/services for a list")]
    NoService(String),
    #[error("who may drive no robot cannot send other clients anything; ask an admin for the role drive")]
    MayOnlySee,
    #[error("{topic}: {robot} has nothing that publishes {kind}; no message will come")]
    Absent { topic: String, robot: RobotId, kind: Kind },
    #[error("nothing listens on {0}; robots listen on {paths}", paths = COMMANDS.map(|it| it.path).join(", "))]
    NoCommandTopic(String),
    #[error("{topic} is of type {known}, not {requested}")]
    OtherType { topic: String, known: String, requested: String },
    #[error("{topic}: {error}")]
    Message { topic: String, error: DecodeError },
    #[error(transparent)]
    Fragment(#[from] FragmentError),
    #[error(transparent)]
    Relay(#[from] RelayError),
    #[error(transparent)]
    Selection(#[from] SelectionError),
}
