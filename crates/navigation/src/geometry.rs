//! Flat geometry: poses, angles, polygons. REP-103 axes, metres and radians.

pub use latimer_core::frames::{Pose2, wrap_angle};

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
    fn polygons_may_be_hollow() {
        let u_shape =
            [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        assert!(inside(&u_shape, 0.5, 2.0));
        assert!(!inside(&u_shape, 1.5, 2.0));
        assert!(!inside(&[], 0.0, 0.0));
    }
}
