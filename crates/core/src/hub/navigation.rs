//! Goals of robots that drive, but have no navigation of their own: the gateway's navigator takes them.
//!
//! ```text
//! CommandClient::command(Navigate) ──authority──▶ NavigationRequests ──▶ navigator
//! robot ◀──authority── NavigationControl::command(Drive) ◀────────────┘
//! ```
//!
//! The navigator drives as the author of the goal. A stop, or another command that moves the base, ends its control at once: no drive of
//! it is sent after that.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::audit::Given;
use super::derived::DerivedTopic;
use super::queue::Answer;
use super::trace::{CommandAnswer, Station, Trace};
use super::{Hub, RobotEntry, WakeUps};
use crate::access::Role;
use crate::clock::Timestamp;
use crate::limits::{MAX_SHARED_PROFILES, NAVIGATOR_QUEUE_CAPACITY};
use crate::model::profile::Ability;
use crate::model::signal::{Navigation, Path};
use crate::model::{
    Author, Command, Kind, Outcome, PartName, Provenance, RobotId, RobotProfile, Signal, Update,
};
use crate::robot::{Effect, Event};

/// What takes the goals of robots that have no navigation of their own.
#[derive(Default)]
pub(super) struct Navigator {
    /// Whether it takes a goal now. Not the queue itself: a goal holds the hub, and of a type that holds itself the compiler proves anew, for
    /// each future that holds a hub, that threads may share it; that was a fifth of the time that a dialect compiles.
    requests: OnceLock<Box<dyn Fn(NavigationRequest) -> bool + Send + Sync>>,
    /// Profiles, and the same with navigation.
    profiles: Mutex<Vec<(Arc<RobotProfile>, Arc<RobotProfile>)>>,
}

/// The part of the way that the navigator plans.
pub const PLANNED: &str = "planned";

/// A goal, or the end of one, for the navigator; it must be answered.
#[derive(Debug)]
pub struct NavigationRequest {
    /// [`Command::Navigate`] or [`Command::CancelNavigation`].
    pub command: Command,
    /// The right to drive the robot to it.
    pub control: NavigationControl,
    reply: oneshot::Sender<Answer>,
}

impl NavigationRequest {
    /// Answers the caller.
    pub fn answer(self, outcome: Outcome) {
        // The caller may have stopped waiting.
        let _ = self.reply.send((outcome, None));
    }
}

/// What the navigator is asked, in the order in which it was.
#[derive(Debug)]
pub struct NavigationRequests(mpsc::Receiver<NavigationRequest>);

impl NavigationRequests {
    /// The next one; `None` if the hub is gone.
    pub async fn next(&mut self) -> Option<NavigationRequest> {
        self.0.recv().await
    }
}

/// The right to drive a robot for a client, until a stop or another command that moves the base.
#[derive(Clone)]
pub struct NavigationControl {
    hub: Hub,
    entry: Arc<RobotEntry>,
    author: Author,
    /// The command that brought the goal.
    trace: Trace,
    stops: u64,
    moves: u64,
}

impl std::fmt::Debug for NavigationControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NavigationControl").field("robot", self.robot()).finish_non_exhaustive()
    }
}

impl NavigationControl {
    /// The robot.
    pub fn robot(&self) -> &RobotId {
        &self.entry.info.robot
    }

    /// Its profile.
    pub fn profile(&self) -> &RobotProfile {
        &self.entry.info.profile
    }

    /// Whether a stop came, another command moved the base, or the robot left the hub.
    pub fn is_over(&self) -> bool {
        let is_there =
            self.hub.0.robots.all().get(self.robot()).is_some_and(|it| Arc::ptr_eq(it, &self.entry));
        !is_there
            || !self.author.may(Role::Drive, self.robot())
            || self.stops != self.entry.commands.stops()
            || self.moves != self.entry.moves_given.load(Ordering::Acquire)
    }

    /// Sends a speed or a stop to the robot for the author of the goal, within the bounds of the config; refused once the control is
    /// over.
    pub fn command(&self, command: Command, patience: Duration) -> CommandAnswer {
        let now = self.hub.clock().now();
        let given = Given::unrecorded(self.trace.part(command.name()));
        // Locked until the command is in line, as that of any client.
        let mut robot = self.entry.robot();
        let is_overtaken = self.is_over() || self.hub.0.commands.ends.load(Ordering::Acquire);
        let asked = Event::Asked { author: &self.author, command, is_overtaken };
        let mut effects = self.hub.0.step_locked(&self.entry, &mut robot, asked, now);
        let answer = match effects.remove(0) {
            Effect::Send(command, _) => {
                let (follows, answer) =
                    self.hub.0.send(&self.entry, &mut robot, command.into(), (now, patience), given);
                effects.extend(follows);
                answer
            }
            Effect::Refuse(outcome) => CommandAnswer::ready(given, outcome),
            _ => CommandAnswer::ready(given, Outcome::Done),
        };
        drop(robot);
        self.hub.0.follow_up(&self.entry, effects);
        answer
    }

