//! Evidence of a robot's motion: its commands and its own reports.

use std::time::Duration;

use super::event::{MotionCondition, MotionKnown};
use super::poses::{Poses, Since};
use crate::authority::PlanarPose;
use crate::clock::Timestamp;
use crate::limits::{DRIVE_END_SLACK, PLACE_MAX_AGE, POSE_CHANGE_SHOWS_MOTION, POSE_STILL_TIME};
use crate::model::signal::{Encoders, Frame, MotionState, NavigationState, Signal, TaskState, Velocity};
use crate::model::{Command, Kind, Motion, Outcome, Update};

/// Speeds below this are a robot that stands, m/s and rad/s.
pub(super) const STANDS: f64 = 0.01;

/// Wheels that turn slower are those of a robot that stands, rad/s: as [`STANDS`] with wheels of 5 cm.
const WHEELS_STAND: f64 = 0.2;

/// Whether a robot moves, as far as something shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// It reports so.
    Moves,
    /// It has reported so, since a moment that was asked for.
    Stands,
    /// Nothing says, or nothing since then.
    Unknown,
}

/// A speed that the robot measured.
#[derive(Clone, Copy, Debug)]
struct Measured {
    linear_mps: f64,
    angular_radps: f64,
    received: Timestamp,
    /// It took a stop since.
    is_void: bool,
}

/// What shows whether a robot moves.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// When it was set in motion last.
    commanded_at: Timestamp,
    /// Until when a speed lasts that it was given: of several that it has not answered, the one that lasts longest.
    driven_until: Option<Timestamp>,
    /// The same before the last command, in case that is not taken.
    driven_before: Option<Timestamp>,
    /// When it took a stop last that ended a motion.
    stopped_at: Timestamp,
    /// It drives somewhere, or does a task, by itself.
    navigating: bool,
    /// It reported a motion that has not ended.
    in_motion: bool,
    /// It reported a speed that it was asked for, which is not 0.
    asked: bool,
    measured: Option<Measured>,
    /// Its wheels turned when it last reported that.
    wheels_turn: bool,
    /// When its pose changed last.
    seen: Option<Timestamp>,
    /// When it last reported anything of its motion.
    heard: Option<Timestamp>,
    /// When it last reported that it stands.
    stood: Option<Timestamp>,
    poses: Poses,
}

impl Evidence {
    /// What is looked at.
    pub(crate) const KINDS: [Kind; 6] =
        [Kind::Velocity, Kind::Encoders, Kind::Motion, Kind::Navigation, Kind::Task, Kind::Pose];

    /// Whether it may move now.
    pub(super) fn moves(&self, now: Timestamp) -> bool {
        self.navigating
            || self.reports_speed(now)
            || self.driven_until.is_some_and(|until| now < until)
            || self.seen.is_some_and(|seen| now.since(seen) < POSE_CHANGE_SHOWS_MOTION)
    }

    /// Whether it moved when it was heard last: of a robot that has fallen silent nobody knows what it did since.
    pub(super) fn moved_when_heard(&self, now: Timestamp) -> bool {
        self.moves(self.heard.map_or(now, |heard| heard.min(now)))
    }

    /// Whether a command still moves it: a goal, or a speed that has not ended.
    pub(super) fn is_open(&self, now: Timestamp) -> bool {
        self.navigating || self.driven_until.is_some_and(|until| now < until)
    }

    /// When the robot was set in motion, if that was after a moment.
    pub(super) fn commanded_after(&self, moment: Timestamp) -> Option<Timestamp> {
        Some(self.commanded_at).filter(|commanded| *commanded > moment)
    }

    /// Nothing came of the last command to move: it may have been taken, and may not.
    pub(super) fn unanswered(&mut self) {
        self.commanded_at = Timestamp::default();
    }

    /// What became of a command to move that was given then.
    pub(super) fn answered(&mut self, motion: Motion, given: Timestamp, outcome: &Outcome, now: Timestamp) {
        if self.commanded_at != given {
            // One that it took late, before or after another.
            if outcome.is_ok() {
                self.navigating |= motion == Motion::Goal;
                let until = drives_until(motion, now);
                (self.driven_until, self.driven_before) =
                    (self.driven_until.max(until), self.driven_before.max(until));
            }
            return;
        }
        if outcome.is_ok() {
            if !matches!(motion, Motion::Goal | Motion::Own) {
                self.driven_until = drives_until(motion, now);
            }
            return;
        }
        self.commanded_at = Timestamp::default();
        // One that is not answered may have been taken.
        if *outcome != Outcome::TimedOut {
            self.driven_until = self.driven_before;
        }
    }

