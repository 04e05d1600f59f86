//! The camera in the head: what is in its view, and the pictures that it takes.

use crate::bodies::CameraMode;
use crate::camera::Lens;
use crate::geometry::{Pose2, wrap_angle};

/// Half of the field of view to the sides, radians.
const HALF_VIEW_RAD: f64 = 0.7;

/// Half of the field of view up and down, radians (plausible).
const HALF_HEIGHT_RAD: f64 = 0.5;

/// Farthest face that is found, metres.
const FARTHEST_M: f64 = 5.0;

/// Height of the camera above the floor, metres (plausible).
pub(super) const CAMERA_HEIGHT_M: f64 = 0.3;

/// From the top of a person's head to the middle of the face, metres.
const FACE_BELOW_TOP_M: f64 = 0.12;

/// How far a face that steps before the camera on cue is above it: a person who bends down, metres.
const ABOVE_CAMERA_M: f64 = 0.25;

/// How it delivers until it is configured otherwise.
pub(super) const CAMERA_MODE: CameraMode =
    CameraMode { size_px: [640, 480], rate_hz: 10.0, max_rate_hz: 30.0, field_rad: 2.0 * HALF_VIEW_RAD };

/// How far the camera is ahead of the robot's middle, metres (plausible).
pub(super) const CAMERA_AHEAD_M: f64 = 0.05;

/// Where the camera looks.
pub(super) struct Camera {
    /// The robot.
    pub(super) pose: Pose2,
    /// Head to the left of the robot's ahead.
    pub(super) yaw_rad: f64,
    /// Head down.
    pub(super) pitch_rad: f64,
}

/// Where a face is, from the camera's axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sight {
    pub(super) bearing_rad: f64,
    pub(super) elevation_rad: f64,
    pub(super) distance_m: f64,
}

impl Camera {
    /// The pinhole that pictures are taken through.
    pub(super) fn lens(&self) -> Lens {
        let [x_m, y_m] = self.pose.point_out(CAMERA_AHEAD_M, 0.0);
        Lens {
            at_m: [x_m, y_m, CAMERA_HEIGHT_M],
            yaw_rad: self.pose.yaw_rad + self.yaw_rad,
            pitch_rad: self.pitch_rad,
            roll_rad: 0.0,
            width_px: 0,
            height_px: 0,
            field_rad: 0.0,
            distortion: None,
        }
    }

    /// The face of a person who came on cue: always at the right height.
    pub(super) fn sees(&self, at: [f64; 2]) -> Option<Sight> {
        self.look(at, ABOVE_CAMERA_M)
    }

    /// The face of a person who walks by; near ones are above the picture unless the head looks up.
    pub(super) fn sees_standing(&self, at: [f64; 2], height_m: f64) -> Option<Sight> {
        let sight = self.look(at, height_m - FACE_BELOW_TOP_M - CAMERA_HEIGHT_M)?;
        (sight.elevation_rad.abs() < HALF_HEIGHT_RAD).then_some(sight)
    }

    fn look(&self, [x, y]: [f64; 2], above_m: f64) -> Option<Sight> {
        let [ahead, left] = self.pose.point_in(x, y);
        let bearing_rad = wrap_angle(left.atan2(ahead) - self.yaw_rad);
        let distance_m = ahead.hypot(left);
        let elevation_rad = above_m.atan2(distance_m) + self.pitch_rad;
        (bearing_rad.abs() < HALF_VIEW_RAD && distance_m < FARTHEST_M).then_some(Sight {
            bearing_rad,
            elevation_rad,
            distance_m,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tall_face_needs_distance_or_a_head_that_looks_up() {
        let camera = |pitch_deg: f64| Camera {
            pose: Pose2::new(1.0, 1.0, 0.0),
            yaw_rad: 0.0,
            pitch_rad: pitch_deg.to_radians(),
        };
        assert!(camera(0.0).sees_standing([2.5, 1.0], 1.7).is_none(), "41 degrees up");
        assert!(camera(0.0).sees_standing([4.5, 1.0], 1.7).is_some(), "20 degrees up");
        assert!(camera(-30.0).sees_standing([2.5, 1.0], 1.7).is_some());
        assert!(camera(0.0).sees_standing([2.5, 1.0], 0.9).is_some(), "a child");
        assert!(camera(0.0).sees([2.5, 1.0]).is_some());
        assert!(camera(0.0).sees_standing([6.5, 1.0], 1.7).is_none(), "too far");
    }
}
