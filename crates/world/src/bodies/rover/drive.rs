//! The wheels: who drives them, and how fast they go.
//!
//! ```text
//!  emergency stop, in the air, empty ──▶ stand
//!  a drive command, and 10 s after it ──▶ its speed          the first that applies
//!  a way ──▶ the navigator's speed
//!  else ──▶ the behaviour's wish
//! ```
//!
//! Whatever drives, its limits hold, and a pressed bumper lets it go away from there only, unless its body says otherwise.

use std::time::Duration;

use latimer_core::model::signal::{Motion, MotionState, Velocity};
use latimer_core::{Outcome, PartName};

use super::RoverMake;
use crate::bodies::reports::Reports;
use crate::bodies::{Wish, check};
use crate::drive::{Speeds, Tracks};
use crate::physics::{Motion2, STEP_S};

/// Numbers beyond this are no speeds but mistakes, m/s and rad/s; below it they are held to the limits.
const ABSURD: f64 = 100.0;

/// How long an explicit drive or stop keeps tasks from driving, seconds.
const HANDS_OFF_S: f64 = 10.0;

/// Between two reports of a commanded speed that changes all the time, seconds.
const REPORT_S: f64 = 0.1;

/// Share of its speed that it loses in a second while its wheels are released (plausible).
const ROLLING_LOSS: f64 = 1.5;

/// How long and how fast it backs off from what a bumper met, seconds and m/s.
const BACK_S: f64 = 1.0;
const BACK_MPS: f64 = 0.12;

/// How fast the wheels may go; none is negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::bodies) struct DriveBounds {
    /// Ahead, m/s.
    pub(in crate::bodies) forward_mps: f64,
    /// Backwards, m/s.
    pub(in crate::bodies) backward_mps: f64,
    /// Either way, rad/s.
    pub(in crate::bodies) angular_radps: f64,
}

impl DriveBounds {
    /// A speed held to the bounds.
    fn hold(&self, speeds: Speeds) -> Speeds {
        Speeds {
            linear_mps: speeds.linear_mps.clamp(-self.backward_mps, self.forward_mps),
            angular_radps: speeds.angular_radps.clamp(-self.angular_radps, self.angular_radps),
        }
    }

    /// The same, but a curve stays the same curve.
    fn hold_curve(&self, speeds: Speeds) -> Speeds {
        let linear_mps = speeds.linear_mps.clamp(-self.backward_mps, self.forward_mps);
        let slower = if linear_mps == speeds.linear_mps { 1.0 } else { linear_mps / speeds.linear_mps };
        let wanted_radps = slower * speeds.angular_radps;
        let angular_radps = wanted_radps.clamp(-self.angular_radps, self.angular_radps);
        let slower = if angular_radps == wanted_radps { 1.0 } else { angular_radps / wanted_radps };
        Speeds { linear_mps: slower * linear_mps, angular_radps }
    }
}

/// The wheels.
pub(in crate::bodies) struct Drive {
    bounds: DriveBounds,
    tracks: Tracks,
    /// What a command asked for, and until when.
    order: Option<(Speeds, f64)>,
    /// What the behaviour wants.
    wish: Speeds,
    hands_off_until_s: f64,
    back_until_s: f64,
    published: Option<(Speeds, f64)>,
}

impl Drive {
    pub(in crate::bodies) fn new(make: &RoverMake) -> Self {
        Self {
            bounds: DriveBounds {
                forward_mps: make.max_linear_mps,
                backward_mps: make.max_linear_mps,
                angular_radps: make.max_angular_radps,
            },
            tracks: Tracks::new(make.wheels),
            order: None,
            wish: Speeds::REST,
            hands_off_until_s: 0.0,
            back_until_s: 0.0,
            published: None,
        }
    }

    pub(in crate::bodies) fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Sets how fast the wheels may go, whoever drives, and how fast they change that, m/s².
    pub(in crate::bodies) fn set_limits(&mut self, bounds: DriveBounds, [up_mps2, down_mps2]: [f64; 2]) {
        self.bounds = bounds;
        self.tracks.set_accelerations(up_mps2, down_mps2);
    }

    /// Goes at a speed.
    pub(in crate::bodies) fn drive(
        &mut self,
        linear_mps: f64,
        angular_radps: f64,
        duration: Option<Duration>,
        time_s: f64,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let linear = check::within("linear speed in m/s", linear_mps, -ABSURD, ABSURD)?;
        let angular = check::within("turn rate in rad/s", angular_radps, -ABSURD, ABSURD)?;
        let lasts_s = duration.map(|it| check::seconds("duration in seconds", it)).transpose()?;
        let speeds = Speeds { linear_mps: linear, angular_radps: angular };
        match (self.order, speeds == Speeds::REST) {
            (None, false) => reports.publish(motion(MotionState::Moving)),
            (Some(_), true) => reports.publish(motion(MotionState::Halted)),
            _ => {}
        }
        self.order =
            (speeds != Speeds::REST).then(|| (speeds, lasts_s.map_or(f64::INFINITY, |it| time_s + it)));
        self.hands_off_until_s = time_s + HANDS_OFF_S;
        Ok(())
    }

