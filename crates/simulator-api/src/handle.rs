//! The handle of the simulated world and the queue behind it.
//!
//! The world runs on a thread of its own. The queue is bounded, and the world's thread is woken for each request, so that
//! a reading does not wait for the next step.

use std::sync::{Arc, OnceLock};
use std::thread::Thread;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use latimer_core::model::{Reading, Realities, Refusal, SenseRequest};
use latimer_core::{Clock, RobotId, Timestamp};

use crate::clock::WorldTime;
use crate::{
    Arena, Happening, LoadMeter, Pace, Scenario, Scenery, SceneryNow, Stimulus, WorldClock, WorldLoad,
};

/// Requests that may wait.
const CAPACITY: usize = 4_096;

/// What is asked of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldRequest {
    /// Nothing but an answer, to see that the world runs.
    Ping,
    /// Make something happen.
    Happen(Happening),
    /// Go faster, slower, not at all.
    Pace(Pace),
    /// Make something happen to a simulated robot.
    Poke {
        /// Which one.
        robot: RobotId,
        /// What happens to it.
        stimulus: Stimulus,
    },
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
    /// List the obstacles of an arena, in the form of swarm simulators.
    Arena {
        /// The frame whose middle is its origin; the map if the world has none of that name.
        frame: String,
    },
    /// Do all of these one after another, so that many wake the world's thread once. None of them may be of
    /// this kind itself, or be about the pace of time.
    All(Vec<WorldRequest>),
}

/// What the world answers.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldResponse {
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
    All(Vec<Result<WorldResponse, Refusal>>),
}

/// Why the world did not do it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulatorError {
    /// It cannot be done.
    #[error("{0}")]
    Refused(Refusal),
    /// Too many requests wait.
    #[error("the simulated world has {CAPACITY} requests waiting; ask again later")]
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
pub struct PendingRequest {
    /// What is asked.
    pub request: WorldRequest,
    reply: oneshot::Sender<Result<WorldResponse, Refusal>>,
}

impl PendingRequest {
    /// Answers it without doing anything.
    pub fn answer(self, answer: Result<WorldResponse, Refusal>) {
        // The caller may have stopped waiting; it has happened all the same.
        let _ = self.reply.send(answer);
    }

    /// Does what is asked and answers; nothing of it is copied.
    pub fn fulfil(self, act: impl FnOnce(WorldRequest) -> Result<WorldResponse, Refusal>) {
        let _ = self.reply.send(act(self.request));
    }
}

/// Sends requests to the simulated world; cheap to clone.
#[derive(Clone, Debug)]
pub struct SimulatorHandle {
    requests: mpsc::Sender<PendingRequest>,
    thread: Arc<OnceLock<Thread>>,
    load: LoadMeter,
    clock: Clock,
    world_clock: WorldClock,
}

/// Requests as the world's thread takes them.
#[derive(Debug)]
pub struct RequestQueue {
    requests: mpsc::Receiver<PendingRequest>,
    thread: Arc<OnceLock<Thread>>,
    load: LoadMeter,
    time: WorldTime,
}

impl SimulatorHandle {
    /// A handle and the queue that its requests come out of.
    pub fn new(clock: Clock) -> (Self, RequestQueue) {
        let (sender, requests) = mpsc::channel(CAPACITY);
        let thread = Arc::new(OnceLock::new());
        let load = LoadMeter::default();
        let (time, world_clock) = WorldTime::beginning(clock.now());
        let simulator =
            Self { requests: sender, thread: thread.clone(), load: load.clone(), clock, world_clock };
        (simulator, RequestQueue { requests, thread, load, time })
    }

    /// How hard the world works.
    pub fn load(&self) -> WorldLoad {
        self.load.read()
    }

    /// The world's time.
    pub fn world_clock(&self) -> WorldClock {
        self.world_clock.clone()
    }

    /// Asks and waits for the answer, at most for `patience`.
    pub async fn ask(
        &self,
        request: WorldRequest,
        patience: Duration,
    ) -> Result<WorldResponse, SimulatorError> {
        let (reply, answer) = oneshot::channel();
        self.requests.try_send(PendingRequest { request, reply }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => SimulatorError::Busy,
            mpsc::error::TrySendError::Closed(_) => SimulatorError::Gone,
        })?;
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
        tokio::select! {
            answer = answer => answer.map_err(|_| SimulatorError::Gone)?.map_err(SimulatorError::Refused),
            () = self.clock.sleep(patience) => Err(SimulatorError::TimedOut(patience)),
        }
    }
}

impl RequestQueue {
    /// Names the thread that answers, so that it can be woken.
    pub fn answered_by(&self, thread: Thread) {
        let _ = self.thread.set(thread);
    }

    /// Where the world counts how hard it works.
    pub fn meter(&self) -> LoadMeter {
        self.load.clone()
    }

    /// The world's time is this now: a step is done, and what it published is handed out.
    pub fn reached(&self, at: Timestamp) {
        self.time.reached(at);
    }

    /// The next request, if one waits.
    pub fn next_request(&mut self) -> Option<PendingRequest> {
        self.requests.try_recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[tokio::test]
    async fn a_request_is_answered_refused_or_times_out() {
        let (simulator, mut queue) = SimulatorHandle::new(Clock::system());
        let asked = tokio::spawn({
            let simulator = simulator.clone();
            async move { simulator.ask(WorldRequest::Pace(Pace::Pause), Duration::from_secs(5)).await }
        });
        let request = loop {
            match queue.next_request() {
                Some(request) => break request,
                None => tokio::task::yield_now().await,
            }
        };
        assert_eq!(request.request, WorldRequest::Pace(Pace::Pause));
        request.answer(Err(Refusal::not_now("no")));
        assert_eq!(asked.await.unwrap(), Err(SimulatorError::Refused(Refusal::not_now("no"))));
        assert_eq!(
            simulator.ask(WorldRequest::Pace(Pace::Pause), SOON).await,
            Err(SimulatorError::TimedOut(SOON))
        );
        drop(queue);
        assert_eq!(simulator.ask(WorldRequest::Pace(Pace::Pause), SOON).await, Err(SimulatorError::Gone));
    }
}
