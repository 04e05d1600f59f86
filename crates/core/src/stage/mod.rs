//! The simulated world as the rest of the gateway reaches it: things that happen, bodies for robots that
//! are not simulated, readings on request, the pace of time.
//!
//! ```text
//! API, dialects ──Stage::ask──▶ queue ──StageDesk::next──▶ the world's thread ──answer──▶ asker
//! ```
//!
//! The world lives in another crate and on a thread of its own; this is only the counter between. The
//! queue is bounded, and the world's thread is woken for each request, so that a reading does not wait
//! for the next step.

mod load;

use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::Clock;
use crate::model::{
    Arena, Happening, Pace, Reading, Realities, RobotId, Scenario, Scenery, SceneryNow, SenseRequest,
};

pub use load::{LoadMeter, WorldLoad};

/// Requests that may wait.
const QUEUE: usize = 4_096;

/// What is asked of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// Nothing but an answer, to see that the world runs.
    Ping,
    /// Make something happen.
    Happen(Happening),
    /// Go faster, slower, not at all.
    Pace(Pace),
    /// Let a scenario happen from now on, in place of the one before.
    Play(Scenario),
    /// Tell what the world looks like.
    Look,
    /// Tell only what moves.
    Glance,
    /// Give a body to a robot that is not simulated.
    Embody {
        /// Its name.
        robot: RobotId,
        /// The kind of body.
        kind: String,
        /// Where: x, y in metres, yaw in radians, on the map or in `frame`.
        pose: [f64; 3],
        /// The name of the frame that its poses are given in.
        frame: Option<String>,
        /// Whether it is real or virtual.
        reality: Realities,
    },
    /// Tell where such a robot is now, in its own frame.
    Move {
        /// Which one.
        robot: RobotId,
        /// Where: x, y in metres, yaw in radians.
        pose: [f64; 3],
    },
    /// Take such a robot's body away.
    Release(RobotId),
    /// Measure from where a robot is.
    Sense {
        /// Which one; simulated or not.
        robot: RobotId,
        /// What to measure.
        request: SenseRequest,
    },
    /// Tell what stands in an arena, as swarm simulators tell it.
    Arena {
        /// The frame whose middle is its origin; the map if the world has none of that name.
        frame: String,
    },
    /// Do all of these one after another, so that many cost no more waking than one. None of them may be of
    /// this kind itself, or be about the pace of time.
    All(Vec<Ask>),
}

/// What the world answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It is so.
    Done,
    /// It was measured.
    Sensed(Vec<Reading>),
    /// It looks like this.
    Seen(Box<Scenery>),
    /// What moves is so.
    Glimpsed(Box<SceneryNow>),
    /// This stands in the arena.
    Arena(Box<Arena>),
    /// What became of each.
    All(Vec<Result<Answer, String>>),
}

/// Why the world did not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StageError {
    /// It cannot be done.
    #[error("{0}")]
    Refused(String),
    /// Too many requests wait.
    #[error("the simulated world has {QUEUE} requests waiting; ask again later")]
    Busy,
    /// It does not run.
    #[error("there is no simulated world, or it has stopped")]
    Gone,
    /// It did not answer in time.
    #[error("the simulated world did not answer within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
}

/// A request on its way to the world; it must be answered.
#[derive(Debug)]
pub struct StageRequest {
    /// What is asked.
    pub ask: Ask,
    reply: oneshot::Sender<Result<Answer, String>>,
}

impl StageRequest {
    /// Tells the asker.
    pub fn answer(self, answer: Result<Answer, String>) {
        // The asker may have stopped waiting; it has happened all the same.
        let _ = self.reply.send(answer);
    }

    /// Does what is asked and tells the asker; nothing of it is copied.
    pub fn fulfil(self, act: impl FnOnce(Ask) -> Result<Answer, String>) {
        let _ = self.reply.send(act(self.ask));
    }
}

/// The asking end; cheap to clone.
#[derive(Clone, Debug)]
pub struct Stage {
    requests: mpsc::Sender<StageRequest>,
    thread: Arc<OnceLock<Thread>>,
    load: LoadMeter,
    clock: Clock,
}

/// The world's end.
#[derive(Debug)]
pub struct StageDesk {
    requests: mpsc::Receiver<StageRequest>,
    thread: Arc<OnceLock<Thread>>,
    load: LoadMeter,
}

impl Stage {
    /// A counter with its two ends.
    pub fn new(clock: Clock) -> (Self, StageDesk) {
        let (sender, requests) = mpsc::channel(QUEUE);
        let thread = Arc::new(OnceLock::new());
        let load = LoadMeter::default();
        let stage = Self { requests: sender, thread: thread.clone(), load: load.clone(), clock };
        (stage, StageDesk { requests, thread, load })
    }

    /// How hard the world works.
    pub fn load(&self) -> WorldLoad {
        self.load.read()
    }

    /// Asks and waits for the answer, at most for `patience`.
    pub async fn ask(&self, ask: Ask, patience: Duration) -> Result<Answer, StageError> {
        let (reply, answer) = oneshot::channel();
        self.requests.try_send(StageRequest { ask, reply }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StageError::Busy,
            mpsc::error::TrySendError::Closed(_) => StageError::Gone,
        })?;
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
        tokio::select! {
            answer = answer => answer.map_err(|_| StageError::Gone)?.map_err(StageError::Refused),
            () = self.clock.sleep(patience) => Err(StageError::TimedOut(patience)),
        }
    }
}

impl StageDesk {
    /// Names the thread that answers, so that it can be woken.
    pub fn answered_by(&self, thread: Thread) {
        let _ = self.thread.set(thread);
    }

    /// Where the world counts how hard it works.
    pub fn meter(&self) -> LoadMeter {
        self.load.clone()
    }

    /// The next request, if one waits.
    pub fn next_request(&mut self) -> Option<StageRequest> {
        self.requests.try_recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn asks_are_answered_refused_or_time_out() {
        let (stage, mut desk) = Stage::new(Clock::system());
        let asked = tokio::spawn({
            let stage = stage.clone();
            async move { stage.ask(Ask::Pace(Pace::Pause), Duration::from_secs(5)).await }
        });
        let request = loop {
            match desk.next_request() {
                Some(request) => break request,
                None => tokio::task::yield_now().await,
            }
        };
        assert_eq!(request.ask, Ask::Pace(Pace::Pause));
        request.answer(Err("no".to_owned()));
        assert_eq!(asked.await.unwrap(), Err(StageError::Refused("no".to_owned())));
        assert_eq!(stage.ask(Ask::Pace(Pace::Pause), SOON).await, Err(StageError::TimedOut(SOON)));
        drop(desk);
        assert_eq!(stage.ask(Ask::Pace(Pace::Pause), SOON).await, Err(StageError::Gone));
    }
}
