//! Driving: commands become goals, goals become wishes, hazards stop them.

use std::time::Duration;

use latimer_core::model::TrackSpeeds;
use latimer_core::model::signal::{Motion, MotionState, Velocity};
use latimer_core::{Outcome, PartName};

use super::hazards::Hazards;
use super::parts::{DRIVE_MASK, MAX_ANGULAR_RADPS, MAX_LINEAR_MPS, PILOT, TRACKS};
use crate::bodies::reports::Reports;
use crate::bodies::{Wish, check};
use crate::drive::{Feeling, Goal, Pilot, Progress, Speeds, Tracks};
use crate::physics::Motion2;

/// Numbers beyond this are no speeds but mistakes, m/s and rad/s; below it they are held to the limits.
const ABSURD: f64 = 100.0;

/// A drive shorter than this does not begin, as on the real robot.
const SHORTEST_S: f64 = 0.1;

/// Between two reports of a commanded speed that changes all the time, seconds.
const REPORT_S: f64 = 0.1;

/// Changes smaller than this are not worth an immediate report, m/s and rad/s.
const NOTICEABLE: f64 = 0.02;

/// The drive.
pub(super) struct Driving {
    pilot: Pilot,
    tracks: Tracks,
    commanded: PartName,
    measured: PartName,
    published: Option<(Speeds, f64)>,
    action_id: i64,
    explicit: bool,
}

impl Driving {
    pub(super) fn new() -> Self {
        Self {
            pilot: Pilot::new(PILOT),
            tracks: Tracks::new(TRACKS),
            commanded: PartName::of("commanded"),
            measured: PartName::of(Velocity::MEASURED),
            published: None,
            action_id: 0,
            explicit: false,
        }
    }

    pub(super) fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Whether it carries out a command that has an end.
    pub(super) fn is_busy(&self) -> bool {
        self.explicit
            && match self.pilot.goal() {
                Goal::Rest => false,
                Goal::Speed { until_s, .. } => until_s.is_some(),
                Goal::Line { .. } | Goal::Arc { .. } => true,
            }
    }

    /// Goes at a speed.
    pub(super) fn drive(
        &mut self,
        linear_mps: f64,
        angular_radps: f64,
        duration: Option<Duration>,
        at: Feeling,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let linear = check::within("linear speed in m/s", linear_mps, -ABSURD, ABSURD)?;
        let angular = check::within("turn rate in rad/s", angular_radps, -ABSURD, ABSURD)?;
        let speeds = Speeds {
            linear_mps: linear.clamp(-MAX_LINEAR_MPS, MAX_LINEAR_MPS),
            angular_radps: angular.clamp(-MAX_ANGULAR_RADPS, MAX_ANGULAR_RADPS),
        };
        let until_s = duration.map(lasting).transpose()?.map(|seconds| at.time_s + seconds);
        self.begin(Goal::Speed { speeds, until_s }, at, reports);
        Ok(())
    }

    /// Goes with a speed for each track.
    pub(super) fn drive_tracks(
        &mut self,
        speeds: TrackSpeeds,
        at: Feeling,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let track = |what, speed| {
            check::within(what, speed, -ABSURD, ABSURD).map(|it| it.clamp(-MAX_LINEAR_MPS, MAX_LINEAR_MPS))
        };
        let left = track("left track's speed in m/s", speeds.left_mps)?;
        let right = track("right track's speed in m/s", speeds.right_mps)?;
        let speeds =
            Speeds { linear_mps: (left + right) / 2.0, angular_radps: (right - left) / TRACKS.gap_m };
        self.begin(Goal::Speed { speeds, until_s: None }, at, reports);
        Ok(())
    }

    /// Goes straight at a heading.
    pub(super) fn drive_line(
        &mut self,
        heading_rad: f64,
        distance_m: f64,
        duration: Duration,
        reverse: bool,
        at: Feeling,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let goal = Goal::Line {
            heading_rad: check::within("heading in radians", heading_rad, -ABSURD, ABSURD)?,
            distance_m: check::within("distance in metres", distance_m, 0.0, 100.0)?,
            within_s: lasting(duration)?,
            reverse,
        };
        self.begin(goal, at, reports);
        Ok(())
    }

    /// Goes on a circle until a heading.
    pub(super) fn drive_arc(
        &mut self,
        heading_rad: f64,
        radius_m: f64,
        duration: Duration,
        reverse: bool,
        at: Feeling,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let goal = Goal::Arc {
            heading_rad: check::within("heading in radians", heading_rad, -ABSURD, ABSURD)?,
            radius_m: check::within("radius in metres", radius_m, 0.0, 100.0)?,
            within_s: lasting(duration)?,
            reverse,
        };
        self.begin(goal, at, reports);
        Ok(())
    }

