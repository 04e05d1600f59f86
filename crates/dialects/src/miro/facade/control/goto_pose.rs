//! How a body move gets to its pose: the smooth control law of GotoPose and Kuipers (ICRA 2011), forward or backward. Pure.
//!
//! ```text
//!            r > 10 mm                 r ≤ 10 mm             turned within 0.1 rad
//! Approach ───────────▶ Approach ───────────────▶ Turn ───────────────────────────▶ arrived
//!     └──────────────────── 10 s are over ──────────┴──▶ gave up
//! ```
//!
//! The line of sight goes from the robot to the goal; `delta` is the robot's heading and `theta` the goal's, both
//! against it. The law steers `delta` to `atan(-k1 theta)` on a bend of curvature
//! `-(k2 (delta - atan(-k1 theta)) + (1 + k1 / (1 + (k1 theta)²)) sin delta) / r`. The robot's defaults for `k1`, `k2`,
//! the speeds, the acceleration and what is near enough are published. Of two of its numbers only the names are: `kv` is taken
//! for speed over distance left, 1/s, `ka` for the share of the track that slows it in bends: so the outer wheel
//! keeps to the greatest speed. A goal so near and so far aside that no bend leads there is first turned to on the spot.

use std::f64::consts::FRAC_PI_2;

use super::pose::{Flat, wrapped};

/// How strongly the heading is turned to where the goal's own heading wants it (published).
const K1: f64 = 1.0;
/// How much faster the heading is corrected than the way (published).
const K2: f64 = 5.0;
/// Speed for each metre left, 1/s (published).
const KV: f64 = 1.0;
/// How much a bend slows, as a share of the track (published).
const KA: f64 = 0.5;
/// Slowest and greatest speed, m/s (published).
const SPEEDS_MPS: [f64; 2] = [0.05, 0.35];
/// Greatest change of the speed, m/s² (published).
const ACCELERATION_MPS2: f64 = 0.2;
/// Near enough: metres and radians (published).
const CLOSE_M: f64 = 0.01;
const CLOSE_RAD: f64 = 0.1;
/// A move that takes longer is given up, seconds (published).
const LONGEST_S: f64 = 10.0;
/// What is between the wheels, metres, and what a wheel can do, m/s (published).
const TRACK_M: f64 = 0.164;
const HALF_TRACK_M: f64 = TRACK_M / 2.0;
const WHEEL_MPS: f64 = 0.4;
/// Nearer than this the bend gets no sharper, metres.
const NEAREST_M: f64 = 0.005;
/// Nearer than this it goes straight to the place, metres: the heading is turned to there.
const STRAIGHT_M: f64 = 0.04;
/// Farther aside than this it turns on the spot where a bend would be too sharp, radians.
const ASIDE_RAD: f64 = 0.4;

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Drive at this speed, m/s and rad/s.
    Drive(f64, f64),
    /// Stand: it is there.
    Arrived,
    /// Stand: it took too long.
    GaveUp,
}

/// A move to a pose.
#[derive(Clone, Debug)]
pub(super) struct GotoPose {
    goal: Flat,
    backward: bool,
    turns: bool,
    speed_mps: f64,
    lasted_s: f64,
}

impl GotoPose {
    /// A move to a goal from where the robot is: backward if the goal is behind it.
    pub(super) fn new(goal: Flat, from: Flat) -> Self {
        let bearing = wrapped(from.bearing_to(goal) - from.yaw_rad);
        let backward = from.distance_to(goal) > CLOSE_M && bearing.abs() > FRAC_PI_2 + 1e-6;
        Self { goal, backward, turns: false, speed_mps: 0.0, lasted_s: 0.0 }
    }

    /// The next step, so many seconds after the last.
    pub(super) fn step(&mut self, at: Flat, passed_s: f64) -> Step {
        self.lasted_s += passed_s;
        if self.lasted_s > LONGEST_S {
            return Step::GaveUp;
        }
        self.turns |= at.distance_to(self.goal) <= CLOSE_M;
        if self.turns { self.turn(at) } else { self.approach(at, passed_s) }
    }

    fn approach(&mut self, at: Flat, passed_s: f64) -> Step {
        let (r, sight) = (at.distance_to(self.goal).max(NEAREST_M), at.bearing_to(self.goal));
        let (sign, turned) = if self.backward { (-1.0, std::f64::consts::PI) } else { (1.0, 0.0) };
        let delta = wrapped(at.yaw_rad + turned - sight);
        let theta = if r < STRAIGHT_M { 0.0 } else { wrapped(self.goal.yaw_rad + turned - sight) };
        let wanted = (-K1 * theta).atan();
        let bend = (K2 * (delta - wanted) + (1.0 + K1 / (1.0 + (K1 * theta).powi(2))) * delta.sin()) / r;
        let [slowest, greatest] = SPEEDS_MPS;
        if bend.abs() > (WHEEL_MPS - slowest) / HALF_TRACK_M / slowest && delta.abs() > ASIDE_RAD {
            self.speed_mps = 0.0;
            return spin(wrapped(wanted - delta));
        }
        let braking = (2.0 * ACCELERATION_MPS2 * r).sqrt();
        let speed = (greatest / (1.0 + KA * TRACK_M * bend.abs())).min(KV * r).min(braking);
        let most = ACCELERATION_MPS2 * passed_s;
        let speed = speed.clamp(self.speed_mps - most, self.speed_mps + most).clamp(slowest, greatest);
        self.speed_mps = speed;
        // What the wheels cannot do is a wider bend.
        let quickest = (WHEEL_MPS - speed) / HALF_TRACK_M;
        Step::Drive(sign * speed, (-speed * bend).clamp(-quickest, quickest))
    }