    /// A speed that was asked for is no measurement: where the robot measures, that counts.
    fn reports_speed(&self, now: Timestamp) -> bool {
        let measured =
            self.measured.filter(|it| now.since(it.received) < POSE_CHANGE_SHOWS_MOTION || !self.asked);
        self.in_motion || self.wheels_turn || measured.map_or(self.asked, Measured::shows_motion)
    }

    /// Whether the robot itself shows that it moves or that it stands, the latter since a moment.
    pub(super) fn shows(&self, since: Timestamp, now: Timestamp) -> Shown {
        if self.reports_speed(now) || self.seen.is_some_and(|seen| now.since(seen) < POSE_STILL_TIME) {
            Shown::Moves
        } else if self.stood.is_some_and(|stood| stood > since && self.seen.is_none_or(|seen| stood > seen)) {
            Shown::Stands
        } else {
            Shown::Unknown
        }
    }

    /// Whether it moves as far as is known, and why.
    pub(super) fn condition(&self, now: Timestamp) -> MotionCondition {
        let moving = |reason, since| MotionCondition { state: MotionKnown::Moving, reason, since };
        let stands = |stood: &Timestamp| {
            now.since(*stood) < PLACE_MAX_AGE && self.seen.is_none_or(|seen| *stood > seen)
        };
        if self.navigating {
            moving("it drives somewhere, or does a task, by itself", self.heard)
        } else if self.reports_speed(now) {
            moving("it reports a speed", self.heard)
        } else if self.driven_until.is_some_and(|until| now < until) {
            moving("it was given a speed that has not ended", Some(self.commanded_at))
        } else if self.seen.is_some_and(|seen| now.since(seen) < POSE_CHANGE_SHOWS_MOTION) {
            moving("its pose changes", self.seen)
        } else if let Some(stood) = self.stood.filter(stands) {
            let reason = "it reports that it stands";
            MotionCondition { state: MotionKnown::Standing, reason, since: Some(stood) }
        } else {
            let reason = "nothing that it reported lately shows whether it moves";
            MotionCondition { state: MotionKnown::Unknown, reason, since: self.heard }
        }
    }

    /// The speed that it measured last, forward and to the left, if that is not long ago.
    pub(super) fn speed(&self, now: Timestamp) -> Option<[f64; 2]> {
        let measured = self.measured.filter(|it| now.since(it.received) < POSE_CHANGE_SHOWS_MOTION)?;
        Some([measured.linear_mps, measured.angular_radps])
    }

    /// Whether it drives somewhere, or does a task, by itself.
    pub(super) const fn navigates(&self) -> bool {
        self.navigating
    }

    /// A command was given to the robot.
    pub(super) fn commanded(&mut self, command: &Command, now: Timestamp) {
        let motion = command.motion();
        if !motion.moves_base() {
            return;
        }
        self.navigating |= motion == Motion::Goal;
        self.driven_before = self.driven_until.filter(|until| now < *until);
        // Until it is answered, what was commanded before may go on.
        self.driven_until = self.driven_before.max(drives_until(motion, now));
        self.commanded_at = now;
    }

    /// The robot took a stop that was given then.
    pub(super) fn stopped(&mut self, given: Timestamp) {
        if self.commanded_at > given {
            return;
        }
        if self.moves(given) {
            self.stopped_at = given;
        }
        (self.driven_until, self.driven_before) = (None, None);
        (self.navigating, self.in_motion, self.asked, self.wheels_turn) = (false, false, false, false);
        // What it reported before shows nothing of what it does now.
        (self.seen, self.stood) = (None, None);
        self.poses.clear();
        if let Some(measured) = &mut self.measured {
            measured.is_void = true;
        }
    }

    /// Where the robot is, as far as it has reported that, and has not moved since for so long that it may be anywhere.
    pub(super) fn place(&self, now: Timestamp) -> Option<PlanarPose> {
        let (place, received) = self.poses.place()?;
        let ended = self.driven_until.map(|until| before(until, DRIVE_END_SLACK)).unwrap_or_default();
        let has_moved = self.commanded_at.max(self.stopped_at).max(ended.min(now)) > received;
        let may_have_moved = has_moved || self.moves(now);
        (!may_have_moved || now.since(received) < PLACE_MAX_AGE).then_some(place)
    }

