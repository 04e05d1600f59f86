//! Events to the robots' owners ([`crate::robot`]), and what follows from them.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use super::audit::Given;
use super::command_client::Presence;
use super::guard::Watched;
use super::queue::{Answer, Outgoing, PushError};
use super::trace::CommandAnswer;
use super::{Hub, HubInner, Policies, RobotEntry};
use crate::access::Role;
use crate::clock::Timestamp;
use crate::model::{Author, Outcome, RobotId};
use crate::robot::{Effect, Event, Kept, Robot};

/// Keeps what robots are held to beyond the life of the gateway.
pub trait Keeper: fmt::Debug + Send + Sync {
    /// Something changed. When it returns, what a robot is held to is kept; that it is held to nothing may be kept later.
    fn keep(&self, robot: &RobotId, kept: &Kept);
}

/// What robots are held to after they went, by name.
#[derive(Debug, Default)]
pub(super) struct KeptRobots {
    all: Mutex<HashMap<RobotId, Kept>>,
    keeper: OnceLock<Box<dyn Keeper>>,
}

impl KeptRobots {
    fn all(&self) -> MutexGuard<'_, HashMap<RobotId, Kept>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, robot: &RobotId) -> Kept {
        self.all().get(robot).cloned().unwrap_or_default()
    }

    /// Keeps what is so of a robot, which is locked meanwhile: what is kept last is what is so last.
    fn keep(&self, name: &RobotId, robot: &Robot) {
        let kept = robot.kept();
        if let Some(keeper) = self.keeper.get() {
            keeper.keep(name, &kept);
        }
        let mut all = self.all();
        match kept == Kept::default() {
            true => all.remove(name),
            false => all.insert(name.clone(), kept),
        };
    }
}

/// What all owners share: bounds by the config, which authors are connected, when each robot is looked at next, what is kept.
#[derive(Default)]
pub(super) struct Owners {
    /// Who may move which robot.
    pub(super) policies: ArcSwap<Policies>,
    pub(super) presence: Presence,
    pub(super) watched: Watched,
    pub(super) kept: KeptRobots,
}

impl Hub {
    /// Holds robots that come to what was kept of those of their names, and has all that changes kept. Once, before robots come.
    pub fn keep(&self, kept: impl IntoIterator<Item = (RobotId, Kept)>, keeper: Box<dyn Keeper>) {
        self.0.owners.kept.all().extend(kept);
        // The first one stays.
        let _ = self.0.owners.kept.keeper.set(keeper);
    }

    /// A person has seen that a robot stands: what it owed is over.
    pub fn confirm_that_it_stands(&self, author: &Author, robot: &RobotId) -> CommandAnswer {
        let given = self.0.commands.given(self.0.clock, author, robot, "stands");
        let entry = self.0.robots.get(robot);
        let outcome = match entry {
            None => Outcome::unreachable(format!("there is no robot {robot}")),
            Some(_) if !author.may(Role::Drive, robot) => {
                Outcome::forbidden(format!("{author} has no role that allows this with {robot}"))
            }
            Some(entry) => {
                self.0.step(&entry, Event::SeenToStand, self.0.clock.now());
                Outcome::Done
            }
        };
        CommandAnswer::ready(given, outcome)
    }
}

impl HubInner {
    /// Tells a robot's owner what happened, and does what follows; what is to be sent is the caller's.
    pub(super) fn step(&self, entry: &RobotEntry, event: Event<'_>, now: Timestamp) -> Vec<Effect> {
        let effects = self.step_locked(entry, &mut entry.robot(), event, now);
        self.follow_up(entry, effects)
    }

    /// The same of a robot that is locked. What has to be kept is, before anything follows.
    pub(super) fn step_locked(
        &self,
        entry: &RobotEntry,
        robot: &mut Robot,
        event: Event<'_>,
        now: Timestamp,
    ) -> Vec<Effect> {
        let effects = robot.step(event, now);
        if effects.iter().any(|it| matches!(it, Effect::Keep)) {
            self.owners.kept.keep(&entry.info.robot, robot);
        }
        effects
    }

    /// Does what follows from a step, without the robot locked; what is to be sent is the caller's.
    pub(super) fn follow_up(&self, entry: &RobotEntry, effects: Vec<Effect>) -> Vec<Effect> {
        let robot = &entry.info.robot;
        let mut to_send = Vec::new();
        let mut has_news = false;
        for effect in effects {
            match effect {
                Effect::Alerts => has_news = true,
                Effect::Reports => self.exchange.look_again(),
                // It is, by now.
                Effect::Keep => {}
                Effect::LookAt(at) => self.owners.watched.look_at(robot, at),
                Effect::Send(..) | Effect::Done | Effect::Refuse(_) | Effect::Stop(_) | Effect::Adjust(_) => {
                    to_send.push(effect);
                }
            }
        }
        if has_news {
            self.publish_alerts(entry);
        }
        to_send
    }

    /// Puts a command in line that was given `now`, while its robot is locked: what follows from that, and its answer.
    pub(super) fn send(
        self: &Arc<Self>,
        entry: &Arc<RobotEntry>,
        robot: &mut Robot,
        outgoing: Outgoing,
        (now, patience): (Timestamp, Duration),
        mut given: Given,
    ) -> (Vec<Effect>, CommandAnswer) {
        let command = outgoing.command();
        let motion = command.motion();
        let by_gateway = given.is_by_gateway();
        let (trace, note) = (given.trace().clone(), given.noted().map(str::to_owned));
        let effects = self.step_locked(entry, robot, Event::Sent { command, by_gateway }, now);
        let answer = entry.commands.push(outgoing, given.trace().clone(), patience);
        if answer.is_ok() {
            self.commands.given.fetch_add(1, Ordering::Release);
        }
        let (hub, entry, clock) = (self.clone(), entry.clone(), self.clock);
        let answered = async move {
            let name = &entry.info.robot;
            let (outcome, note): Answer = match answer {
                Ok(answer) => tokio::select! {
                    answer = answer => answer.unwrap_or_else(|_| {
                        let ended = format!("the connection to {name} ended before it answered");
                        (Outcome::unreachable(ended), None)
                    }),
                    () = clock.sleep_until(now.after(patience)) => (Outcome::TimedOut, None),
                },
                Err(PushError::Full) => {
                    // Commands never wait in vain: a robot that takes none is connected anew.
                    entry.kick();
                    let reason = format!("{name} takes no commands; its connection is made anew");
                    (Outcome::unreachable(reason), None)
                }
                Err(PushError::Closed) => (Outcome::unreachable(format!("{name} is gone")), None),
            };
            let event = Event::Answered { motion, given: now, outcome: &outcome, by_gateway };
            hub.step(&entry, event, clock.now());
            note.into_iter().for_each(|note| given.note(note));
            given.answered(&outcome);
            outcome
        };
        (effects, CommandAnswer::new(trace, note, answered))
    }
}
