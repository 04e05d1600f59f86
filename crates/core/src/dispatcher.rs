//! Commands on their way to one robot, sent one after the other, while a stop overtakes them all.
//!
//! ```text
//! take ──▶ waiting ──▶ in flight ──▶ answered
//!   │         │            │
//!   │         └────────────┴── "a stop came after it"
//!   └── stop ──▶ sent at once, and again when the robot has dealt with what was in flight
//! ```
//!
//! The task of a [`Dispatcher`] owns all three. What was given after a stop waits until the stop is sent for the last
//! time. The caller of a command that was in flight is answered when the robot has answered. A command is sent only
//! while it is valid ([`Validity`]); one that takes several calls asks before each of them.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tracing::{Instrument, Span};

use crate::Clock;
use crate::hub::{CommandRequest, Validity};
use crate::model::{MotionEffect, Outcome, RobotId};

/// Commands that may wait for the one before, and stops that may be under way at once.
pub const CAPACITY: usize = 64;

/// Sends commands to one robot.
///
/// ```
/// use futures_util::future::BoxFuture;
/// use latimer_core::Outcome;
/// use latimer_core::dispatcher::Executor;
/// use latimer_core::hub::Validity;
///
/// struct Twice;
///
/// impl Executor for Twice {
///     type Job = &'static str;
///
///     fn carry_out<'a>(&'a self, job: &'static str, validity: &'a Validity) -> BoxFuture<'a, Outcome> {
///         Box::pin(async move {
///             for _ in 0..2 {
///                 if let Err(outcome) = validity.check() {
///                     return outcome;
///                 }
///                 println!("{job}");
///             }
///             Outcome::Done
///         })
///     }
/// }
/// ```
pub trait Executor: Send + Sync + 'static {
    /// A command as it is sent.
    type Job: Clone + Send + 'static;

    /// Carries a job out. One that takes several calls asks `validity` before each of them.
    fn carry_out<'a>(&'a self, job: Self::Job, validity: &'a Validity) -> BoxFuture<'a, Outcome>;
}

/// Takes commands for a robot, and ends with what holds it: what is not sent by then is not sent.
#[derive(Debug)]
pub struct Dispatcher<J> {
    queue: mpsc::Sender<(J, CommandRequest)>,
    /// Of their own, so that a burst of other commands leaves them room.
    stops: mpsc::Sender<(J, CommandRequest)>,
    task: JoinHandle<()>,
}

impl<J: Clone + Send + 'static> Dispatcher<J> {
    /// Begins to send.
    pub fn start(robot: RobotId, clock: Clock, executor: impl Executor<Job = J>) -> Self {
        let ((queue, taken), (stops, taken_stops)) = (mpsc::channel(CAPACITY), mpsc::channel(CAPACITY));
        let task = Task {
            robot,
            clock,
            executor: Arc::new(executor),
            waiting: VecDeque::new(),
            in_flight: None,
            stops: JoinSet::new(),
            again: None,
        };
        Self { queue, stops, task: tokio::spawn(task.run(taken_stops, taken)) }
    }

    /// Takes a command: it is sent after those before it, a stop at once. One that cannot wait is answered.
    pub fn take(&self, job: J, request: CommandRequest) {
        let queue = if request.command.is_stop() { &self.stops } else { &self.queue };
        if let Err(refused) = queue.try_send((job, request)) {
            let (_, request) = refused.into_inner();
            request.answer(full());
        }
    }
}

impl<J> Drop for Dispatcher<J> {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn full() -> Outcome {
    Outcome::busy(format!("{CAPACITY} commands wait for the robot already; send fewer"))
}

/// A command that is being carried out.
struct InFlight {
    work: JoinSet<Outcome>,
    request: CommandRequest,
    /// Whether a stop came meanwhile.
    overtaken: bool,
}

struct Task<E: Executor> {
    robot: RobotId,
    clock: Clock,
    executor: Arc<E>,
    waiting: VecDeque<(E::Job, CommandRequest)>,
    in_flight: Option<InFlight>,
    stops: JoinSet<(Option<CommandRequest>, Outcome)>,
    /// A stop to be sent again after what is in flight, with its validity and its span.
    again: Option<(E::Job, Validity, Span)>,
}

impl<E: Executor> Task<E> {
    async fn run(
        mut self,
        mut stops: mpsc::Receiver<(E::Job, CommandRequest)>,
        mut taken: mpsc::Receiver<(E::Job, CommandRequest)>,
    ) {
        loop {
            tokio::select! {
                biased;
                next = stops.recv() => match next {
                    Some((job, request)) => self.stop(job, request),
                    None => return,
                },
                next = taken.recv() => match next {
                    Some((job, request)) => self.take(job, request),
                    None => return,
                },
                Some(done) = self.stops.join_next() => {
                    if let Ok((caller, outcome)) = done {
                        self.stop_ended(caller, outcome);
                    }
                }
                outcome = ended(&mut self.in_flight) => {
                    if let Some(InFlight { request, overtaken, .. }) = self.in_flight.take() {
                        // The robot did it, and stops now.
                        let undone = overtaken && outcome.is_ok();
                        request.answer(if undone { Outcome::stopped() } else { outcome });
                    }
                }
            }
            self.send_next();
        }
    }