    /// Whether it moves, has had the time to say where, and has not.
    pub(super) fn is_lost(&self, now: Timestamp) -> bool {
        let set_out_long_ago = now.since(self.commanded_at) >= PLACE_MAX_AGE;
        self.place(now).is_none() && self.moves(now) && set_out_long_ago
    }

    /// The robot said something.
    pub(super) fn observe(&mut self, update: &Update) {
        if Self::KINDS.contains(&update.kind()) {
            self.heard = Some(update.received);
        }
        match &update.signal {
            Signal::Velocity(velocity) => self.observe_velocity(velocity, update),
            Signal::Encoders(encoders) => self.observe_encoders(encoders, update),
            Signal::Motion(motion) => {
                self.in_motion = motion.state == MotionState::Moving;
                if !self.in_motion {
                    self.stood = Some(update.received);
                }
            }
            Signal::Navigation(navigation) => {
                self.observe_drive(navigation.state == NavigationState::Moving, update);
            }
            Signal::Task(task) => match task.state {
                TaskState::Succeeded | TaskState::Failed | TaskState::Cancelled => {
                    self.observe_drive(false, update);
                }
                // Whether it drives for that, it does not say.
                TaskState::Confirmed
                | TaskState::MissingInfo
                | TaskState::Unknown
                | TaskState::Progress
                | TaskState::Assistance
                | TaskState::Anomaly => {}
            },
            Signal::Pose(pose) => {
                // On a map it jumps whenever the robot corrects where it believes to be, and trembles by centimetres: its wheels
                // know better.
                let measures = self
                    .measured
                    .is_some_and(|it| update.received.since(it.received) < POSE_CHANGE_SHOWS_MOTION);
                match self.poses.observe(pose, update) {
                    _ if pose.frame == Frame::Map && measures => {}
                    Since::Changed => self.seen = Some(update.received),
                    Since::Still(still) if still >= POSE_STILL_TIME => self.stood = Some(update.received),
                    Since::Still(_) => {}
                }
            }
            _ => {}
        }
    }

    /// What it says of a drive, or a task, of its own.
    fn observe_drive(&mut self, goes_on: bool, update: &Update) {
        self.navigating = goes_on;
        // Who says nothing else of its motion has ended it with that.
        if !goes_on && self.measured.is_none() && self.poses.is_empty() {
            self.stood = Some(update.received);
        }
    }

    fn observe_velocity(&mut self, velocity: &Velocity, update: &Update) {
        let [linear_mps, angular_radps] =
            [velocity.linear_mps, velocity.angular_radps].map(Option::unwrap_or_default);
        let measured = Measured { linear_mps, angular_radps, received: update.received, is_void: false };
        match update.part.as_ref().is_some_and(|part| part.as_str() == Velocity::COMMANDED) {
            true => self.asked = measured.shows_motion(),
            false => {
                self.measured = Some(measured);
                if !measured.shows_motion() {
                    self.stood = Some(update.received);
                }
            }
        }
    }

    fn observe_encoders(&mut self, encoders: &Encoders, update: &Update) {
        let speeds = [&encoders.left, &encoders.right].map(|wheel| wheel.velocity_radps);
        if speeds.iter().any(Option::is_some) {
            self.wheels_turn = speeds.into_iter().flatten().any(|speed| speed.abs() >= WHEELS_STAND);
            if !self.wheels_turn {
                self.stood = Some(update.received);
            }
        }
    }
}

/// Until when a robot drives by a command that it takes then; `None` if it does not, or its reports show that.
fn drives_until(motion: Motion, taken: Timestamp) -> Option<Timestamp> {
    match motion {
        Motion::Speed { is_zero: true, .. } => None,
        Motion::Speed { duration: None, .. } => Some(Timestamp::from_nanos(i64::MAX)),
        Motion::Speed { duration: Some(duration), .. }
        | Motion::Heading { duration, .. }
        | Motion::Arc { duration, .. } => Some(taken.after(duration.saturating_add(DRIVE_END_SLACK))),
        Motion::Goal
        | Motion::Own
        | Motion::Parts
        | Motion::Stop
        | Motion::Starts
        | Motion::EndsGoal
        | Motion::Ends
        | Motion::Other => None,
    }
}

impl Measured {
    fn shows_motion(self) -> bool {
        !self.is_void && (self.linear_mps.abs() >= STANDS || self.angular_radps.abs() >= STANDS)
    }
}

pub(super) fn before(moment: Timestamp, duration: Duration) -> Timestamp {
    let nanos = i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    Timestamp::from_nanos(moment.as_nanos().saturating_sub(nanos))
}

#[cfg(test)]
mod tests;
