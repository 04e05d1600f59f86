//! Robots that come into a running world and leave it.

use latimer_core::hub::NameTaken;
use latimer_core::{Hub, RobotId};
use tokio::sync::{mpsc, oneshot};

use crate::error::WorldError;
use crate::world::Newcomer;

/// Changes that may wait; each is asked for by a person.
const CAPACITY: usize = 64;

/// Why a robot did not come or go.
#[derive(Debug, thiserror::Error)]
pub enum PopulationError {
    /// The world has no room for it, or does not know what it is.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Another robot has its name.
    #[error(transparent)]
    Name(#[from] NameTaken),
    /// The world has no such robot.
    #[error("no robot {0} is simulated")]
    Unknown(RobotId),
    /// The world has stopped.
    #[error("the simulated world has stopped")]
    Stopped,
}

/// A robot that comes or goes.
#[derive(Debug)]
pub(super) enum Change {
    /// It comes.
    Add(Newcomer),
    /// It goes.
    Remove(RobotId),
}

type Request = (Change, oneshot::Sender<Result<(), PopulationError>>);

/// Lets robots come into a running world and leave it.
#[derive(Clone, Debug)]
pub struct Population(mpsc::Sender<Request>);

/// What is asked of a world, and the hub of its robots.
#[derive(Debug)]
pub(super) struct Changes {
    pub(super) hub: Hub,
    pub(super) queue: mpsc::Receiver<Request>,
}

impl Population {
    pub(super) fn new() -> (Self, mpsc::Receiver<Request>) {
        let (sender, queue) = mpsc::channel(CAPACITY);
        (Self(sender), queue)
    }

    /// Puts a robot into the world.
    pub async fn add(&self, newcomer: Newcomer) -> Result<(), PopulationError> {
        self.ask(Change::Add(newcomer)).await
    }

    /// Takes a robot out of the world.
    pub async fn remove(&self, robot: RobotId) -> Result<(), PopulationError> {
        self.ask(Change::Remove(robot)).await
    }

    async fn ask(&self, change: Change) -> Result<(), PopulationError> {
        let (sender, answer) = oneshot::channel();
        self.0.send((change, sender)).await.map_err(|_| PopulationError::Stopped)?;
        answer.await.unwrap_or(Err(PopulationError::Stopped))
    }
}
