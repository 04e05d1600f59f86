//! Flat geometry: poses, angles, polygons. REP-103 axes, metres and radians.

use std::f64::consts::{PI, TAU};

/// Where something is on the floor and how it is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose2 {
    /// East of the origin, metres.
    pub x_m: f64,
    /// North of the origin, metres.
    pub y_m: f64,
    /// Counter-clockwise from +x, radians.
    pub yaw_rad: f64,
}

impl Pose2 {
    /// A pose.
    pub const fn new(x_m: f64, y_m: f64, yaw_rad: f64) -> Self {
        Self { x_m, y_m, yaw_rad }
    }

    /// A point given in this pose's frame, in the frame that this pose is given in.
    pub fn point_out(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        let (sin, cos) = self.yaw_rad.sin_cos();
        [self.x_m + cos * x_m - sin * y_m, self.y_m + sin * x_m + cos * y_m]
    }

    /// The reverse of [`Self::point_out`].
    pub fn point_in(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        let (sin, cos) = self.yaw_rad.sin_cos();
        let (dx, dy) = (x_m - self.x_m, y_m - self.y_m);
        [cos * dx + sin * dy, cos * dy - sin * dx]
    }

    /// This pose in a frame whose origin is at another pose.
    #[must_use]
    pub fn seen_from(&self, frame: Self) -> Self {
        let [x_m, y_m] = frame.point_in(self.x_m, self.y_m);
        Self::new(x_m, y_m, wrap_angle(self.yaw_rad - frame.yaw_rad))
    }

    /// The reverse of [`Self::seen_from`]: a pose given in a frame, where that frame's own pose is given.
    #[must_use]
    pub fn out_of(&self, frame: Self) -> Self {
        let [x_m, y_m] = frame.point_out(self.x_m, self.y_m);
        Self::new(x_m, y_m, wrap_angle(self.yaw_rad + frame.yaw_rad))
    }

    /// Distance to a point, metres.
    pub fn distance_to(&self, x_m: f64, y_m: f64) -> f64 {
        (self.x_m - x_m).hypot(self.y_m - y_m)
    }

    /// Whether every number is one.
    pub fn is_finite(&self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite() && self.yaw_rad.is_finite()
    }
}

/// The same direction in -π..=π.
pub fn wrap_angle(angle_rad: f64) -> f64 {
    let turned = (angle_rad + PI).rem_euclid(TAU) - PI;
    if turned == -PI { PI } else { turned }
}

/// Whether a point lies in a polygon (even-odd rule).
pub fn inside(polygon: &[[f64; 2]], x_m: f64, y_m: f64) -> bool {
    let mut within = false;
    let mut previous = polygon.len().wrapping_sub(1);
    for (i, [xi, yi]) in polygon.iter().enumerate() {
        let [xj, yj] = polygon[previous];
        if (*yi > y_m) != (yj > y_m) && x_m < (xj - xi) * (y_m - yi) / (yj - yi) + xi {
            within = !within;
        }
        previous = i;
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_inverses() {
        let pose = Pose2::new(1.0, -2.0, 0.7);
        let [x, y] = pose.point_out(0.3, 0.4);
        let [back_x, back_y] = pose.point_in(x, y);
        assert!((back_x - 0.3).abs() < 1e-12 && (back_y - 0.4).abs() < 1e-12);
        let there = Pose2::new(0.3, 0.4, -1.1);
        let and_back = there.out_of(pose).seen_from(pose);
        assert!(and_back.distance_to(0.3, 0.4) < 1e-12 && (and_back.yaw_rad + 1.1).abs() < 1e-12);
        assert!((pose.distance_to(x, y) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn angles_wrap() {
        assert!((wrap_angle(3.0 * PI) - PI).abs() < 1e-12);
        assert!((wrap_angle(-PI - 0.1) - (PI - 0.1)).abs() < 1e-12);
        assert_eq!(wrap_angle(0.5), 0.5);
    }

    #[test]
    fn polygons_may_be_hollow() {
        let u_shape =
            [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        assert!(inside(&u_shape, 0.5, 2.0));
        assert!(!inside(&u_shape, 1.5, 2.0));
        assert!(!inside(&[], 0.0, 0.0));
    }
}
