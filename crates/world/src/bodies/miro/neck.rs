//! Where the head is and how it is turned, from the angles of four joints: pure geometry.
//!
//! ```text
//!  foot ──tilt──▶ body ──lift──▶ neck ──yaw──▶ gimbal ──pitch──▶ head
//!        about y        about y        about z          about y
//! ```

use super::parts::{EYE_DIVERGENCE_RAD, EYE_ELEVATION_RAD, LIFT_AT_M, RIGHT_EYE_M, TILT_AT_M, YAW_AT_M};

/// Axes of a link, each a column, in the foot's axes.
pub(super) type Turn = [[f64; 3]; 3];

/// Not turned at all.
pub(super) const LEVEL: Turn = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Angles of the joints, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angles {
    pub(super) tilt: f64,
    pub(super) lift: f64,
    pub(super) yaw: f64,
    pub(super) pitch: f64,
}

/// A link: where it begins and how it is turned, in the foot's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) at_m: [f64; 3],
    pub(super) turn: Turn,
}

/// A rotation about y: positive tips forward.
pub(super) fn about_y(angle_rad: f64) -> Turn {
    let (sin, cos) = angle_rad.sin_cos();
    [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]]
}

/// A rotation about z: positive turns left.
fn about_z(angle_rad: f64) -> Turn {
    let (sin, cos) = angle_rad.sin_cos();
    [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]
}

fn product(a: Turn, b: Turn) -> Turn {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum()))
}

impl Link {
    const FOOT: Self = Self { at_m: [0.0; 3], turn: LEVEL };

    /// The link that begins at a point of this one and is turned against it.
    fn next(self, at_m: [f64; 3], turn: Turn) -> Self {
        Self { at_m: self.point_out(at_m), turn: product(self.turn, turn) }
    }

    /// A point of this link in the foot's axes.
    pub(super) fn point_out(&self, point_m: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|row| {
            self.at_m[row] + (0..3).map(|k| self.turn[row][k] * point_m[k]).sum::<f64>()
        })
    }

    /// A point of the foot's axes in those of this link.
    pub(super) fn point_in(&self, point_m: [f64; 3]) -> [f64; 3] {
        let off: [f64; 3] = std::array::from_fn(|i| point_m[i] - self.at_m[i]);
        std::array::from_fn(|column| (0..3).map(|row| self.turn[row][column] * off[row]).sum())
    }

    /// Its axes when the whole robot is tipped forward.
    pub(super) fn tipped(&self, by_rad: f64) -> Turn {
        product(about_y(by_rad), self.turn)
    }

    /// Where it looks, a direction of length 1 in the foot's axes.
    pub(super) fn forward(&self) -> [f64; 3] {
        self.turn.map(|row| row[0])
    }

    /// Roll, pitch and yaw about fixed axes, in the foot's axes.
    pub(super) fn roll_pitch_yaw(&self) -> [f64; 3] {
        let [[xx, ..], [yx, ..], [zx, zy, zz]] = self.turn;
        [zy.atan2(zz), (-zx).clamp(-1.0, 1.0).asin(), yx.atan2(xx)]
    }
}

/// All links: foot, body, neck, gimbal, head.
pub(super) fn links(angles: Angles) -> [Link; 5] {
    let body = Link::FOOT.next(TILT_AT_M, about_y(angles.tilt));
    let neck = body.next(LIFT_AT_M, about_y(angles.lift));
    let gimbal = neck.next(YAW_AT_M, about_z(angles.yaw));
    [Link::FOOT, body, neck, gimbal, gimbal.next([0.0; 3], about_y(angles.pitch))]
}

/// The head.
pub(super) fn head(angles: Angles) -> Link {
    let [.., head] = links(angles);
    head
}

/// An eye, left or right, of a head.
pub(super) fn eye(head: Link, left: bool) -> Link {
    let (at_m, yaw_rad, pitch_rad) = eye_in_head(left);
    head.next(at_m, product(about_z(yaw_rad), about_y(pitch_rad)))
}

/// Where an eye is in the head's axes, turned to the left and then tipped forward.
pub(super) fn eye_in_head(left: bool) -> ([f64; 3], f64, f64) {
    let [x, y, z] = RIGHT_EYE_M;
    let (y, outward) = if left { (-y, EYE_DIVERGENCE_RAD) } else { (y, -EYE_DIVERGENCE_RAD) };
    ([x, y, z], outward, -EYE_ELEVATION_RAD)
}

#[cfg(test)]
mod tests {
    use super::super::parts::{JOINTS, NOSE_M};
    use super::*;

    fn first() -> Angles {
        let [tilt, lift, yaw, pitch] = JOINTS.map(|(_, _, _, first, _)| first.to_radians());
        Angles { tilt, lift, yaw, pitch }
    }

    fn near(found_m: [f64; 3], expected_mm: [f64; 3]) {
        for (found, expected) in found_m.into_iter().zip(expected_mm) {
            assert!((found * 1_000.0 - expected).abs() < 0.05, "{found_m:?}, not {expected_mm:?}");
        }
    }

    #[test]
    fn at_first_the_head_is_level_and_the_published_points_are_where_they_belong() {
        // Tilt -5 and lift 17 lean the neck 12 degrees forward; pitch -12 levels the head again.
        let head = head(first());
        let (sin_5, cos_5) = 5_f64.to_radians().sin_cos();
        let (sin_12, cos_12) = 12_f64.to_radians().sin_cos();
        let x = 2.2 * cos_5 - 35.7 * sin_5 + 120.1 * sin_12;
        let z = 45.0 + 2.2 * sin_5 + 35.7 * cos_5 + 120.1 * cos_12;
        near(head.at_m, [x, 0.0, z]);
        assert!((x - 24.05).abs() < 0.01 && (z - 198.23).abs() < 0.01, "reckoned by hand: {x} {z}");
        near(head.point_out(NOSE_M), [x + 99.4, 0.0, z + 25.0]);
        near(head.point_in(head.point_out(NOSE_M)), [99.4, 0.0, 25.0]);
        near(eye(head, false).at_m, [x + 37.7, -43.1, z + 56.8]);
        near(eye(head, true).at_m, [x + 37.7, 43.1, z + 56.8]);
        let [roll, pitch, yaw] = head.roll_pitch_yaw();
        assert!(roll.abs() < 1e-9 && pitch.abs() < 1e-9 && yaw.abs() < 1e-9);
    }

    #[test]
    fn eyes_look_up_and_outward() {
        let right = eye(head(first()), false);
        let [_, pitch, yaw] = right.roll_pitch_yaw();
        assert!((pitch + 45_f64.to_radians()).abs() < 1e-9 && (yaw + 27_f64.to_radians()).abs() < 1e-8);
        let [_, _, up] = right.forward();
        assert!((up - 0.5_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn turning_left_and_nodding_move_the_nose_left_and_down() {
        let turned = head(Angles { yaw: 1.0, ..first() });
        assert!(turned.point_out(NOSE_M)[1] > 0.07);
        let nods = head(Angles { lift: 1.0, ..first() });
        assert!(nods.point_out(NOSE_M)[2] < head(first()).point_out(NOSE_M)[2] - 0.05);
        assert!(nods.forward()[2] < -0.5);
    }
}