    /// Gives the robot back: its author keeps it for a moment.
    pub fn end(&self) {
        if !self.is_over() {
            self.hub.0.step(&self.entry, Event::Arrived, self.hub.clock().now());
        }
    }
}

/// The topics on which the navigator reports for a robot.
pub struct NavigationTopics {
    hub: Hub,
    robot: RobotId,
    navigation: DerivedTopic,
    planned: Option<DerivedTopic>,
    provenance: Provenance,
}

impl NavigationTopics {
    /// Publishes how a drive stands.
    pub fn navigation(&self, navigation: Navigation) {
        self.publish(&self.navigation, None, navigation.into());
    }

    /// Publishes the planned way.
    pub fn path(&self, path: Path) {
        if let Some(topic) = &self.planned {
            self.publish(topic, Some(PartName::of(PLANNED)), path.into());
        }
    }

    fn publish(&self, topic: &DerivedTopic, part: Option<PartName>, signal: Signal) {
        let update = Update {
            part,
            provenance: Some(self.provenance.clone()),
            ..Update::now(&self.robot, self.hub.clock().now(), signal)
        };
        topic.publish(update, &mut WakeUps::default());
    }
}

impl Hub {
    /// Takes the goals of all robots that drive and have no navigation of their own, from those on that are registered after this. There
    /// is one navigator; `None` if it is there already.
    pub fn navigation_requests(&self) -> Option<NavigationRequests> {
        let (sender, receiver) = mpsc::channel(NAVIGATOR_QUEUE_CAPACITY);
        let take = Box::new(move |request| sender.try_send(request).is_ok());
        self.0.navigator.requests.set(take).ok().map(|()| NavigationRequests(receiver))
    }

    /// The topics of the navigator for a robot; `None` if the robot publishes them itself.
    pub fn navigation_topics(&self, robot: &RobotId, provenance: Provenance) -> Option<NavigationTopics> {
        let navigation = self.derived_topic(robot, Kind::Navigation, None)?;
        let planned = self.derived_topic(robot, Kind::Path, Some(&PartName::of(PLANNED)));
        Some(NavigationTopics { hub: self.clone(), robot: robot.clone(), navigation, planned, provenance })
    }

    /// The profile of a robot that is registered now with what the navigator adds; `None` if it adds nothing.
    pub(super) fn navigated(&self, profile: &Arc<RobotProfile>) -> Option<Arc<RobotProfile>> {
        if self.0.navigator.requests.get().is_none()
            || !profile.can(Ability::Drive)
            || profile.can(Ability::Navigate)
        {
            return None;
        }
        // Robots of a family share one profile, and so they do with navigation.
        let mut known = self.0.navigator.profiles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, navigated)) = known.iter().find(|(own, _)| Arc::ptr_eq(own, profile)) {
            return Some(navigated.clone());
        }
        let navigated = Arc::new(profile.navigated());
        if known.len() < MAX_SHARED_PROFILES {
            known.push((profile.clone(), navigated.clone()));
        }
        Some(navigated)
    }

    /// Hands a goal to the navigator instead of the robot.
    pub(super) fn navigate(
        &self,
        entry: &Arc<RobotEntry>,
        command: Command,
        given: Given,
        until: Timestamp,
    ) -> CommandAnswer {
        let trace = given.trace().clone();
        let control = NavigationControl {
            hub: self.clone(),
            entry: entry.clone(),
            author: trace.author().clone(),
            trace: trace.clone(),
            stops: entry.commands.stops(),
            moves: entry.moves_given.load(Ordering::Acquire),
        };
        let (reply, answer) = oneshot::channel();
        let request = NavigationRequest { command, control, reply };
        let sent = self.0.navigator.requests.get().map(|take| take(request));
        if sent != Some(true) {
            let outcome = Outcome::unreachable("the gateway's navigator takes no goals now; try again");
            return CommandAnswer::ready(given, outcome);
        }
        trace.at(Station::Queued);
        let (clock, note) = (self.clock(), given.noted().map(str::to_owned));
        CommandAnswer::new(trace, note, async move {
            let outcome = tokio::select! {
                answer = answer => answer.map_or_else(|_| Outcome::stopped(), |(outcome, _)| outcome),
                () = clock.sleep_until(until) => Outcome::TimedOut,
            };
            given.answered(&outcome);
            outcome
        })
    }
}
