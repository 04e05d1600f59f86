//! The pilot: turns a goal into speeds, step by step, from odometry and gyroscope.
//!
//! ```text
//!          set(goal)                arrived · gave up · rest()
//!  Rest ──────────────▶ Speed │ Line │ Arc ──────────────────▶ Rest
//! ```
//!
//! A line first turns on the spot to its heading, then goes straight and spreads what is left of the way
//! over what is left of the time, so that it ends on time if the limits allow, and late if not.

use super::Speeds;
use crate::geometry::wrap_angle;

/// Near enough to a heading to go, radians.
const ALIGNED_RAD: f64 = 0.02;

/// Near enough to the end of a line, metres.
const ARRIVED_M: f64 = 0.003;

/// Shortest time over which what is left is spread, seconds.
const SHORTEST_S: f64 = 0.15;

/// How much later than planned a goal is given up, seconds.
const PATIENCE_S: f64 = 60.0;

/// What the pilot may ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PilotLimits {
    /// Greatest speed, m/s.
    pub linear_mps: f64,
    /// Greatest turn rate of lines and arcs, rad/s.
    pub angular_radps: f64,
    /// Slowing down towards the end, m/s².
    pub slow_down_mps2: f64,
}

/// Where the robot believes to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Feeling {
    /// The world's clock, seconds.
    pub time_s: f64,
    /// Heading by the gyroscope.
    pub yaw_rad: f64,
    /// Way of the middle, metres.
    pub travelled_m: f64,
}

/// What the pilot is after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// Nothing.
    Rest,
    /// A speed, for a while or until another command.
    Speed {
        /// The speed.
        speeds: Speeds,
        /// Until when by the world's clock.
        until_s: Option<f64>,
    },
    /// A straight line at a heading.
    Line {
        /// The heading by the gyroscope.
        heading_rad: f64,
        /// How far.
        distance_m: f64,
        /// In what time, seconds.
        within_s: f64,
        /// Backwards.
        reverse: bool,
    },
    /// A circle until a heading.
    Arc {
        /// The heading by the gyroscope.
        heading_rad: f64,
        /// Radius of the circle.
        radius_m: f64,
        /// In what time, seconds.
        within_s: f64,
        /// Backwards.
        reverse: bool,
    },
}

/// How the goal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is none.
    Resting,
    /// On the way.
    Driving,
    /// Just reached.
    Arrived,
    /// Just given up.
    GaveUp,
}

/// The pilot.
#[derive(Clone, Debug)]
pub struct Pilot {
    limits: PilotLimits,
    goal: Goal,
    due_s: f64,
    from_m: f64,
    aligned: bool,
}

impl Pilot {
    /// A pilot without a goal.
    pub fn new(limits: PilotLimits) -> Self {
        Self { limits, goal: Goal::Rest, due_s: 0.0, from_m: 0.0, aligned: false }
    }

    /// Takes a goal in place of the one before.
    pub fn set(&mut self, goal: Goal, at: Feeling) {
        self.goal = goal;
        self.from_m = at.travelled_m;
        self.aligned = false;
        self.due_s = match goal {
            Goal::Line { within_s, .. } | Goal::Arc { within_s, .. } => at.time_s + within_s,
            Goal::Speed { until_s, .. } => until_s.unwrap_or(f64::INFINITY),
            Goal::Rest => at.time_s,
        };
    }

    /// What it is after.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Gives up whatever it was after.
    pub fn rest(&mut self) {
        self.goal = Goal::Rest;
    }

    /// The speeds for now.
    pub fn steer(&mut self, at: Feeling) -> (Speeds, Progress) {
        let (speeds, progress) = match self.goal {
            Goal::Rest => (Speeds::REST, Progress::Resting),
            Goal::Speed { speeds, .. } if at.time_s < self.due_s => (speeds, Progress::Driving),
            Goal::Speed { .. } => (Speeds::REST, Progress::Arrived),
            Goal::Line { .. } | Goal::Arc { .. } if at.time_s > self.due_s + PATIENCE_S => {
                (Speeds::REST, Progress::GaveUp)
            }
            Goal::Line { heading_rad, distance_m, reverse, .. } => {
                self.line(at, heading_rad, distance_m, reverse)
            }
            Goal::Arc { heading_rad, radius_m, reverse, .. } => self.arc(at, heading_rad, radius_m, reverse),
        };
        if matches!(progress, Progress::Arrived | Progress::GaveUp) {
            self.goal = Goal::Rest;
        }
        (speeds, progress)
    }

