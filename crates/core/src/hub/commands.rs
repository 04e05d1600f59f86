//! Commands to one robot: who may give them, what the robot's owner makes of them, and how they are put in line ([`CommandQueue`](super::queue::CommandQueue)).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;

use super::adapt::Adapted;
use super::audit::{Audit, Given};
use super::declared::Declared;
use super::queue::Outgoing;
use super::trace::{CommandAnswer, Tracer};
use super::{Hub, Origin, RobotEntry};
use crate::access::Role;
use crate::authority::Bounded;
use crate::clock::{Clock, Timestamp};
use crate::limits::FINAL_STOP_RETRY_DELAY;
use crate::model::{Author, Command, MotionEffect, Outcome, RobotId};
use crate::robot::{Effect, Event, Robot};

/// What commands to all robots share: whether any may be given, and the record of those that were.
#[derive(Default)]
pub(super) struct Commands {
    /// Grows with each command that waits for a robot.
    pub(super) given: AtomicU64,
    /// The gateway ends: no robot is set in motion any more.
    pub(super) ends: AtomicBool,
    /// No robot is commanded at all, not even to stop.
    pub(super) observes: AtomicBool,
    pub(super) audit: Arc<Audit>,
    pub(super) tracer: Arc<Tracer>,
    pub(super) declared: Declared,
}

impl Commands {
    /// A command that is given now, which begins its record and its span.
    pub(super) fn given(
        &self,
        clock: Clock,
        author: &Author,
        robot: &RobotId,
        command: &'static str,
    ) -> Given {
        Given::recorded(&self.audit, self.tracer.given(clock, author, robot, command))
    }
}

impl Hub {
    /// Asks a robot for something as the gateway itself; clients have a [`CommandClient`](super::CommandClient).
    pub fn command(&self, robot: &RobotId, command: Command, patience: Duration) -> CommandAnswer {
        self.give(&Author::gateway(), robot, command, None, patience)
    }

    pub(super) fn give(
        &self,
        author: &Author,
        robot: &RobotId,
        command: Command,
        decided_at: Option<u64>,
        patience: Duration,
    ) -> CommandAnswer {
        self.check_declared(author, &command);
        let entry = self.0.robots.get(robot);
        let given = self.0.commands.given(self.0.clock, author, robot, command.name());
        let permitted = match &entry {
            None => Err(Outcome::unreachable(format!("there is no robot {robot}"))),
            Some(entry) => self.permit(author, robot, &command).map(|()| entry),
        };
        let entry = match permitted {
            Ok(entry) => entry,
            Err(outcome) => return CommandAnswer::ready(given, outcome),
        };
        // Locked until the command is in line, so that commands are in line as they were admitted: no drive that was
        // admitted before an emergency stop comes after it.
        let mut owner = entry.robot();
        let (effects, answer) = self.admit(entry, &mut owner, (command, decided_at), patience, given);
        drop(owner);
        self.0.follow_up(entry, effects);
        answer
    }

    /// Whether an author may give a command to a robot at all.
    fn permit(&self, author: &Author, robot: &RobotId, command: &Command) -> Result<(), Outcome> {
        if self.0.commands.observes.load(Ordering::Acquire) {
            return Err(Outcome::forbidden("robots are only observed here"));
        }
        if self.0.commands.ends.load(Ordering::Acquire) && !command.is_stop() {
            return Err(Outcome::unreachable("the gateway stops"));
        }
        match is_permitted(author, robot, command) {
            true => Ok(()),
            false => Err(Outcome::forbidden(format!("{author} has no role that allows this with {robot}"))),
        }
    }

    /// Has the gateway itself stop a robot that is locked: what follows from that, and the robot's answer. One that was given already
    /// and does not void what was given since changes nothing else than that it is sent.
    pub(super) fn stop_locked(
        &self,
        entry: &Arc<RobotEntry>,
        owner: &mut Robot,
        (stop, voids): (Command, bool),
        patience: Duration,
    ) -> (Vec<Effect>, CommandAnswer) {
        let (author, robot, clock) = (Author::gateway(), &entry.info.robot, self.0.clock);
        let given = self.0.commands.given(clock, &author, robot, stop.name());
        if let Err(outcome) = self.permit(&author, robot, &stop) {
            return (Vec::new(), CommandAnswer::ready(given, outcome));
        }
        if !voids {
            let stop = Outgoing::StopAgain(Bounded::unmoving(stop));
            return self.0.send(entry, owner, stop, (clock.now(), patience), given);
        }
        self.admit(entry, owner, (stop, None), patience, given)
    }