    fn take(&mut self, job: E::Job, request: CommandRequest) {
        if self.waiting.len() >= CAPACITY {
            return request.answer(full());
        }
        self.waiting.push_back((job, request));
    }

    fn stop(&mut self, job: E::Job, request: CommandRequest) {
        let (void, kept): (VecDeque<_>, _) =
            self.waiting.drain(..).partition(|(_, it)| it.validity().is_stopped());
        self.waiting = kept;
        void.into_iter().for_each(|(_, it)| it.answer(Outcome::stopped()));
        if let Some(in_flight) = self.in_flight.as_mut().filter(|it| it.request.validity().is_stopped()) {
            in_flight.overtaken = true;
            self.again = Some((job.clone(), request.validity().clone(), request.span()));
        }
        if self.stops.len() >= CAPACITY {
            return request.answer(Outcome::busy(format!("{CAPACITY} stops are under way already")));
        }
        let (executor, validity) = (self.executor.clone(), request.validity().clone());
        request.sent();
        let span = request.span();
        let stop = async move { (Some(request), carried_out(&*executor, job, &validity).await) };
        self.stops.spawn(stop.instrument(span));
    }

    fn stop_ended(&self, caller: Option<CommandRequest>, outcome: Outcome) {
        match caller {
            Some(caller) => caller.answer(outcome),
            None if outcome.is_ok() => {}
            None => tracing::warn!(robot = %self.robot, ?outcome, "a stop could not be sent again"),
        }
    }

    /// Sends what may be sent now: the stop once more, else the next command.
    fn send_next(&mut self) {
        if self.in_flight.is_some() || !self.stops.is_empty() {
            return;
        }
        if let Some((job, validity, span)) = self.again.take() {
            let executor = self.executor.clone();
            let stop = async move { (None, carried_out(&*executor, job, &validity).await) };
            self.stops.spawn(stop.instrument(span));
            return;
        }
        while let Some((job, request)) = self.waiting.pop_front() {
            if let Err(outcome) = request.check() {
                request.answer(outcome);
                continue;
            }
            let effect = request.command.motion_effect();
            let (executor, clock, validity) = (self.executor.clone(), self.clock, request.validity().clone());
            request.sent();
            let mut work = JoinSet::new();
            let job = async move {
                // What sets the robot in motion must not get through after its caller gave up: a connection that
                // takes long is given up, too. Other commands may take as long as the robot needs.
                let deadline = validity.deadline().filter(|_| effect == MotionEffect::Moves);
                let given_up = async {
                    match deadline {
                        Some(deadline) => clock.sleep_until(deadline).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    outcome = carried_out(&*executor, job, &validity) => outcome,
                    () = given_up => Outcome::TimedOut,
                }
            };
            work.spawn(job.instrument(request.span()));
            self.in_flight = Some(InFlight { work, request, overtaken: false });
            return;
        }
    }
}

/// Carries a job out; a panic in it leaves the others.
async fn carried_out<E: Executor>(executor: &E, job: E::Job, validity: &Validity) -> Outcome {
    let done = latimer_panics::contain("carrying out a command", executor.carry_out(job, validity)).await;
    done.unwrap_or_else(|panic| Outcome::unreachable(panic.to_string()))
}

/// What became of the command in flight; pending if there is none. Cancel safe.
async fn ended(in_flight: &mut Option<InFlight>) -> Outcome {
    let Some(in_flight) = in_flight else { return std::future::pending().await };
    match in_flight.work.join_next().await {
        Some(Ok(outcome)) => outcome,
        Some(Err(error)) => Outcome::unreachable(format!("it could not be sent: {error}")),
        None => Outcome::unreachable("it could not be sent"),
    }
}
