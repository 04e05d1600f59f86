//! Two driven wheels of a robot without a pilot: they keep the commanded speed until the next
//! otherwise, until a time is over, or until it is not renewed.
//!
//! ```text
//!         drive                    time is over · stop · stall · edge
//!  Rest ────────▶ Driving (renewed) ──────────────────────────────────▶ Rest
//! ```

use std::time::Duration;

use latimer_core::model::signal::{Motion, MotionState, Velocity};
use latimer_core::model::{Kind, TrackSpeeds};
use latimer_core::{Outcome, PartName};

use super::moment::Moment;
use super::reports::Reports;
use super::{Wish, check};
use crate::drive::{Speeds, TrackLimits, Tracks};
use crate::physics::Motion2;

/// Numbers beyond this are no speeds but mistakes, m/s and rad/s; below it they are held to the limits.
const ABSURD: f64 = 100.0;

/// How a family's wheels are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WheelMake {
    /// Greatest speed of a wheel, m/s.
    pub(super) max_mps: f64,
    /// The motors.
    pub(super) tracks: TrackLimits,
    /// How long a speed is kept that is not renewed, seconds; without end if infinite.
    pub(super) hold_s: f64,
}

impl WheelMake {
    /// Greatest turn rate, on the spot, rad/s.
    pub(super) fn max_radps(&self) -> f64 {
        2.0 * self.max_mps / self.tracks.gap_m
    }

    /// A speed that no wheel is too slow for: if one is, both run slower, so that the way stays the same.
    fn held(&self, speeds: Speeds) -> Speeds {
        let half = speeds.angular_radps.abs() * self.tracks.gap_m / 2.0;
        let fastest = speeds.linear_mps.abs() + half;
        let share = if fastest > self.max_mps { self.max_mps / fastest } else { 1.0 };
        Speeds { linear_mps: speeds.linear_mps * share, angular_radps: speeds.angular_radps * share }
    }
}

/// The wheels.
pub(super) struct Wheels {
    make: WheelMake,
    tracks: Tracks,
    want: Speeds,
    until_s: f64,
    /// A command set it, for a time of its own.
    timed: bool,
    explicit: bool,
    published: Option<Speeds>,
    commanded: PartName,
    measured: PartName,
}

impl Wheels {
    pub(super) fn new(make: WheelMake) -> Self {
        Self {
            make,
            tracks: Tracks::new(make.tracks),
            want: Speeds::REST,
            until_s: 0.0,
            timed: false,
            explicit: false,
            published: None,
            commanded: PartName::of("commanded"),
            measured: PartName::of(Velocity::MEASURED),
        }
    }

    pub(super) fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// Whether it goes forward, or would.
    pub(super) fn goes_forward(&self) -> bool {
        self.want.linear_mps > 0.0
    }

    /// Whether it carries out a command that has an end.
    pub(super) fn is_busy(&self) -> bool {
        self.explicit && self.timed && self.want != Speeds::REST
    }

    /// Goes at a speed, for a time if given.
    pub(super) fn drive(
        &mut self,
        linear_mps: f64,
        angular_radps: f64,
        duration: Option<Duration>,
        time_s: f64,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let speeds = Speeds {
            linear_mps: check::within("linear speed in m/s", linear_mps, -ABSURD, ABSURD)?,
            angular_radps: check::within("turn rate in rad/s", angular_radps, -ABSURD, ABSURD)?,
        };
        let lasts_s = duration.map(|it| check::seconds("duration in seconds", it)).transpose()?;
        self.begin(speeds, lasts_s, time_s, reports);
        Ok(())
    }

    /// Goes with a speed for each wheel.
    pub(super) fn drive_wheels(
        &mut self,
        speeds: TrackSpeeds,
        time_s: f64,
        reports: &mut Reports,
    ) -> Result<(), Outcome> {
        let left = check::within("left wheel's speed in m/s", speeds.left_mps, -ABSURD, ABSURD)?;
        let right = check::within("right wheel's speed in m/s", speeds.right_mps, -ABSURD, ABSURD)?;
        let gap_m = self.make.tracks.gap_m;
        let speeds = Speeds { linear_mps: (left + right) / 2.0, angular_radps: (right - left) / gap_m };
        self.begin(speeds, None, time_s, reports);
        Ok(())
    }