    /// Sends a command to the robot, which is locked, as far as it may go there: what follows from that, and its answer.
    /// `decided_at` says how many stops the robot had been given when it was decided on.
    fn admit(
        &self,
        entry: &Arc<RobotEntry>,
        robot: &mut Robot,
        (command, decided_at): (Command, Option<u64>),
        patience: Duration,
        mut given: Given,
    ) -> (Vec<Effect>, CommandAnswer) {
        let author = &given.trace().author().clone();
        let effect = command.motion_effect();
        let is_pressed = matches!(command, Command::EmergencyStop(true));
        let now = self.0.clock.now();
        let outlives = matches!(effect, MotionEffect::Stops | MotionEffect::OutlivesStop);
        let is_overtaken = !outlives && decided_at.is_some_and(|decided| decided != entry.commands.stops());
        let mut effects = match !is_overtaken && self.is_done(entry, author, &command) {
            true => vec![Effect::Done],
            false => self.0.step_locked(entry, robot, Event::Asked { author, command, is_overtaken }, now),
        };
        let answer = match effects.remove(0) {
            Effect::Send(command, note) if entry.is_navigated && command.is_navigation() => {
                if effect == MotionEffect::Moves {
                    entry.moves_given.fetch_add(1, Ordering::Release);
                }
                given.changed(note);
                self.navigate(entry, command.into_command(), given, now.after(patience))
            }
            Effect::Send(command, note) => {
                if effect == MotionEffect::Moves && command.is_navigation() {
                    entry.drives.goal_given();
                }
                if command.moves_base() {
                    entry.moves_given.fetch_add(1, Ordering::Release);
                }
                let Adapted { before, command, note: left_out } = self.adapt(entry, author, command);
                let note =
                    [note, left_out].into_iter().flatten().reduce(|all, more| format!("{all}; {more}"));
                given.changed(note);
                let trace = given.trace().clone();
                let part = |command: &Bounded| Given::unrecorded(trace.part(command.name()));
                let mut give = |command: Bounded, given| {
                    let (follows, answer) = self.0.send(entry, robot, command.into(), (now, patience), given);
                    effects.extend(follows);
                    answer
                };
                // It is carried out first; a drive that comes too early is refused in the robot's words.
                if let Some(before) = before.map(Bounded::unmoving) {
                    let part = part(&before);
                    drop(give(before, part));
                }
                let answer = give(command, given);
                // After the stop, which voids what waits.
                if let Some(still) = entry.still().filter(|_| is_pressed) {
                    let part = part(&still);
                    drop(give(still, part));
                }
                answer
            }
            Effect::Refuse(outcome) => CommandAnswer::ready(given, outcome),
            _ => CommandAnswer::ready(given, Outcome::Done),
        };
        (effects, answer)
    }

    /// How many stops a robot was given so far; 0 for one that is not there.
    pub fn stops(&self, robot: &RobotId) -> u64 {
        self.0.robots.all().get(robot).map_or(0, |entry| entry.commands.stops())
    }

    /// Takes no commands but stops from now on, and stops every connected robot that moves, as far as its commands and
    /// its own reports have: the result of each.
    pub async fn stop_all(&self, patience: Duration) -> Vec<(RobotId, Outcome)> {
        self.0.commands.ends.store(true, Ordering::Release);
        let now = self.0.clock.now();
        let robots = self.0.robots.all();
        let moving = robots.values().filter(|it| may_move_over_link(it, now));
        let mut stops = JoinSet::new();
        for robot in moving.map(|it| it.info.robot.clone()) {
            // All are given by now; each waits for its own patience at most.
            let stop = self.stop_until_taken(&robot, patience);
            stops.spawn(async move { (robot, stop.await) });
        }
        let mut outcomes = stops.join_all().await;
        outcomes.sort_by(|(a, _), (b, _)| a.cmp(b));
        outcomes
    }

    /// Stops a connected robot that moves, before its link is given up; what became of it, `None` of one that stands.
    pub async fn stop_before_end(&self, robot: &RobotId, patience: Duration) -> Option<Outcome> {
        let now = self.0.clock.now();
        match self.0.robots.all().get(robot).is_some_and(|it| may_move_over_link(it, now)) {
            true => Some(self.stop_until_taken(robot, patience).await),
            false => None,
        }
    }

    /// Gives a stop, and another one as long as the robot does not take it, within a time.
    fn stop_until_taken(
        &self,
        robot: &RobotId,
        within: Duration,
    ) -> impl Future<Output = Outcome> + Send + use<> {
        let (hub, robot, clock) = (self.clone(), robot.clone(), self.0.clock);
        let end = clock.now().after(within);
        let mut answer = Box::pin(self.command(&robot, Command::Stop { hold: false }, within));
        async move {
            loop {
                let outcome = answer.await;
                let left = end.since(clock.now());
                if outcome.is_ok() || left <= FINAL_STOP_RETRY_DELAY {
                    return outcome;
                }
                clock.sleep(FINAL_STOP_RETRY_DELAY).await;
                answer = Box::pin(hub.command(
                    &robot,
                    Command::Stop { hold: false },
                    left - FINAL_STOP_RETRY_DELAY,
                ));
            }
        }
    }

    /// A number that grows with each command to any robot, for a facade of thousands of robots, which would otherwise look at
    /// each in vain.
    pub fn commands_given(&self) -> u64 {
        self.0.commands.given.load(Ordering::Acquire)
    }
}

fn may_move_over_link(entry: &RobotEntry, now: Timestamp) -> bool {
    let robot = entry.robot();
    entry.info.origin != Origin::Simulated && (robot.moves(now) || robot.owes_stop())
}

/// Whether the client's roles allow a command. Who sees a robot may stop it, and ask it for what it senses.
fn is_permitted(author: &Author, robot: &RobotId, command: &Command) -> bool {
    let role = if command.is_for_everybody() { Role::See } else { Role::Drive };
    author.may(role, robot)
}
