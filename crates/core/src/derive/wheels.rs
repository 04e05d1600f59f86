//! Wheels that turn as a pose moves, and how fast a pose changes.

use crate::clock::Timestamp;
use crate::frames::{Pose2, wrap_angle};
use crate::model::profile::Wheels;
use crate::model::signal::{Encoders, Frame, Pose, Velocity, WheelEncoder};

/// Wheels of a robot that declares none, or not their size.
const RADIUS_M: f64 = 0.05;
const GAP_M: f64 = 0.3;

/// A pose that changes by more than this at once was corrected: the robot did not go there.
const JUMP_M: f64 = 0.5;

/// Least time between two poses of which a speed is made.
const LEAST_S: f64 = 0.02;

/// Follows the poses of one robot in one frame.
#[derive(Debug, Default)]
pub(super) struct Track {
    last: Option<(Frame, Pose2, Timestamp)>,
    left_m: f64,
    right_m: f64,
}

/// What a robot did between two poses.
pub(super) struct Step {
    ahead_m: f64,
    turned_rad: f64,
    seconds: f64,
}

impl Track {
    /// What was done since the pose before; `None` if that is not known, or the pose is of another frame: dead reckoning counts, where
    /// there is some.
    pub(super) fn step(&mut self, pose: &Pose, at: Timestamp) -> Option<Step> {
        let here = Pose2::from(pose);
        let Some((frame, before, then)) = self.last else {
            self.last = Some((pose.frame, here, at));
            return None;
        };
        if frame != pose.frame && frame == Frame::Odom {
            return None;
        }
        let seconds = at.since(then).as_secs_f64();
        if frame == pose.frame && seconds < LEAST_S {
            return None;
        }
        self.last = Some((pose.frame, here, at));
        let turned_rad = wrap_angle(here.yaw_rad - before.yaw_rad);
        let middle = Pose2 { yaw_rad: before.yaw_rad + turned_rad / 2.0, ..before };
        let [ahead_m, left_m] = middle.point_in(here.x_m, here.y_m);
        let goes = frame == pose.frame && ahead_m.hypot(left_m) < JUMP_M;
        goes.then_some(Step { ahead_m, turned_rad, seconds })
    }

    /// The wheels after a step.
    pub(super) fn encoders(&mut self, step: &Step, wheels: Option<Wheels>) -> Encoders {
        let gap_m = wheels.map_or(GAP_M, |it| it.gap_m);
        let radius_m = wheels.and_then(|it| it.radius_m).unwrap_or(RADIUS_M);
        let sideways_m = step.turned_rad * gap_m / 2.0;
        let wheel = |total_m: &mut f64, went_m: f64| {
            *total_m += went_m;
            WheelEncoder {
                rotation_rad: Some(*total_m / radius_m),
                velocity_radps: Some(went_m / step.seconds / radius_m),
            }
        };
        Encoders {
            left: wheel(&mut self.left_m, step.ahead_m - sideways_m),
            right: wheel(&mut self.right_m, step.ahead_m + sideways_m),
        }
    }
}

impl Step {
    /// The speed during it.
    pub(super) fn velocity(&self) -> Velocity {
        Velocity::of(self.ahead_m / self.seconds, self.turned_rad / self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;
    use std::time::Duration;

    use super::*;

    fn at(tenths: u64) -> Timestamp {
        Timestamp::default().after(Duration::from_millis(100 * tenths))
    }

    #[test]
    fn a_metre_ahead_and_a_quarter_turn_turn_the_wheels() {
        let wheels = Some(Wheels { max_mps: 1.0, gap_m: 0.4, radius_m: Some(0.1) });
        let mut track = Track::default();
        let mut last = None;
        for i in 0..=10 {
            let pose = Pose::planar(Frame::Odom, 0.1 * i as f64, 0.0, 0.0);
            last = track.step(&pose, at(i)).map(|step| (track.encoders(&step, wheels), step.velocity()));
        }
        let (encoders, velocity) = last.unwrap();
        assert!((encoders.left.rotation_rad.unwrap() - 10.0).abs() < 1e-9, "{encoders:?}");
        assert!((encoders.right.velocity_radps.unwrap() - 10.0).abs() < 1e-6);
        assert!((velocity.linear_mps.unwrap() - 1.0).abs() < 1e-6);
        let turned = track.step(&Pose::planar(Frame::Odom, 1.0, 0.0, FRAC_PI_2), at(20)).unwrap();
        let encoders = track.encoders(&turned, wheels);
        let apart = encoders.right.rotation_rad.unwrap() - encoders.left.rotation_rad.unwrap();
        assert!((apart * 0.1 - FRAC_PI_2 * 0.4).abs() < 1e-9);
    }

    #[test]
    fn a_corrected_pose_is_no_way_and_another_frame_no_step() {
        let mut track = Track::default();
        assert!(track.step(&Pose::planar(Frame::Map, 0.0, 0.0, 0.0), at(0)).is_none());
        assert!(track.step(&Pose::planar(Frame::Map, 5.0, 0.0, 0.0), at(1)).is_none());
        assert!(track.step(&Pose::planar(Frame::Odom, 0.0, 0.0, 0.0), at(2)).is_none());
        assert!(track.step(&Pose::planar(Frame::Map, 5.1, 0.0, 0.0), at(3)).is_none(), "odometry counts");
        assert!(track.step(&Pose::planar(Frame::Odom, 0.1, 0.0, 0.0), at(4)).is_some());
    }
}
