//! Commands that wait for one robot, and whether they may still be sent.
//!
//! ```text
//! Hub::command ──push──▶ stops  ──┐
//!                        others ──┴─▶ Source::next_command ──▶ session or world
//! ```
//!
//! A newer speed takes the place of one that waits. A stop is final: it is taken first, and every command that was given
//! before it is answered that a stop came after it, wherever the command waits by then. For that each command knows how many
//! stops its robot had been given ([`Validity`]); each queue on the way to the robot checks that before it sends.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};

use super::trace::{CommandId, Station, Trace};
use crate::authority::Bounded;
use crate::clock::{Clock, Timestamp};
use crate::limits::{ABANDONED_COMMAND_TIMEOUT, COMMAND_QUEUE_CAPACITY};
use crate::model::{MotionEffect, Outcome};

/// Whether a command may still be sent to its robot. Cheap to clone.
///
/// ```
/// use std::time::Duration;
///
/// use latimer_core::hub::{Origin, RobotInfo};
/// use latimer_core::{Author, Clock, Command, Hub, Outcome, RobotId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let hub = Hub::new(Clock::system());
/// # let robot: RobotId = "rover-1".parse()?;
/// # let mut source = hub.register(RobotInfo::new(robot.clone(), "rover", Origin::Simulated))?;
/// let (driver, second) = (hub.command_client(Author::new("example", "ada")), Duration::from_secs(1));
/// let ahead = Command::Drive { linear_mps: 0.2, angular_radps: 0.0, duration: None };
/// let drive = driver.command(&robot, ahead, second);
/// let stop = driver.command(&robot, Command::Stop { hold: false }, second);
///
/// let request = source.next_command().await;
/// assert!(request.command.is_stop(), "it overtakes the drive, which is void");
/// request.answer(Outcome::Done);
///
/// assert_eq!(stop.await, Outcome::Done);
/// assert_eq!(drive.await, Outcome::stopped());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Validity {
    /// Stops that the robot was given so far.
    stops: Arc<AtomicU64>,
    /// The same when the command was given; `None` for one that a stop does not void.
    given_at: Option<u64>,
    /// Until when its caller waits; `None` for a stop, which is sent in any case.
    deadline: Option<Timestamp>,
    clock: Clock,
}

impl Validity {
    /// Whether a stop overtook it.
    pub fn is_stopped(&self) -> bool {
        self.given_at.is_some_and(|stops| stops != self.stops.load(Ordering::Acquire))
    }

    /// Refuses a command that a stop overtook, or whose caller's patience is over.
    pub fn check(&self) -> Result<(), Outcome> {
        if self.is_stopped() {
            return Err(Outcome::stopped());
        }
        match self.deadline {
            Some(deadline) if self.clock.now() >= deadline => Err(Outcome::TimedOut),
            _ => Ok(()),
        }
    }

    /// Until when its caller waits; `None` for a stop.
    pub const fn deadline(&self) -> Option<Timestamp> {
        self.deadline
    }
}

/// A command on its way to a robot; it must be answered.
#[derive(Debug)]
pub struct CommandRequest {
    /// What is asked.
    pub command: Bounded,
    trace: Trace,
    validity: Validity,
    given: Timestamp,
    reply: oneshot::Sender<Answer>,
}

/// What became of a command, and why that is not what was asked for, if the gateway knows.
pub(super) type Answer = (Outcome, Option<&'static str>);

/// Of a drive that was answered without having been sent, since the robot would have gone on with the next at once.
const REPLACED: &str = "a newer drive came before it was sent";

impl CommandRequest {
    /// What the log, the audit and the answer to its client call it.
    pub fn id(&self) -> CommandId {
        self.trace.id()
    }

    /// Its span, for what is done on the way to the robot.
    pub fn span(&self) -> tracing::Span {
        self.trace.span().clone()
    }

    /// It goes to the robot now.
    pub fn sent(&self) {
        self.trace.at(Station::Sent);
    }

    /// Answers the caller.
    pub fn answer(self, outcome: Outcome) {
        self.trace.answered(&outcome);
        // The caller may have stopped waiting; the robot has acted all the same.
        let _ = self.reply.send((outcome, None));
    }

    /// Whether it may still be sent, also while it is carried out step by step.
    pub const fn validity(&self) -> &Validity {
        &self.validity
    }

    /// Refuses it if it may not be sent any more; for what takes commands out of a queue.
    pub fn check(&self) -> Result<(), Outcome> {
        self.validity.check()?;
        let left = self.validity.deadline.is_some()
            && self.reply.is_closed()
            && self.validity.clock.now().since(self.given) > ABANDONED_COMMAND_TIMEOUT;
        if left { Err(Outcome::TimedOut) } else { Ok(()) }
    }
}

/// What is put in line.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A stop voids what was given before it.
    Command(Bounded),
    /// A stop that was given already and is sent once more: it voids nothing that was given since.
    StopAgain(Bounded),
}