    fn begin(&mut self, speeds: Speeds, lasts_s: Option<f64>, time_s: f64, reports: &mut Reports) {
        let stands = self.want == Speeds::REST;
        self.want = self.make.held(speeds);
        self.timed = lasts_s.is_some();
        // A speed without an end expires; one with a duration is renewed until then by who gave it.
        self.until_s = time_s + lasts_s.unwrap_or(self.make.hold_s);
        self.explicit = true;
        match (stands, self.want == Speeds::REST) {
            (true, false) => reports.publish(motion(MotionState::Moving, None)),
            (false, true) => reports.publish(motion(MotionState::Halted, None)),
            _ => {}
        }
    }

    /// Takes the speed that a behaviour wants, which wants something at every step.
    pub(super) fn intend(&mut self, speeds: Speeds) {
        self.want = self.make.held(speeds);
        self.until_s = f64::INFINITY;
        self.explicit = false;
    }

    /// Stops because a command said so.
    pub(super) fn halt(&mut self, reports: &mut Reports) {
        self.want = Speeds::REST;
        self.explicit = true;
        reports.publish(motion(MotionState::Halted, None));
    }

    /// Stops because it cannot go on; says so only if it was going.
    pub(super) fn give_up(&mut self, state: MotionState, reason: &str, reports: &mut Reports) {
        if self.want == Speeds::REST {
            return;
        }
        self.want = Speeds::REST;
        // Otherwise a robot that drives on after a stall would stall again at once.
        self.tracks.relax();
        if self.explicit {
            reports.publish(motion(state, Some(reason)));
        }
    }

    /// The wish for the next step.
    pub(super) fn wish(&mut self, now: Motion2, time_s: f64, step_s: f64, reports: &mut Reports) -> Wish {
        if self.want != Speeds::REST && time_s >= self.until_s {
            self.want = Speeds::REST;
            reports.publish(if self.timed {
                motion(MotionState::Succeeded, None)
            } else {
                motion(MotionState::Halted, Some("nobody renewed the speed"))
            });
        }
        self.tracks.want(self.want);
        let push = self.tracks.push(now, step_s);
        Wish { forward_mps: push.linear_mps, turn_radps: push.angular_radps }
    }

    /// The world moved: the wheels ran along, or freely in the air. They push in vain: give up.
    pub(super) fn moved(&mut self, motion: Motion2, in_air: bool, step_s: f64, reports: &mut Reports) {
        if in_air {
            self.tracks.spin_free(step_s);
        } else {
            self.tracks.felt(motion, step_s);
        }
        if self.explicit && self.tracks.is_stalled() {
            self.give_up(MotionState::Blocked, "the wheels do not move", reports);
        }
    }

    /// Reports a new speed that was asked for, and how the wheels run once in so many steps.
    pub(super) fn publish(&mut self, now: &mut Moment<'_>, steps: u64) {
        if self.published != Some(self.want) {
            self.published = Some(self.want);
            now.reports.of(&self.commanded, velocity(self.want));
        }
        if now.due(Kind::Velocity, steps) {
            now.reports.of(&self.measured, velocity(self.tracks.running()));
        }
    }
}

fn velocity(speeds: Speeds) -> Velocity {
    Velocity::of(speeds.linear_mps, speeds.angular_radps)
}

fn motion(state: MotionState, reason: Option<&str>) -> Motion {
    Motion { state, motor_mask: None, reason: reason.map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_fast_a_wheel_slows_both_and_keeps_the_bend() {
        let tracks = TrackLimits { gap_m: 0.2, speed_up_mps2: 1.0, slow_down_mps2: 1.0, spin_radps2: 10.0 };
        let make = WheelMake { max_mps: 0.4, tracks, hold_s: 1.0 };
        let fair = Speeds { linear_mps: 0.2, angular_radps: -1.0 };
        assert_eq!(make.held(fair), fair);
        let held = make.held(Speeds { linear_mps: 0.6, angular_radps: 2.0 });
        assert!((held.linear_mps + held.angular_radps * 0.1 - 0.4).abs() < 1e-12);
        assert!((held.linear_mps / held.angular_radps - 0.3).abs() < 1e-12);
    }
}