    fn begin(&mut self, goal: Goal, at: Feeling, reports: &mut Reports) {
        let stands = *self.pilot.goal() == Goal::Rest;
        let goes = !matches!(goal, Goal::Speed { speeds: Speeds::REST, .. });
        match (stands, goes) {
            (true, true) => reports.publish(motion(MotionState::Moving, None)),
            (false, false) => reports.publish(motion(MotionState::Halted, None)),
            _ => {}
        }
        self.pilot.set(if goes { goal } else { Goal::Rest }, at);
        self.explicit = true;
        self.action_id += 1;
    }

    /// Takes the speed that a behaviour wants.
    pub(super) fn intend(&mut self, speeds: Speeds, at: Feeling) {
        self.explicit = false;
        if speeds == Speeds::REST {
            self.pilot.rest();
        } else {
            self.pilot.set(Goal::Speed { speeds, until_s: None }, at);
        }
    }

    /// Stops because a command said so.
    pub(super) fn halt(&mut self, reports: &mut Reports) {
        self.pilot.rest();
        self.explicit = true;
        reports.publish(motion(MotionState::Halted, None));
    }

    /// Stops because it cannot go on; says so only if it was going.
    pub(super) fn give_up(&mut self, state: MotionState, reason: &str, reports: &mut Reports) {
        if *self.pilot.goal() != Goal::Rest {
            self.pilot.rest();
            reports.publish(motion(state, Some(reason)));
        }
    }

    /// Stops if hazards forbid where it goes.
    pub(super) fn obey(&mut self, hazards: &Hazards, at: Feeling, reports: &mut Reports) {
        if *self.pilot.goal() == Goal::Rest {
            return;
        }
        let (speeds, _) = self.pilot.clone().steer(at);
        let reason = match hazards.forbids_all() {
            Some(reason) => Some(reason.to_owned()),
            None if speeds.linear_mps > 0.0 => hazards.forbids(true),
            None if speeds.linear_mps < 0.0 => hazards.forbids(false),
            None => None,
        };
        if let Some(reason) = reason {
            // Otherwise a robot that drives on after a stall would stall again at once.
            self.tracks.relax();
            self.give_up(MotionState::Halted, &format!("stopped by {reason}"), reports);
        }
    }

    /// The wish for the next step.
    pub(super) fn wish(
        &mut self,
        motion_now: Motion2,
        at: Feeling,
        hazards: &Hazards,
        step_s: f64,
        reports: &mut Reports,
    ) -> Wish {
        let (mut speeds, progress) = self.pilot.steer(at);
        let forward = speeds.linear_mps > 0.0;
        if speeds.linear_mps != 0.0 && hazards.forbids(forward).is_some() {
            speeds.linear_mps = 0.0;
        }
        match progress {
            Progress::Arrived if self.explicit => reports.publish(motion(MotionState::Succeeded, None)),
            Progress::GaveUp => reports.publish(motion(MotionState::Failed, Some("it took too long"))),
            Progress::Arrived | Progress::Driving | Progress::Resting => {}
        }
        self.tracks.want(speeds);
        self.publish(speeds, at.time_s, reports);
        let push = self.tracks.push(motion_now, step_s);
        Wish { forward_mps: push.linear_mps, turn_radps: push.angular_radps }
    }

    /// The world moved: the tracks ran along, or freely in the air.
    pub(super) fn moved(&mut self, motion: Motion2, in_air: bool, step_s: f64) {
        if in_air {
            self.tracks.spin_free(step_s);
        } else {
            self.tracks.felt(motion, step_s);
        }
    }

    fn publish(&mut self, speeds: Speeds, time_s: f64, reports: &mut Reports) {
        let due = match self.published {
            None => true,
            Some((published, _)) if published == speeds => false,
            Some((published, at_s)) => {
                let starts_or_stops = (published == Speeds::REST) != (speeds == Speeds::REST);
                let linear = (published.linear_mps - speeds.linear_mps).abs();
                let angular = (published.angular_radps - speeds.angular_radps).abs();
                let jumps = linear.max(angular) > NOTICEABLE && time_s - at_s >= REPORT_S / 2.0;
                starts_or_stops || jumps || time_s - at_s >= REPORT_S
            }
        };
        if due {
            self.published = Some((speeds, time_s));
            reports.of(&self.commanded, self.velocity(speeds));
        }
    }

    /// Reports how the tracks run.
    pub(super) fn publish_measured(&self, reports: &mut Reports) {
        reports.of(&self.measured, self.velocity(self.tracks.running()));
    }

    fn velocity(&self, speeds: Speeds) -> Velocity {
        Velocity {
            closed_loop: Some(true),
            ramped: Some(true),
            action_id: Some(self.action_id),
            ..Velocity::of(speeds.linear_mps, speeds.angular_radps)
        }
    }
}

fn lasting(duration: Duration) -> Result<f64, Outcome> {
    let seconds = check::seconds("duration in seconds", duration)?;
    if seconds < SHORTEST_S {
        return Err(Outcome::bad_argument(format!("{seconds} s is too short to drive; give 0.1 s or more")));
    }
    Ok(seconds)
}

fn motion(state: MotionState, reason: Option<&str>) -> Motion {
    Motion { state, motor_mask: Some(DRIVE_MASK), reason: reason.map(str::to_owned) }
}