    /// Stops because a command said so.
    pub(in crate::bodies) fn halt(&mut self, time_s: f64, reports: &mut Reports) {
        self.order = None;
        self.wish = Speeds::REST;
        self.hands_off_until_s = time_s + HANDS_OFF_S;
        reports.publish(motion(MotionState::Halted));
    }

    /// Drops every order, because the robot cannot drive.
    pub(in crate::bodies) fn drop_orders(&mut self, reports: &mut Reports) {
        if self.order.take().is_some() {
            reports.publish(motion(MotionState::Failed));
        }
        self.wish = Speeds::REST;
    }

    /// Takes the speed that a behaviour wants.
    pub(in crate::bodies) fn intend(&mut self, speeds: Speeds) {
        self.wish = speeds;
    }

    /// Whether a command drives, or did just now.
    pub(in crate::bodies) fn is_taken(&self, time_s: f64) -> bool {
        self.order.is_some() || time_s < self.hands_off_until_s
    }

    /// Whether a drive command drives the wheels now.
    pub(in crate::bodies) fn is_ordered(&self) -> bool {
        self.order.is_some()
    }

    /// Whether it carries out a drive command that has an end.
    pub(in crate::bodies) fn is_busy(&self) -> bool {
        self.order.is_some_and(|(_, until_s)| until_s.is_finite())
    }

    /// A bumper at the bow was met on the way: backs off a little.
    pub(in crate::bodies) fn back_off(&mut self, time_s: f64) {
        self.back_off_for(BACK_S, time_s);
    }

    /// Backs off for some seconds before it goes on its way.
    pub(in crate::bodies) fn back_off_for(&mut self, seconds: f64, time_s: f64) {
        self.back_until_s = time_s + seconds;
    }

    /// The wish for the next step: what a command, a way or a behaviour wants, held by the bumpers.
    pub(in crate::bodies) fn wish(
        &mut self,
        way: Option<Speeds>,
        [front, rear]: [bool; 2],
        now: Motion2,
        time_s: f64,
        reports: &mut Reports,
    ) -> Wish {
        if self.order.take_if(|(_, until_s)| time_s >= *until_s).is_some() {
            reports.publish(motion(MotionState::Succeeded));
        }
        let mut speeds = match (self.order, way) {
            (Some((speeds, _)), _) => self.bounds.hold(speeds),
            (None, _) if time_s < self.hands_off_until_s => Speeds::REST,
            (None, Some(_)) if time_s < self.back_until_s => {
                Speeds { linear_mps: -BACK_MPS, angular_radps: 0.0 }
            }
            (None, Some(speeds)) => self.bounds.hold_curve(speeds),
            (None, None) => self.bounds.hold(self.wish),
        };
        if front && speeds.linear_mps > 0.0 || rear && speeds.linear_mps < 0.0 {
            speeds.linear_mps = 0.0;
        }
        self.run(speeds, now, time_s, reports)
    }

    /// Rolls on as it is pushed, with the wheels released, and slows down by itself.
    pub(in crate::bodies) fn roll_free(&mut self, now: Motion2) -> Wish {
        self.tracks.relax();
        let kept = 1.0 - ROLLING_LOSS * STEP_S;
        Wish { forward_mps: now.forward_mps * kept, turn_radps: now.turn_radps * kept }
    }

    /// A navigation command ends manual control.
    pub(in crate::bodies) fn let_go(&mut self) {
        self.hands_off_until_s = 0.0;
    }

    /// The motors forget that they pushed in vain.
    pub(in crate::bodies) fn forgive(&mut self) {
        self.tracks.relax();
    }

    /// Stands.
    pub(in crate::bodies) fn stand(&mut self, now: Motion2, time_s: f64, reports: &mut Reports) -> Wish {
        self.run(Speeds::REST, now, time_s, reports)
    }

    fn run(&mut self, speeds: Speeds, now: Motion2, time_s: f64, reports: &mut Reports) -> Wish {
        self.tracks.want(speeds);
        let due = match self.published {
            None => true,
            Some((published, at_s)) => {
                let stops = (published == Speeds::REST) != (speeds == Speeds::REST);
                published != speeds && (stops || time_s - at_s >= REPORT_S)
            }
        };
        if due {
            self.published = Some((speeds, time_s));
            reports.of(&PartName::of("commanded"), Velocity::of(speeds.linear_mps, speeds.angular_radps));
        }
        let push = self.tracks.push(now, STEP_S);
        Wish { forward_mps: push.linear_mps, turn_radps: push.angular_radps }
    }

    /// The world moved: the wheels ran along, or freely in the air.
    pub(in crate::bodies) fn moved(&mut self, motion: Motion2, in_air: bool) {
        if in_air {
            self.tracks.spin_free(STEP_S);
        } else {
            self.tracks.felt(motion, STEP_S);
        }
    }

    /// Reports how the wheels run.
    pub(in crate::bodies) fn publish_measured(&self, reports: &mut Reports) {
        let running = self.tracks.running();
        reports
            .of(&PartName::of(Velocity::MEASURED), Velocity::of(running.linear_mps, running.angular_radps));
    }
}

fn motion(state: MotionState) -> Motion {
    Motion { state, motor_mask: None, reason: None }
}
