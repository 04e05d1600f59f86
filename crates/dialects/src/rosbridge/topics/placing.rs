//! Where one frame is in another, in space: what `/tf` and `/tf_static` tell.

use latimer_core::model::signal::{Frame, Orientation, Pose};

/// A frame's origin and attitude in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::rosbridge) struct Placing {
    at_m: [f64; 3],
    /// The rows of its rotation.
    rows: [[f64; 3]; 3],
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Placing {
    /// At a place, turned by a quaternion; `None` if that is no attitude.
    pub(in crate::rosbridge) fn new(at_m: [f64; 3], [x, y, z, w]: [f64; 4]) -> Option<Self> {
        let length = (x * x + y * y + z * z + w * w).sqrt();
        if !(length.is_finite() && length > 0.0 && at_m.iter().all(|it| it.is_finite())) {
            return None;
        }
        let [x, y, z, w] = [x, y, z, w].map(|it| it / length);
        let rows = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Some(Self { at_m, rows })
    }

    /// A point of the frame, in its parent.
    pub(in crate::rosbridge) fn point_out(&self, point: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| self.at_m[axis] + dot(self.rows[axis], point))
    }

    /// Where it is in the frame in which its parent is.
    #[must_use]
    pub(in crate::rosbridge) fn out_of(&self, parent: &Self) -> Self {
        let column = |at: usize| self.rows.map(|row| row[at]);
        let rows = parent.rows.map(|row| std::array::from_fn(|at| dot(row, column(at))));
        Self { at_m: parent.point_out(self.at_m), rows }
    }

    /// Whether what points up in the frame points down in its parent.
    pub(in crate::rosbridge) fn is_upside_down(&self) -> bool {
        self.rows[2][2] < 0.0
    }

    /// The same as a pose in a frame of the model.
    pub(in crate::rosbridge) fn pose(&self, frame: Frame) -> Pose {
        let [x_m, y_m, z_m] = self.at_m;
        let Orientation { roll_rad, pitch_rad, yaw_rad } = Orientation {
            roll_rad: self.rows[2][1].atan2(self.rows[2][2]),
            pitch_rad: (-self.rows[2][0]).clamp(-1.0, 1.0).asin(),
            yaw_rad: self.rows[1][0].atan2(self.rows[0][0]),
        };
        Pose { frame, x_m, y_m, z_m, roll_rad, pitch_rad, yaw_rad }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_1_SQRT_2;

    use super::*;

    #[test]
    fn frames_in_frames_are_as_their_points() {
        // A camera looks ahead, and its lens counts depth along z.
        let camera = Placing::new([0.1, 0.0, 0.2], [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2]).unwrap();
        let lens = Placing::new([0.0, 0.05, 0.0], [-0.5, 0.5, -0.5, 0.5]).unwrap();
        let whole = lens.out_of(&camera);
        let (one, other) =
            (whole.point_out([0.0, 0.0, 2.0]), camera.point_out(lens.point_out([0.0, 0.0, 2.0])));
        for (is, should) in one.iter().zip([0.05, 2.0, 0.2]) {
            assert!((is - should).abs() < 1e-9, "{one:?}");
        }
        assert!(one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-12));
        let pose = camera.pose(Frame::BaseLink);
        assert!((pose.yaw_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-9 && pose.roll_rad.abs() < 1e-9);
        assert!(Placing::new([0.0; 3], [1.0, 0.0, 0.0, 0.0]).unwrap().is_upside_down());
        assert_eq!(Placing::new([0.0; 3], [0.0; 4]), None);
    }
}
