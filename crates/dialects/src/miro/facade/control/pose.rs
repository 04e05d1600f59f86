//! Poses on the floor.

use std::f64::consts::{PI, TAU};

/// Where something is and how it is turned, metres and radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Flat {
    pub(super) x_m: f64,
    pub(super) y_m: f64,
    pub(super) yaw_rad: f64,
}

impl Flat {
    /// A pose given in the frame of this one, in the frame of this one's own numbers.
    pub(super) fn out(self, pose: Self) -> Self {
        let (sin, cos) = self.yaw_rad.sin_cos();
        Self {
            x_m: self.x_m + cos * pose.x_m - sin * pose.y_m,
            y_m: self.y_m + sin * pose.x_m + cos * pose.y_m,
            yaw_rad: wrapped(self.yaw_rad + pose.yaw_rad),
        }
    }

    pub(super) fn distance_to(self, other: Self) -> f64 {
        (other.x_m - self.x_m).hypot(other.y_m - self.y_m)
    }

    /// The direction of another place, counter-clockwise from +x.
    pub(super) fn bearing_to(self, other: Self) -> f64 {
        (other.y_m - self.y_m).atan2(other.x_m - self.x_m)
    }

    pub(super) fn is_finite(self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite() && self.yaw_rad.is_finite()
    }
}

/// The same direction in -π..=π.
pub(super) fn wrapped(angle_rad: f64) -> f64 {
    let turned = (angle_rad + PI).rem_euclid(TAU) - PI;
    if turned == -PI { PI } else { turned }
}
