//! What the robot is about to do: the same navigator, driven ahead of time.

use super::Navigator;
use super::words::{Believed, State};
use crate::Speeds;
use crate::Terrain;
use crate::geometry::{Pose2, wrap_angle};

/// How far ahead it looks, seconds, and in what steps.
const STEPS: u32 = 30;
const STEP_S: f64 = 0.1;

impl Navigator {
    /// The poses that it will have one after another, the present one first, as long as nothing changes and
    /// the wheels follow their commands; none if it does not drive now.
    pub fn forecast(&self, at: &Believed, terrain: &Terrain<'_>) -> Vec<Pose2> {
        if !matches!(self.state, State::Moving | State::TurningToGoal | State::Docking) {
            return Vec::new();
        }
        let (mut ahead, mut at, mut poses) = (self.clone(), *at, vec![at.pose]);
        for _ in 0..STEPS {
            // No time passes, so that it neither gets impatient nor looks for other ways.
            let (Speeds { linear_mps, angular_radps }, progress) = ahead.drive(&at, terrain);
            if !progress.state.is_active() || progress.state == State::Planning {
                break;
            }
            let turn_rad = angular_radps * STEP_S;
            let (sin, cos) = (at.pose.yaw_rad + turn_rad / 2.0).sin_cos();
            let way_m = linear_mps * STEP_S;
            at.pose = Pose2::new(
                at.pose.x_m + way_m * cos,
                at.pose.y_m + way_m * sin,
                wrap_angle(at.pose.yaw_rad + turn_rad),
            );
            if way_m != 0.0 || turn_rad != 0.0 {
                poses.push(at.pose);
            }
        }
        poses
    }
}
