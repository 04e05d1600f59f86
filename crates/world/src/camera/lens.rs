//! A camera: where it is, where it looks, and which pixel a point of the world falls on.

use super::distortion::Distortion;
use super::vector::{Vector, add, dot, scale, sub};

/// Most pixels a side.
pub const MAX_SIDE_PX: u32 = 4_096;

/// Fields of view that a pinhole can have, radians; near π a picture would be all rim.
const FIELDS_RAD: std::ops::RangeInclusive<f64> = 0.01..=3.0;

/// What is nearer than this is not seen, metres.
pub(super) const NEAR_M: f64 = 0.02;

/// Farthest place and greatest angle that a camera may have; beyond, nothing of a world is left to see.
const MAX_NUMBER: f64 = 1e6;

/// A pinhole camera, or one whose lens bends what a pinhole would show, and how it is held. REP-103: x forward, y left, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Where the pinhole is, on the map and above the floor, metres.
    pub at_m: [f64; 3],
    /// Turned to the left, radians.
    pub yaw_rad: f64,
    /// Tipped forward: positive looks down, radians.
    pub pitch_rad: f64,
    /// Tilted about its own axis: positive lifts its left side, radians.
    pub roll_rad: f64,
    /// Pixels a row.
    pub width_px: u32,
    /// Rows.
    pub height_px: u32,
    /// How much the middle row sees from its left to its right end, radians.
    pub field_rad: f64,
    /// How the lens bends what a pinhole would show, if it does.
    pub distortion: Option<Distortion>,
}

/// Why a camera takes no picture.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LensError {
    /// Where it is or looks is no number that means a place.
    #[error("the camera's place and attitude must be numbers below a million")]
    Pose,
    /// Nothing to see or too much to keep.
    #[error("a picture of {width_px} × {height_px} pixels cannot be taken; a side has 1 to {MAX_SIDE_PX}")]
    Size {
        /// Pixels.
        width_px: u32,
        /// Pixels.
        height_px: u32,
    },
    /// A pinhole cannot see that much.
    #[error("a pinhole camera cannot see {field_rad} rad; give 0.01 to 3")]
    Field {
        /// Radians.
        field_rad: f64,
    },
}

/// A lens made ready for work: its axes in the world and its scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) origin: Vector,
    pub(super) forward: Vector,
    pub(super) right: Vector,
    pub(super) down: Vector,
    /// Pixels that a thing one metre wide covers in one metre's distance.
    pub(super) focal_px: f64,
    pub(super) middle_px: [f64; 2],
}

impl Lens {
    /// Where a point falls, in pixels from the upper left corner; nothing if it is behind the camera.
    ///
    /// The middle of the first pixel is at 0.5, 0.5.
    pub fn project(&self, point_m: [f64; 3]) -> Option<[f64; 2]> {
        let view = self.view().ok()?;
        let seen = view.turn(point_m);
        (seen[2] >= NEAR_M).then(|| self.bent(view.project(seen)))
    }

    /// Where the lens shows what a pinhole shows at a place, pixels.
    fn bent(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let Some(distortion) = self.distortion else { return [x, y] };
        let (width, height) = (f64::from(self.width_px), f64::from(self.height_px));
        let (across, down) = ((x - width / 2.0) / width, (y - height / 2.0) / width);
        let u = across.hypot(down);
        let scale = if u > 0.0 { distortion.bent(u) / u * width } else { 0.0 };
        [width / 2.0 + across * scale, height / 2.0 + down * scale]
    }

    /// Pixels that a thing one metre wide covers in one metre's distance, without distortion.
    pub fn focal_px(&self) -> f64 {
        f64::from(self.width_px) / 2.0 / (self.field_rad / 2.0).tan()
    }