    fn turn(&self, at: Flat) -> Step {
        let left = wrapped(self.goal.yaw_rad - at.yaw_rad);
        if left.abs() <= CLOSE_RAD {
            return Step::Arrived;
        }
        spin(left)
    }
}

/// Turns on the spot by so much.
fn spin(left_rad: f64) -> Step {
    let [slowest, greatest] = SPEEDS_MPS;
    let wheel = (KV * left_rad.abs() * HALF_TRACK_M).clamp(slowest, greatest);
    Step::Drive(0.0, (wheel / HALF_TRACK_M).copysign(left_rad))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STEP_S: f64 = 0.02;

    /// Moves an ideal robot from the origin; where it ends, after how long, and every speed on the way.
    fn moved(goal: Flat) -> (Flat, f64, Vec<(f64, f64)>) {
        let mut at = Flat::default();
        let mut goto_pose = GotoPose::new(goal, at);
        let (mut time_s, mut speeds) = (0.0, Vec::new());
        loop {
            match goto_pose.step(at, STEP_S) {
                Step::Drive(v, w) => {
                    speeds.push((v, w));
                    let middle = at.yaw_rad + w * STEP_S / 2.0;
                    at.x_m += v * middle.cos() * STEP_S;
                    at.y_m += v * middle.sin() * STEP_S;
                    at.yaw_rad = wrapped(at.yaw_rad + w * STEP_S);
                }
                Step::Arrived => return (at, time_s, speeds),
                Step::GaveUp => panic!("{goal:?} is not reached: {at:?}"),
            }
            time_s += STEP_S;
        }
    }

    fn reaches(goal: Flat) {
        let (at, time_s, speeds) = moved(goal);
        assert!(at.distance_to(goal) <= 0.02, "{goal:?}: {at:?}");
        assert!(wrapped(at.yaw_rad - goal.yaw_rad).abs() <= CLOSE_RAD, "{goal:?}: {at:?}");
        assert!(time_s < LONGEST_S);
        let mut last: Option<f64> = None;
        for (v, w) in speeds {
            let wheel = v.abs() + w.abs() * HALF_TRACK_M;
            assert!(wheel <= WHEEL_MPS + 1e-9, "{goal:?}: {v} m/s and {w} rad/s");
            if v == 0.0 {
                assert!((0.05..0.351).contains(&(w.abs() * HALF_TRACK_M + 1e-9)), "{goal:?}: {w} rad/s");
                last = None;
                continue;
            }
            assert!((0.05..0.351).contains(&(v.abs() + 1e-9)), "{goal:?}: {v} m/s");
            let before = last.replace(v.abs()).unwrap_or(0.05);
            assert!(
                (v.abs() - before).abs() <= ACCELERATION_MPS2 * STEP_S + 1e-9,
                "{goal:?}: {before}, then {v}"
            );
        }
    }

    #[test]
    fn goals_ahead_behind_beside_and_on_the_spot_are_reached() {
        for (x_mm, y_mm, yaw) in [
            (600.0, 0.0, 0.0),
            (-600.0, 0.0, 0.0),
            (800.0, 300.0, 1.0),
            (-800.0, -300.0, 0.5),
            (0.0, 600.0, FRAC_PI_2),
            (0.0, -600.0, 0.0),
            (300.0, 0.0, 3.0),
            (0.0, 0.0, -2.5),
            (0.0, 0.0, 0.05),
            (30.0, 20.0, 0.0),
            (1_500.0, 0.0, 0.0),
            (-10.4, -0.4, -2.2),
        ] {
            reaches(Flat { x_m: x_mm / 1e3, y_m: y_mm / 1e3, yaw_rad: yaw });
        }
    }

    #[test]
    fn what_is_behind_is_reached_backward() {
        let (_, _, speeds) = moved(Flat { x_m: -0.5, y_m: 0.1, yaw_rad: 0.0 });
        assert!(speeds.iter().all(|(v, _)| *v <= 0.0));
        let (_, _, speeds) = moved(Flat { x_m: 0.5, y_m: 0.1, yaw_rad: 0.0 });
        assert!(speeds.iter().all(|(v, _)| *v >= 0.0));
    }

    #[test]
    fn what_is_not_reached_in_ten_seconds_is_given_up() {
        let mut goto_pose = GotoPose::new(Flat { x_m: 1.0, y_m: 0.0, yaw_rad: 0.0 }, Flat::default());
        let stuck = (0..600).map(|_| goto_pose.step(Flat::default(), STEP_S));
        let gave_up = stuck.take_while(|step| *step != Step::GaveUp).count();
        assert!((499..=501).contains(&gave_up), "{gave_up}");
    }

    proptest! {
        #[test]
        fn any_pose_nearby_is_reached(x_m in -0.8..0.8_f64, y_m in -0.8..0.8_f64, yaw_rad in -3.1..3.1_f64) {
            reaches(Flat { x_m, y_m, yaw_rad });
        }
    }
}
