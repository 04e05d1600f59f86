//! The camera on the mast: the pictures that it takes, for subscribers.

use super::parts::{CAMERA_HEIGHT_M, HALF_VIEW_RAD};
use crate::bodies::CameraMode;
use crate::camera::Lens;
use crate::geometry::Pose2;

/// How it delivers until it is configured otherwise (plausible).
pub(super) const CAMERA_MODE: CameraMode =
    CameraMode { size_px: [640, 480], rate_hz: 10.0, max_rate_hz: 30.0, field_rad: 2.0 * HALF_VIEW_RAD };

/// How far the camera is ahead of the robot's middle, metres (plausible).
pub(super) const AHEAD_M: f64 = 0.1;

/// How far it looks down, so that what lies on a table is in the picture, radians (plausible).
const DOWN_RAD: f64 = 0.35;

/// The pinhole that pictures are taken through, of a robot at a pose.
pub(super) fn lens(robot: Pose2) -> Lens {
    let [x_m, y_m] = robot.point_out(AHEAD_M, 0.0);
    Lens {
        at_m: [x_m, y_m, CAMERA_HEIGHT_M],
        yaw_rad: robot.yaw_rad,
        pitch_rad: DOWN_RAD,
        roll_rad: 0.0,
        width_px: 0,
        height_px: 0,
        field_rad: 0.0,
        distortion: None,
    }
}