    pub(super) fn view(&self) -> Result<View, LensError> {
        let Self {
            at_m: [x, y, z],
            yaw_rad,
            pitch_rad,
            roll_rad,
            width_px,
            height_px,
            field_rad,
            distortion: _,
        } = *self;
        if ![x, y, z, yaw_rad, pitch_rad, roll_rad].iter().all(|number| number.abs() < MAX_NUMBER) {
            return Err(LensError::Pose);
        }
        if !(1..=MAX_SIDE_PX).contains(&width_px) || !(1..=MAX_SIDE_PX).contains(&height_px) {
            return Err(LensError::Size { width_px, height_px });
        }
        if !FIELDS_RAD.contains(&field_rad) {
            return Err(LensError::Field { field_rad });
        }
        let (sin_yaw, cos_yaw) = yaw_rad.sin_cos();
        let (sin_pitch, cos_pitch) = pitch_rad.sin_cos();
        let (sin_roll, cos_roll) = roll_rad.sin_cos();
        let left = [-sin_yaw, cos_yaw, 0.0];
        let up = [cos_yaw * sin_pitch, sin_yaw * sin_pitch, cos_pitch];
        Ok(View {
            origin: self.at_m,
            forward: [cos_yaw * cos_pitch, sin_yaw * cos_pitch, -sin_pitch],
            right: scale(add(scale(left, cos_roll), scale(up, sin_roll)), -1.0),
            down: scale(add(scale(up, cos_roll), scale(left, -sin_roll)), -1.0),
            focal_px: self.focal_px(),
            middle_px: [f64::from(width_px) / 2.0, f64::from(height_px) / 2.0],
        })
    }
}

impl View {
    /// A point by the camera's own axes: right, down, ahead.
    pub(super) fn turn(&self, point: Vector) -> Vector {
        let from = sub(point, self.origin);
        [dot(from, self.right), dot(from, self.down), dot(from, self.forward)]
    }

    /// The pixel of a point that is given by the camera's own axes and is ahead.
    pub(super) fn project(&self, [right, down, ahead]: Vector) -> [f64; 2] {
        let [x, y] = self.middle_px;
        [x + self.focal_px * right / ahead, y + self.focal_px * down / ahead]
    }

    /// What one over the distance ahead is on a plane, as factors of column, row and one.
    ///
    /// It is linear over the picture, which is why no perspective needs to be interpolated. Planes with
    /// the same normal and height get the same bits, so that a rug on the floor does not flicker.
    pub(super) fn inverse_depth(&self, normal: Vector, on_plane: Vector) -> [f64; 3] {
        let height = dot(normal, sub(on_plane, self.origin));
        let column = dot(normal, self.right) / self.focal_px / height;
        let row = dot(normal, self.down) / self.focal_px / height;
        let [x, y] = self.middle_px;
        [column, row, dot(normal, self.forward) / height - column * x - row * y]
    }

    /// The direction through a point of the picture, as long as it goes one metre ahead.
    pub(super) fn ray(&self, x_px: f64, y_px: f64) -> Vector {
        let [x, y] = self.middle_px;
        let (u, v) = ((x_px - x) / self.focal_px, (y_px - y) / self.focal_px);
        add(self.forward, add(scale(self.right, u), scale(self.down, v)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens() -> Lens {
        Lens {
            at_m: [1.0, 2.0, 0.5],
            yaw_rad: 0.0,
            pitch_rad: 0.0,
            roll_rad: 0.0,
            width_px: 200,
            height_px: 100,
            field_rad: std::f64::consts::FRAC_PI_2,
            distortion: None,
        }
    }

    fn near([x, y]: [f64; 2], [u, v]: [f64; 2]) -> bool {
        (x - u).abs() < 1e-9 && (y - v).abs() < 1e-9
    }

    #[test]
    fn axes_are_those_of_rep_103() {
        let ahead = lens().project([3.0, 2.0, 0.5]).unwrap();
        assert!(near(ahead, [100.0, 50.0]));
        let left_and_up = lens().project([3.0, 3.0, 0.7]).unwrap();
        assert!(near(left_and_up, [50.0, 40.0]), "{left_and_up:?}");
        assert_eq!(lens().project([0.0, 2.0, 0.5]), None);
        let down = Lens { pitch_rad: 0.3, ..lens() }.project([3.0, 2.0, 0.5]).unwrap();
        assert!(down[1] < 50.0, "what was in the middle is higher when the camera tips forward");
        let rolled = Lens { roll_rad: 0.3, ..lens() }.project([3.0, 3.0, 0.5]).unwrap();
        assert!(rolled[1] > 50.0, "a lifted left side sees what is on the left lower");
    }

    #[test]
    fn senseless_cameras_are_refused() {
        for broken in [f64::NAN, f64::INFINITY, 1e9] {
            assert_eq!(Lens { yaw_rad: broken, ..lens() }.view().unwrap_err(), LensError::Pose);
        }
        for side in [0, MAX_SIDE_PX + 1, u32::MAX] {
            assert!(matches!(Lens { width_px: side, ..lens() }.view(), Err(LensError::Size { .. })));
        }
        for field_rad in [0.0, -1.0, 3.2, f64::NAN] {
            assert!(matches!(Lens { field_rad, ..lens() }.view(), Err(LensError::Field { .. })));
        }
    }
}
