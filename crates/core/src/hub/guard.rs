//! The guard: has the robots' owners ([`crate::robot`]) look when their time has come, and sends what they ask for.
//!
//! ```text
//! drive without an end ──▶ its author has gone, or is not seen for a while ──▶ stop
//! robot with an area ──▶ it is in the border ──▶ slower ──▶ it is outside, or nobody knows where, and moves ──▶ stop
//! drive that speeds up ──▶ a little faster ──▶ … ──▶ as it was commanded
//! stop is given ──▶ the robot did not take it, or reports that it moves ──▶ stop again ──▶ …, with an alert, until it stands
//! ```

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::Hub;
use super::audit::Given;
use super::robots::RobotEntry;
use super::trace::CommandAnswer;
use crate::clock::Timestamp;
use crate::limits::COMMAND_TIMEOUT;
use crate::model::{Author, Command, Outcome, RobotId};
use crate::robot::{Cause, Effect, Event, Robot};

/// Robots that have to be looked at, and when.
#[derive(Debug, Default)]
pub(super) struct Watched {
    robots: Mutex<HashMap<RobotId, Timestamp>>,
    changed: Notify,
}

impl Watched {
    fn robots(&self) -> MutexGuard<'_, HashMap<RobotId, Timestamp>> {
        self.robots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A robot has to be looked at then, or before.
    pub(super) fn look_at(&self, robot: &RobotId, at: Timestamp) {
        let mut robots = self.robots();
        let is_sooner = match robots.get_mut(robot) {
            Some(known) if *known <= at => false,
            Some(known) => {
                *known = at;
                true
            }
            None => {
                robots.insert(robot.clone(), at);
                true
            }
        };
        drop(robots);
        if is_sooner {
            self.changed.notify_one();
        }
    }

    /// Something changed for one of them.
    pub(super) fn look_now(&self, now: Timestamp) {
        self.robots().values_mut().for_each(|at| *at = now);
        self.changed.notify_one();
    }

    /// Takes out the robots whose time has come; what is put in meanwhile stays.
    fn take_due(&self, now: Timestamp) -> Vec<RobotId> {
        self.robots().extract_if(|_, at| *at <= now).map(|(robot, _)| robot).collect()
    }

    fn next(&self) -> Option<Timestamp> {
        self.robots().values().min().copied()
    }
}

impl Hub {
    /// Watches over what drives, until `shutdown`. Without it no drive ends with its author, and no stop is repeated.
    pub async fn guard(self, shutdown: CancellationToken) {
        let clock = self.clock();
        loop {
            for robot in self.0.owners.watched.take_due(clock.now()) {
                let entry = self.0.robots.get(&robot);
                if let Some(entry) = entry {
                    self.look_after(&entry);
                }
            }
            let next = self.0.owners.watched.next();
            let next = async {
                match next {
                    None => std::future::pending().await,
                    Some(at) => clock.sleep_until(at).await,
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = self.0.owners.watched.changed.notified() => {}
                () = next => {}
            }
        }
    }

    fn look_after(&self, entry: &Arc<RobotEntry>) {
        let (robot, now) = (&entry.info.robot, self.clock().now());
        let seen = |author: &Author| self.0.owners.presence.seen(author, robot, now);
        let mut owner = entry.robot();
        let mut effects = self.0.step_locked(entry, &mut owner, Event::Look { seen: &seen }, now);
        let adjust = effects.iter().position(|it| matches!(it, Effect::Adjust(_)));
        if let Some(Effect::Adjust(command)) = adjust.map(|at| effects.remove(at)) {
            // In line before anybody else's command is admitted. Nobody waits for its answer: the next step is the remedy.
            let given = self.unrecorded(robot, command.name());
            let (follows, _) = self.0.send(entry, &mut owner, command.into(), (now, COMMAND_TIMEOUT), given);
            effects.extend(follows);
        }
        // A stop, too: none comes after a command that was admitted when it was decided on already.
        let causes =
            effects.iter().filter_map(|it| if let Effect::Stop(cause) = it { Some(cause) } else { None });
        let voids = causes.map(Cause::voids).reduce(|any, voids| any || voids);
        let answer = voids.map(|voids| {
            let (follows, answer) = self.stop(entry, &mut owner, voids);
            effects.extend(follows);
            answer
        });
        drop(owner);
        // What is logged of it names the stop.
        let span = answer.as_ref().map_or_else(tracing::Span::none, CommandAnswer::span);
        let _entered = span.enter();
        for effect in self.0.follow_up(entry, effects) {
            let Effect::Stop(cause) = effect else { continue };
            match cause {
                Cause::Orphan(author) => {
                    tracing::warn!(%robot, %author, "the robot is stopped: who drove it has gone, or says nothing any more")
                }
                Cause::Outside => tracing::warn!(%robot, "the robot is stopped: it has left its area"),
                Cause::Lost => {
                    tracing::warn!(%robot, "the robot is stopped: it has an area, and does not report where it is")
                }
                Cause::TooFast => {
                    tracing::warn!(%robot, "the robot is stopped: it is faster than the config allows")
                }
                // Nothing gives up, and the log has room for other things.
                Cause::Again { repeats, .. } if repeats.is_power_of_two() => {
                    tracing::warn!(%robot, repeats, "the robot moves after a stop, or did not take it: it is sent again")
                }
                Cause::Again { .. } => {}
            }
        }
        let robot = robot.clone();
        let Some(answer) = answer else { return };
        let answered = async move {
            match answer.await {
                Outcome::Refused(refusal) => {
                    tracing::info!(%robot, %refusal, "the robot did not take a stop")
                }
                Outcome::TimedOut => tracing::info!(%robot, "the robot did not answer a stop"),
                Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => {}
            }
        };
        tokio::spawn(answered.instrument(span.clone()));
    }

    /// What the gateway sends of its own accord on the way to what a client asked for.
    fn unrecorded(&self, robot: &RobotId, command: &'static str) -> Given {
        let tracer = &self.0.commands.tracer;
        Given::unrecorded(tracer.given(self.clock(), &Author::gateway(), robot, command))
    }

    /// Stops a robot that is locked, and whether that voids what was given before: what follows from that, and the robot's answer.
    fn stop(&self, entry: &Arc<RobotEntry>, owner: &mut Robot, voids: bool) -> (Vec<Effect>, CommandAnswer) {
        // Under an emergency stop all of the robot holds still, whatever moves it.
        let is_latched = owner.latch().is_some();
        let stop =
            if is_latched { Command::Halt { motor_mask: None } } else { Command::Stop { hold: false } };
        let (mut effects, answer) = self.stop_locked(entry, owner, (stop, voids), COMMAND_TIMEOUT);
        if let Some(still) = entry.still().filter(|_| is_latched) {
            let given = self.unrecorded(&entry.info.robot, still.name());
            let (follows, _) =
                self.0.send(entry, owner, still.into(), (self.clock().now(), COMMAND_TIMEOUT), given);
            effects.extend(follows);
        }
        (effects, answer)
    }
}