impl Outgoing {
    pub(super) fn command(&self) -> &Bounded {
        let (Self::Command(command) | Self::StopAgain(command)) = self;
        command
    }

    fn voids(&self) -> bool {
        matches!(self, Self::Command(command) if command.motion_effect() == MotionEffect::Stops)
    }
}

impl From<Bounded> for Outgoing {
    fn from(command: Bounded) -> Self {
        Self::Command(command)
    }
}

/// Why a command cannot wait.
#[derive(Debug)]
pub(super) enum PushError {
    /// [`COMMAND_QUEUE_CAPACITY`] wait already.
    Full,
    /// The robot is gone.
    Closed,
}

#[derive(Debug, Default)]
struct Waiting {
    stops: VecDeque<CommandRequest>,
    others: VecDeque<CommandRequest>,
    closed: bool,
}

/// The commands that wait for one robot; see the module's head.
#[derive(Debug)]
pub(super) struct CommandQueue {
    clock: Clock,
    stops: Arc<AtomicU64>,
    waiting: Mutex<Waiting>,
    pushed: Notify,
}

impl CommandQueue {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, stops: Arc::default(), waiting: Mutex::default(), pushed: Notify::new() }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops that the robot was given so far.
    pub(super) fn stops(&self) -> u64 {
        self.stops.load(Ordering::Acquire)
    }

    /// Puts a command in line.
    pub(super) fn push(
        &self,
        outgoing: Outgoing,
        trace: Trace,
        patience: Duration,
    ) -> Result<oneshot::Receiver<Answer>, PushError> {
        let voids = outgoing.voids();
        let (Outgoing::Command(command) | Outgoing::StopAgain(command)) = outgoing;
        let effect = command.motion_effect();
        let is_stop = effect == MotionEffect::Stops;
        let given = self.clock.now();
        let (reply, answer) = oneshot::channel();
        let mut waiting = self.waiting();
        if waiting.closed {
            return Err(PushError::Closed);
        }
        // Whether or not there is room for it: what was given before a stop is void.
        let voided = if voids { self.void(&mut waiting) } else { VecDeque::new() };
        let stops = self.stops();
        let outlives = matches!(effect, MotionEffect::Stops | MotionEffect::OutlivesStop);
        let line = if is_stop { &mut waiting.stops } else { &mut waiting.others };
        // What was asked between two speeds stays between them.
        let replaces = command.sets_speed() && line.back().is_some_and(|last| last.command.sets_speed());
        let mut replaced = None;
        let pushed = if !replaces && line.len() >= COMMAND_QUEUE_CAPACITY {
            Err(PushError::Full)
        } else {
            replaced = if replaces { line.pop_back() } else { None };
            let validity = Validity {
                stops: self.stops.clone(),
                given_at: (!outlives).then_some(stops),
                deadline: (!is_stop).then(|| given.after(patience)),
                clock: self.clock,
            };
            // Before the robot can have it.
            trace.at(Station::Queued);
            line.push_back(CommandRequest { command, trace, validity, given, reply });
            Ok(answer)
        };
        drop(waiting);
        self.pushed.notify_one();
        voided.into_iter().for_each(|request| request.answer(Outcome::stopped()));
        if let Some(request) = replaced {
            request.trace.at(Station::Replaced);
            let _ = request.reply.send((Outcome::Accepted, Some(REPLACED)));
        }
        pushed
    }

    /// Counts a stop, and takes out what it voids.
    fn void(&self, waiting: &mut Waiting) -> VecDeque<CommandRequest> {
        self.stops.fetch_add(1, Ordering::AcqRel);
        let (voided, kept) = waiting.others.drain(..).partition(|it| it.validity.is_stopped());
        waiting.others = kept;
        voided
    }

    /// The next command that may still be sent, stops first.
    pub(super) fn pop(&self) -> Option<CommandRequest> {
        loop {
            let request = {
                let mut waiting = self.waiting();
                waiting.stops.pop_front().or_else(|| waiting.others.pop_front())
            }?;
            match request.check() {
                Ok(()) => return Some(request),
                Err(outcome) => request.answer(outcome),
            }
        }
    }

    /// The same; pending until there is one. Cancel safe.
    pub(super) async fn next(&self) -> CommandRequest {
        loop {
            if let Some(request) = self.pop() {
                return request;
            }
            self.pushed.notified().await;
        }
    }

    /// The robot is gone: nothing waits any more.
    pub(super) fn close(&self) {
        let mut waiting = self.waiting();
        waiting.closed = true;
        // Dropped requests answer that the connection ended.
        waiting.stops.clear();
        waiting.others.clear();
    }
}