    fn line(&mut self, at: Feeling, heading_rad: f64, distance_m: f64, reverse: bool) -> (Speeds, Progress) {
        let off = wrap_angle(heading_rad - at.yaw_rad);
        if !self.aligned && off.abs() > ALIGNED_RAD {
            let most = self.limits.angular_radps;
            let angular_radps = (3.0 * off).clamp(-most, most);
            return (Speeds { linear_mps: 0.0, angular_radps }, Progress::Driving);
        }
        self.aligned = true;
        let left = distance_m - (at.travelled_m - self.from_m).abs();
        if left < ARRIVED_M {
            return (Speeds::REST, Progress::Arrived);
        }
        let braking = (2.0 * self.limits.slow_down_mps2 * 0.5 * left).sqrt();
        let speed = (left / self.time_left(at)).min(self.limits.linear_mps).min(braking);
        let speeds = Speeds {
            linear_mps: if reverse { -speed } else { speed },
            angular_radps: (2.0 * off).clamp(-0.5, 0.5),
        };
        (speeds, Progress::Driving)
    }

    fn arc(&self, at: Feeling, heading_rad: f64, radius_m: f64, reverse: bool) -> (Speeds, Progress) {
        let off = wrap_angle(heading_rad - at.yaw_rad);
        if off.abs() < ALIGNED_RAD {
            return (Speeds::REST, Progress::Arrived);
        }
        let mut most = self.limits.angular_radps;
        if radius_m > 0.0 {
            most = most.min(self.limits.linear_mps / radius_m);
        }
        let rate = (off.abs() / self.time_left(at)).min(most);
        let linear = rate * radius_m;
        let speeds =
            Speeds { linear_mps: if reverse { -linear } else { linear }, angular_radps: rate.copysign(off) };
        (speeds, Progress::Driving)
    }

    fn time_left(&self, at: Feeling) -> f64 {
        (self.due_s - at.time_s).max(SHORTEST_S)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: PilotLimits = PilotLimits { linear_mps: 0.45, angular_radps: 0.8, slow_down_mps2: 2.0 };

    /// Drives an ideal robot until the goal is done; returns how long it took and where it believes to be.
    fn fly(goal: Goal) -> (f64, Feeling) {
        let mut pilot = Pilot::new(LIMITS);
        let mut at = Feeling::default();
        pilot.set(goal, at);
        loop {
            let (speeds, progress) = pilot.steer(at);
            if progress != Progress::Driving {
                assert_eq!(progress, Progress::Arrived);
                return (at.time_s, at);
            }
            at.time_s += 0.01;
            at.yaw_rad = wrap_angle(at.yaw_rad + speeds.angular_radps * 0.01);
            at.travelled_m += speeds.linear_mps * 0.01;
        }
    }

    #[test]
    fn a_line_keeps_way_heading_and_time() {
        let (took_s, at) =
            fly(Goal::Line { heading_rad: 1.0, distance_m: 1.0, within_s: 6.0, reverse: false });
        assert!((took_s - 6.0).abs() < 0.5, "{took_s}");
        assert!((at.travelled_m - 1.0).abs() < 0.01 && (at.yaw_rad - 1.0).abs() < 0.03, "{at:?}");
        let (_, back) = fly(Goal::Line { heading_rad: 0.0, distance_m: 0.5, within_s: 3.0, reverse: true });
        assert!((back.travelled_m + 0.5).abs() < 0.01, "{back:?}");
    }

    #[test]
    fn a_line_too_fast_for_the_robot_is_late() {
        let (took_s, _) =
            fly(Goal::Line { heading_rad: 0.0, distance_m: 2.0, within_s: 1.0, reverse: false });
        assert!((4.4..6.0).contains(&took_s), "2 m at 0.45 m/s take 4.4 s, not {took_s}");
    }

    #[test]
    fn an_arc_is_as_long_as_its_radius_says() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let (took_s, at) =
            fly(Goal::Arc { heading_rad: quarter, radius_m: 0.4, within_s: 5.0, reverse: false });
        assert!((took_s - 5.0).abs() < 0.5, "{took_s}");
        assert!((at.travelled_m - 0.4 * quarter).abs() < 0.02, "{at:?}");
    }

    #[test]
    fn a_speed_ends_on_time() {
        let speeds = Speeds { linear_mps: 0.2, angular_radps: 0.0 };
        let (took_s, at) = fly(Goal::Speed { speeds, until_s: Some(2.0) });
        assert!((took_s - 2.0).abs() < 0.02 && (at.travelled_m - 0.4).abs() < 0.01, "{took_s} {at:?}");
    }
}
