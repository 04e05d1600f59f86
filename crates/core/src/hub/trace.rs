//! The way of a command through the gateway: one id and one span from the client that gives it to the robot's wire.
//!
//! ```text
//! given ──▶ queued ──▶ sent ──▶ answered
//!   │         ├──▶ replaced by a newer speed
//!   │         └──▶ overtaken by a stop
//!   └──▶ answered by the gateway: refused, or done without the robot
//! ```
//!
//! Each [`Station`] is a line of the log at `debug`, with the target [`COMMAND_TARGET`], and a [`CommandStep`] for those that follow commands. Without either it costs
//! a comparison and a load; what robots publish has no part in it.

use std::fmt;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tracing::Span;

use super::Hub;
use super::audit::Given;
use crate::clock::{Clock, Timestamp};
use crate::limits::COMMAND_STEPS_CAPACITY;
use crate::model::{Author, Outcome, RobotId};

/// The target of the log for commands: `--log-level info,latimer::command=debug` shows each of them.
pub const COMMAND_TARGET: &str = "latimer::command";

/// What the log, the audit, the API and answers to clients call one command. The first half is of this run of the gateway, so that ids in a
/// file of many runs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId {
    run: u32,
    number: u64,
}

impl CommandId {
    /// The command of a number in a run.
    pub const fn new(run: u32, number: u64) -> Self {
        Self { run, number }
    }

    /// A reason for a person with the command to look for: `the robot is charging (command 5f0c2a91-17)`.
    pub fn beside(self, reason: impl fmt::Display) -> String {
        format!("{reason} (command {self})")
    }
}

/// A text that is no id of a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no id of a command, such as 5f0c2a91-17")]
pub struct InvalidCommandId(String);

impl FromStr for CommandId {
    type Err = InvalidCommandId;

    fn from_str(text: &str) -> Result<Self, InvalidCommandId> {
        let parsed = text.split_once('-').and_then(|(run, number)| {
            Some(Self::new(u32::from_str_radix(run, 16).ok()?, number.parse().ok()?))
        });
        parsed.ok_or_else(|| InvalidCommandId(text.chars().take(40).collect()))
    }
}

/// `5f0c2a91-17`.
impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}-{}", self.run, self.number)
    }
}

/// Where a command is.
#[derive(Clone, Debug, PartialEq)]
pub enum Station {
    /// Its client gave it.
    Given,
    /// It was changed, and how, since it went beyond a bound or named what the robot calls otherwise.
    Changed(String),
    /// It waits for the robot.
    Queued,
    /// A newer speed took its place.
    Replaced,
    /// A stop came after it, so that it is not carried out.
    Overtaken,
    /// It goes to the robot.
    Sent,
    /// What became of it: by the robot if it was queued before, else by the gateway.
    Answered(Outcome),
    /// Its client went without an answer.
    Abandoned,
}

impl Station {
    /// Its word.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Changed(_) => "changed",
            Self::Queued => "queued",
            Self::Replaced => "replaced",
            Self::Overtaken => "overtaken",
            Self::Sent => "sent",
            Self::Answered(Outcome::Refused(_)) => "refused",
            Self::Answered(Outcome::TimedOut) => "timed_out",
            Self::Answered(_) => "answered",
            Self::Abandoned => "abandoned",
        }
    }
}

/// A command at a station.
#[derive(Clone, Debug)]
pub struct CommandStep {
    /// Which command.
    pub id: CommandId,
    /// To whom.
    pub robot: RobotId,
    /// By whom.
    pub author: Author,
    /// Its word.
    pub command: &'static str,
    /// When it was given.
    pub given: Timestamp,
    /// When it came here.
    pub at: Timestamp,
    /// Where it is.
    pub station: Station,
}

/// Gives ids, and hands steps to those that follow.
#[derive(Debug)]
pub(super) struct Tracer {
    run: u32,
    given: AtomicU64,
    /// Once there was one.
    followers: OnceLock<broadcast::Sender<CommandStep>>,
}

impl Default for Tracer {
    fn default() -> Self {
        Self { run: rand::random(), given: AtomicU64::new(0), followers: OnceLock::new() }
    }
}

impl Tracer {
    /// A command that is given now.
    pub(super) fn given(
        self: &Arc<Self>,
        clock: Clock,
        author: &Author,
        robot: &RobotId,
        command: &'static str,
    ) -> Trace {
        let id = CommandId::new(self.run, self.given.fetch_add(1, Ordering::Relaxed) + 1);
        let span = tracing::info_span!(target: COMMAND_TARGET, "command", %id, %robot, command, %author);
        let trace = Trace::new(id, span, author.clone(), robot.clone(), command, clock, self.clone());
        trace.at(Station::Given);
        trace
    }
}

#[derive(Debug)]
struct Traced {
    id: CommandId,
    span: Span,
    author: Author,
    robot: RobotId,
    command: &'static str,
    clock: Clock,
    given: Timestamp,
    is_answered: AtomicBool,
    tracer: Arc<Tracer>,
}

/// A command on its way. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Trace(Arc<Traced>);

impl Trace {
    fn new(
        id: CommandId,
        span: Span,
        author: Author,
        robot: RobotId,
        command: &'static str,
        clock: Clock,
        tracer: Arc<Tracer>,
    ) -> Self {
        let (given, is_answered) = (clock.now(), AtomicBool::new(false));
        Self(Arc::new(Traced { id, span, author, robot, command, clock, given, is_answered, tracer }))
    }

