//! The last bit to a charger: straight in, slowly, and out again if it did not hold.
//!
//! ```text
//!  Entering ──too far in, stands still──▶ Leaving ──at the staging pose──▶ Missed
//! ```
//!
//! Whether the robot stands on the charger comes from outside; then the approach simply ends.

use super::FollowLimits;
use crate::Speeds;
use crate::geometry::{Pose2, wrap_angle};

/// How far before the charger the robot lines up, metres.
const STAGING_M: f64 = 0.6;

/// How far beyond the charger's pose the robot looks for contact, metres.
const BEYOND_M: f64 = 0.03;

/// How long it pushes without getting on, seconds.
const PUSH_S: f64 = 3.0;

/// Distance of the aimed point on the charger's axis, metres.
const AHEAD_M: f64 = 0.25;

/// A charger and how to enter it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dock {
    /// The robot's pose while it charges.
    pub charger: Pose2,
    /// Backwards in.
    pub reverse: bool,
}

impl Dock {
    /// Where to line up: before the charger, turned as the charger says.
    pub fn staging(&self) -> Pose2 {
        let [x_m, y_m] = self.charger.point_out(-self.way() * STAGING_M, 0.0);
        Pose2::new(x_m, y_m, self.charger.yaw_rad)
    }

    /// 1 if the robot enters forwards.
    fn way(&self) -> f64 {
        if self.reverse { -1.0 } else { 1.0 }
    }
}

/// One try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    dock: Dock,
    leaving: bool,
    /// How near it came, metres, and when.
    nearest: Option<(f64, f64)>,
}

impl Approach {
    /// A try from the staging pose.
    pub fn new(dock: Dock) -> Self {
        Self { dock, leaving: false, nearest: None }
    }

    /// How far it is to the charger's pose, metres; negative beyond it.
    pub fn remaining_m(&self, pose: Pose2) -> f64 {
        let [x, _] = self.dock.charger.point_in(pose.x_m, pose.y_m);
        -self.dock.way() * x
    }

    /// The speeds for now; `None` when the try has failed and the robot is out again.
    pub fn steer(
        &mut self,
        pose: Pose2,
        time_s: f64,
        slow_mps: f64,
        limits: &FollowLimits,
    ) -> Option<Speeds> {
        let left_m = self.remaining_m(pose);
        if self.leaving {
            let out = left_m >= STAGING_M - 0.02 || self.pushed(time_s, -left_m);
            return (!out).then(|| self.along(pose, -slow_mps, limits));
        }
        if left_m < -BEYOND_M || self.pushed(time_s, left_m) {
            (self.leaving, self.nearest) = (true, None);
            return Some(Speeds::REST);
        }
        // Just before contact half the speed, so that the robot does not slide over it.
        let speed = if left_m < 0.1 { slow_mps / 2.0 } else { slow_mps };
        Some(self.along(pose, speed, limits))
    }

    /// Whether it has not come nearer for a while.
    fn pushed(&mut self, time_s: f64, left_m: f64) -> bool {
        match self.nearest {
            Some((nearest_m, since_s)) if left_m > nearest_m - 0.01 => time_s - since_s > PUSH_S,
            _ => {
                self.nearest = Some((left_m, time_s));
                false
            }
        }
    }

    /// Along the charger's axis, positive is in.
    fn along(&self, pose: Pose2, inward_mps: f64, limits: &FollowLimits) -> Speeds {
        let linear_mps = inward_mps * self.dock.way();
        let [_, off_m] = self.dock.charger.point_in(pose.x_m, pose.y_m);
        let turned = wrap_angle(pose.yaw_rad - self.dock.charger.yaw_rad);
        // The axis is straight, so pursuit comes down to two terms; backwards the offset's sign changes.
        let wanted = -(off_m / AHEAD_M).atan() * linear_mps.signum();
        let angular_radps = 2.0 * linear_mps.abs() / AHEAD_M * wrap_angle(wanted - turned);
        limits.hold(Speeds { linear_mps, angular_radps: angular_radps.clamp(-0.5, 0.5) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: FollowLimits =
        FollowLimits { linear_mps: 0.6, angular_radps: 1.2, slow_down_mps2: 0.8, spin_radps2: 4.0 };

    fn drive(dock: Dock, mut pose: Pose2, holds: bool) -> (Pose2, bool) {
        let mut approach = Approach::new(dock);
        for step in 0..6_000 {
            let near = pose.distance_to(dock.charger.x_m, dock.charger.y_m) < 0.03;
            if holds && near {
                return (pose, true);
            }
            let Some(speeds) = approach.steer(pose, f64::from(step) * 0.01, 0.1, &LIMITS) else { break };
            let [x, y] = pose.point_out(speeds.linear_mps * 0.01, 0.0);
            pose = Pose2::new(x, y, wrap_angle(pose.yaw_rad + speeds.angular_radps * 0.01));
        }
        (pose, false)
    }

    #[test]
    fn small_errors_at_the_staging_pose_are_driven_out_both_ways() {
        for reverse in [false, true] {
            let dock = Dock { charger: Pose2::new(1.0, 2.0, 0.7), reverse };
            for (x, y, yaw) in [(0.0, 0.04, 0.03), (0.02, -0.04, 0.05), (-0.02, 0.03, -0.05)] {
                let [x, y] = dock.staging().point_out(x, y);
                let (end, held) = drive(dock, Pose2::new(x, y, 0.7 + yaw), true);
                assert!(held && (end.yaw_rad - 0.7).abs() < 0.1, "{reverse} {end:?}");
            }
        }
    }

    #[test]
    fn a_charger_that_does_not_hold_is_left_again() {
        for reverse in [false, true] {
            let dock = Dock { charger: Pose2::new(1.0, 2.0, -2.0), reverse };
            let staging = dock.staging();
            let (end, held) = drive(dock, staging, false);
            assert!(!held && end.distance_to(staging.x_m, staging.y_m) < 0.06, "{end:?}");
        }
    }
}
