//! Where it is: the camera above the arena, and the compass.

use latimer_core::model::Kind;
use latimer_core::model::signal::{Frame, Imu, Orientation, Pose};

use super::parts::{COMPASS_SIGMA_RAD, POSE_SIGMA};
use crate::bodies::moment::Moment;
use crate::geometry::wrap_angle;
use crate::physics::Surroundings;

/// Steps between two reports of either: 10 a second.
const PERIOD: u64 = 10;

/// Reports both, in the frame of the robot's arena.
pub(super) fn publish(now: &mut Moment<'_>, around: &Surroundings<'_>) {
    let (publishes_pose, publishes_compass) = (now.due(Kind::Pose, PERIOD), now.due(Kind::Imu, PERIOD));
    if !(publishes_pose || publishes_compass) {
        return;
    }
    let at = around.in_frame(around.pose);
    if publishes_pose {
        let [sigma_m, sigma_rad] = POSE_SIGMA;
        let (x_m, y_m) = (at.x_m + now.rng.normal(sigma_m), at.y_m + now.rng.normal(sigma_m));
        let yaw_rad = wrap_angle(at.yaw_rad + now.rng.normal(sigma_rad));
        now.reports.publish(Pose::planar(Frame::Map, x_m, y_m, yaw_rad));
    }
    if publishes_compass {
        let yaw_rad = wrap_angle(at.yaw_rad + now.rng.normal(COMPASS_SIGMA_RAD));
        let orientation = Orientation { roll_rad: 0.0, pitch_rad: 0.0, yaw_rad };
        now.reports.publish(Imu {
            orientation: Some(orientation),
            angular_velocity: None,
            linear_acceleration: None,
        });
    }
}
