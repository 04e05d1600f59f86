//! The guard: ends drives whose authors have gone or that leave an area, brings speeds to what was commanded, and repeats a stop
//! until its robot stands.
//!
//! ```text
//! drive without an end ──▶ its author has gone, or is not seen for a while ──▶ stop
//! robot with an area ──▶ it is in the border ──▶ slower ──▶ it is outside and moves ──▶ stop
//! drive that speeds up ──▶ a little faster ──▶ … ──▶ as it was commanded
//! stop was sent ──▶ the robot reports that it moves ──▶ stop again ──▶ … ──▶ "it does not stop"
//! ```

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::Hub;
use super::robots::RobotEntry;
use crate::authority::Duty;
use crate::clock::Timestamp;
use crate::model::{Author, Command, Outcome, RobotId};

/// Between two looks at robots that are watched.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long a stop that the guard gives waits for its answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Robots that the guard has to look at.
#[derive(Debug, Default)]
pub(super) struct Watched {
    robots: Mutex<BTreeSet<RobotId>>,
    changed: Notify,
}

impl Watched {
    pub(super) fn add(&self, robot: &RobotId) {
        let new = self.robots.lock().unwrap_or_else(PoisonError::into_inner).insert(robot.clone());
        if new {
            self.changed.notify_one();
        }
    }

    /// Something changed for one of them.
    pub(super) fn look(&self) {
        self.changed.notify_one();
    }

    fn all(&self) -> Vec<RobotId> {
        self.robots.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn remove(&self, robot: &RobotId) {
        self.robots.lock().unwrap_or_else(PoisonError::into_inner).remove(robot);
    }
}

impl Hub {
    /// Watches over what drives, until `shutdown`. Without it no drive ends with its author, and no stop is repeated.
    pub async fn guard(self, shutdown: CancellationToken) {
        let clock = self.clock();
        loop {
            let robots = self.0.watched.all();
            for robot in &robots {
                if !self.look_after(robot) {
                    self.0.watched.remove(robot);
                }
            }
            let next = async {
                match robots.is_empty() {
                    true => std::future::pending().await,
                    false => clock.sleep(LOOK_EVERY).await,
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = self.0.watched.changed.notified() => {}
                () = next => {}
            }
        }
    }

    /// Whether the robot has to be looked at again.
    fn look_after(&self, robot: &RobotId) -> bool {
        let Some(entry) = self.0.robots.load().get(robot).cloned() else { return false };
        let now = self.clock().now();
        match self.duty(&entry, now) {
            Some(Duty::StopOrphan(author)) => {
                tracing::warn!(%robot, %author, "the robot is stopped: who drove it has gone, or says nothing any more");
                self.stop(&entry);
            }
            Some(Duty::StopOutside) => {
                tracing::warn!(%robot, "the robot is stopped: it has left its area");
                self.stop(&entry);
            }
            // It was sent.
            Some(Duty::Adjust(_)) | None => {}
        }
        match entry.look_at_stop(now) {
            StopLook::Again => {
                tracing::warn!(%robot, "the robot moves after a stop, which is sent again");
                self.stop(&entry);
            }
            StopLook::GivenUp => {
                tracing::error!(%robot, "the robot was stopped several times and moves still");
                self.0.report_unstopped(&entry, true);
            }
            StopLook::Stands => self.0.report_unstopped(&entry, false),
            StopLook::Wait | StopLook::Nothing => {}
        }
        entry.needs_guard(now)
    }

    /// What has to be done for a robot beside what clients command; a speed is sent.
    fn duty(&self, entry: &Arc<RobotEntry>, now: Timestamp) -> Option<Duty> {
        let seen = |author: &Author| self.0.presence.seen(author, now);
        let (place, moves) = (entry.place(), entry.moves(now));
        let mut authority = entry.authority();
        let was_outside = authority.is_outside();
        let duty = authority.duty(place, moves, seen, now);
        if let Some(Duty::Adjust(command)) = &duty {
            // In line before anybody else's command is admitted. Nobody waits for its answer: the next step is the remedy.
            drop(entry.command(command.clone(), PATIENCE, (self.clock(), now), &self.0.given, None));
        }
        let is_outside = authority.is_outside();
        drop(authority);
        if is_outside != was_outside {
            self.0.publish_alerts(entry);
        }
        duty
    }

    fn stop(&self, entry: &Arc<RobotEntry>) {
        let robot = entry.info.robot.clone();
        let stop = Command::Stop { hold: false };
        let answer = self.driver(Author::gateway()).command(&robot, stop, PATIENCE);
        tokio::spawn(async move {
            match answer.await {
                Outcome::Refused(refusal) => {
                    tracing::error!(%robot, %refusal, "the robot could not be stopped")
                }
                Outcome::TimedOut => tracing::error!(%robot, "the robot did not answer a stop"),
                Outcome::Accepted | Outcome::Done | Outcome::Sensed(_) => {}
            }
        });
    }
}

/// What a look at a robot shows that took a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopLook {
    /// It took none.
    Nothing,
    /// It may be braking.
    Wait,
    /// It moves: the stop has to be sent again.
    Again,
    /// It moves, and the stop was sent often enough.
    GivenUp,
    /// It does not move any more.
    Stands,
}
