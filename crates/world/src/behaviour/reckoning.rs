//! Dead reckoning on the map without localisation: from where it was set down, by its own
//! wheels and gyroscope. It drifts, as any robot without localisation does.

use super::Senses;
use crate::geometry::{Pose2, wrap_angle};

/// The belief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reckoning {
    pose: Pose2,
    /// Way and heading of the robot's own senses at that pose.
    at: Option<(f64, f64)>,
}

impl Reckoning {
    /// A robot that was just set down.
    pub(crate) fn at(pose: Pose2) -> Self {
        Self { pose, at: None }
    }

    /// Feels how it went on.
    pub(crate) fn feel(&mut self, senses: &Senses) {
        if let Some((travelled_m, yaw_rad)) = self.at {
            let way_m = senses.travelled_m - travelled_m;
            let turn_rad = wrap_angle(senses.yaw_rad - yaw_rad);
            let (sin, cos) = (self.pose.yaw_rad + turn_rad / 2.0).sin_cos();
            self.pose = Pose2::new(
                self.pose.x_m + way_m * cos,
                self.pose.y_m + way_m * sin,
                wrap_angle(self.pose.yaw_rad + turn_rad),
            );
        }
        self.at = Some((senses.travelled_m, senses.yaw_rad));
    }

    /// A pose was given from outside.
    pub(crate) fn correct(&mut self, pose: Pose2) {
        self.pose = pose;
    }

    /// Where it believes to be.
    pub(crate) fn pose(&self) -> Pose2 {
        self.pose
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_by_wheels_and_gyroscope_comes_home() {
        let mut reckoning = Reckoning::at(Pose2::new(2.0, 1.0, 0.5));
        let mut senses = Senses { yaw_rad: -1.0, ..Senses::default() };
        for _ in 0..=1_000 {
            reckoning.feel(&senses);
            senses.travelled_m += 0.002;
            senses.yaw_rad = wrap_angle(senses.yaw_rad + std::f64::consts::TAU / 1_000.0);
        }
        assert!(reckoning.pose().distance_to(2.0, 1.0) < 1e-3, "{reckoning:?}");
    }
}