    /// Another command that is sent for this one, under the same id.
    pub(super) fn part(&self, command: &'static str) -> Self {
        let Traced { id, span, author, robot, clock, tracer, .. } = &*self.0;
        Self::new(*id, span.clone(), author.clone(), robot.clone(), command, *clock, tracer.clone())
    }

    pub(super) fn id(&self) -> CommandId {
        self.0.id
    }

    pub(super) fn span(&self) -> &Span {
        &self.0.span
    }

    pub(super) fn author(&self) -> &Author {
        &self.0.author
    }

    pub(super) fn robot(&self) -> &RobotId {
        &self.0.robot
    }

    pub(super) fn command(&self) -> &'static str {
        self.0.command
    }

    pub(super) fn given(&self) -> Timestamp {
        self.0.given
    }

    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// It came to a station.
    pub(super) fn at(&self, station: Station) {
        let Traced { id, span, author, robot, command, clock, given, tracer, .. } = &*self.0;
        let followers = tracer.followers.get().filter(|it| it.receiver_count() > 0);
        if followers.is_none() && !tracing::enabled!(target: COMMAND_TARGET, tracing::Level::DEBUG) {
            return;
        }
        let at = clock.now();
        let after_ms = at.since(*given).as_secs_f64() * 1e3;
        let detail = match &station {
            Station::Changed(note) => Some(note.as_str()),
            Station::Answered(Outcome::Refused(refusal)) => Some(refusal.reason.as_str()),
            _ => None,
        };
        tracing::debug!(target: COMMAND_TARGET, parent: span, command, after_ms, detail, "{}", station.as_str());
        if let Some(followers) = followers {
            let (robot, author) = (robot.clone(), author.clone());
            let step = CommandStep { id: *id, robot, author, command, given: *given, at, station };
            // The last one that followed may have gone just now.
            let _ = followers.send(step);
        }
    }

    /// What became of it for its client, if the robot's side has not answered.
    pub(super) fn ended(&self, outcome: &Outcome) {
        if !self.0.is_answered.load(Ordering::Acquire) {
            self.answered(outcome);
        }
    }

    /// What became of it on the robot's side, also after its client has given up.
    pub(super) fn answered(&self, outcome: &Outcome) {
        self.0.is_answered.store(true, Ordering::Release);
        self.at(match outcome {
            it if *it == Outcome::stopped() => Station::Overtaken,
            outcome => Station::Answered(outcome.clone()),
        });
    }
}

/// The answer to a command that was given: a future, which need not be awaited for the command to be carried out.
#[must_use = "a command has an answer; drop it if nobody wants to know"]
pub struct CommandAnswer {
    trace: Trace,
    note: Option<String>,
    outcome: Pin<Box<dyn Future<Output = Outcome> + Send>>,
}

impl CommandAnswer {
    pub(super) fn new(
        trace: Trace,
        note: Option<String>,
        outcome: impl Future<Output = Outcome> + Send + 'static,
    ) -> Self {
        Self { trace, note, outcome: Box::pin(outcome) }
    }

    /// The answer to a command that is not sent.
    pub(super) fn ready(given: Given, outcome: Outcome) -> Self {
        let trace = given.trace().clone();
        given.answered(&outcome);
        Self::new(trace, None, std::future::ready(outcome))
    }

    /// Which command it answers.
    pub fn id(&self) -> CommandId {
        self.trace.id()
    }

    /// The span of the command, for what a client's side logs of it.
    pub fn span(&self) -> Span {
        self.trace.span().clone()
    }

    /// What was changed of the command, because it asked for more than the config allows.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }
}

impl Future for CommandAnswer {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let Self { trace, outcome, .. } = &mut *self;
        let _entered = trace.span().enter();
        outcome.as_mut().poll(context)
    }
}

impl fmt::Debug for CommandAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandAnswer").field("id", &self.id()).finish_non_exhaustive()
    }
}

/// What comes to those that follow commands.
#[derive(Clone, Debug)]
pub enum Followed {
    /// A command came to a station.
    Step(CommandStep),
    /// So many steps of any robot came faster than they were taken.
    Missed(u64),
}

/// Steps of commands as they come.
#[derive(Debug)]
pub struct CommandSteps {
    hub: Hub,
    steps: broadcast::Receiver<CommandStep>,
}

impl CommandSteps {
    /// The next one of a robot that the hub shows. Cancel safe.
    pub async fn next(&mut self) -> Followed {
        loop {
            match self.steps.recv().await {
                Ok(step) if self.hub.shows(&step.robot) => return Followed::Step(step),
                Ok(_) => {}
                Err(RecvError::Lagged(missed)) => return Followed::Missed(missed),
                // The hub that is held here has the sender.
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }
}

impl Hub {
    /// Follows all commands that are given from now on.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use latimer_core::hub::Followed;
    /// use latimer_core::{Author, Clock, Command, Hub};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let hub = Hub::new(Clock::system());
    /// let mut steps = hub.command_steps();
    /// let answer = hub.command_client(Author::new("example", "ada")).command(
    ///     &"nobody".parse()?,
    ///     Command::Stop { hold: false },
    ///     Duration::from_secs(1),
    /// );
    /// let Followed::Step(step) = steps.next().await else { panic!("none was missed") };
    /// assert_eq!((step.id, step.station.as_str()), (answer.id(), "given"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn command_steps(&self) -> CommandSteps {
        let followers = &self.0.commands.tracer.followers;
        let steps = followers.get_or_init(|| broadcast::Sender::new(COMMAND_STEPS_CAPACITY)).subscribe();
        CommandSteps { hub: self.clone(), steps }
    }
}
