//! Dead reckoning: where the tracks say that the robot went. Drifts, never jumps (REP-105 `odom`).

use crate::geometry::{Pose2, wrap_angle};

/// The estimate, starting at the origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Odometry {
    /// Where it believes to be.
    pub pose: Pose2,
    /// Way of the middle, backwards counted negative, metres.
    pub travelled_m: f64,
}

impl Odometry {
    /// The tracks, left and right and so far apart, ran at these speeds for a step.
    pub fn roll(&mut self, [left, right]: [f64; 2], gap_m: f64, step_s: f64) {
        let way = (left + right) / 2.0 * step_s;
        let turn = (right - left) / gap_m * step_s;
        self.advance(way, turn);
    }

    /// It went so far, metres, and turned so much meanwhile, radians.
    pub fn advance(&mut self, way_m: f64, turn_rad: f64) {
        // Half of the turn is done before, half after the way: exact for a circle to second order.
        let (sin, cos) = (self.pose.yaw_rad + turn_rad / 2.0).sin_cos();
        self.pose.x_m += way_m * cos;
        self.pose.y_m += way_m * sin;
        self.pose.yaw_rad = wrap_angle(self.pose.yaw_rad + turn_rad);
        self.travelled_m += way_m;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_circle_comes_home() {
        let mut odometry = Odometry::default();
        // Radius 0.5 m, gap 0.2 m: the tracks run on circles of 0.4 and 0.6 m.
        let steps = 1_000;
        let step_s = std::f64::consts::TAU / f64::from(steps);
        for _ in 0..steps {
            odometry.roll([0.4, 0.6], 0.2, step_s);
        }
        assert!(odometry.pose.distance_to(0.0, 0.0) < 1e-3, "{odometry:?}");
        assert!((odometry.travelled_m - std::f64::consts::PI).abs() < 1e-9);
    }
}
