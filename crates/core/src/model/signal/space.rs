//! Places, directions and rates, in REP-103 axes and REP-105 frames.

use crate::model::record::record;

use super::Frame;

record! {
    /// A position.
    pub struct Point {
        /// Forward, or east of the map's origin.
        pub x_m: f64,
        /// Left, or north of the map's origin.
        pub y_m: f64,
        /// Up.
        pub z_m: f64,
    }
}

record! {
    /// An attitude as fixed-axis roll, pitch, yaw.
    pub struct Orientation {
        /// About x; positive tips to the right.
        pub roll_rad: f64,
        /// About y; positive tips forward.
        pub pitch_rad: f64,
        /// About z; counter-clockwise.
        pub yaw_rad: f64,
    }
}

impl Orientation {
    /// The same as a unit quaternion: x, y, z, w.
    pub fn to_quaternion(&self) -> [f64; 4] {
        let (sr, cr) = (self.roll_rad / 2.0).sin_cos();
        let (sp, cp) = (self.pitch_rad / 2.0).sin_cos();
        let (sy, cy) = (self.yaw_rad / 2.0).sin_cos();
        [
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    }

    /// The attitude that a quaternion of any length stands for; `None` if it has none.
    pub fn from_quaternion([x, y, z, w]: [f64; 4]) -> Option<Self> {
        let length = (x * x + y * y + z * z + w * w).sqrt();
        if !length.is_finite() || length == 0.0 {
            return None;
        }
        let [x, y, z, w] = [x / length, y / length, z / length, w / length];
        Some(Self {
            roll_rad: (2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
            pitch_rad: (2.0 * (w * y - z * x)).clamp(-1.0, 1.0).asin(),
            yaw_rad: (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)),
        })
    }
}

record! {
    /// Turn rates about the body's axes.
    pub struct AngularRate {
        /// About x.
        pub x_radps: f64,
        /// About y.
        pub y_radps: f64,
        /// About z; counter-clockwise.
        pub z_radps: f64,
    }
}

record! {
    /// Accelerations along the body's axes; at rest `z_mps2` is about +9.81 (REP-145).
    pub struct Accel {
        /// Forward.
        pub x_mps2: f64,
        /// Left.
        pub y_mps2: f64,
        /// Up.
        pub z_mps2: f64,
    }
}

record! {
    /// Where something is and how it is turned.
    pub struct Pose {
        /// The frame of the coordinates: a word, or the name of a frame of the tree if one was asked for.
        pub frame: Frame,
        /// Forward, or east of the map's origin.
        pub x_m: f64,
        /// Left, or north of the map's origin.
        pub y_m: f64,
        /// Up.
        pub z_m: f64,
        /// About x; positive tips to the right.
        pub roll_rad: f64,
        /// About y; positive tips forward.
        pub pitch_rad: f64,
        /// About z; counter-clockwise.
        pub yaw_rad: f64,
    }
}

impl Pose {
    /// A pose on level ground.
    pub const fn planar(frame: Frame, x_m: f64, y_m: f64, yaw_rad: f64) -> Self {
        Self { frame, x_m, y_m, z_m: 0.0, roll_rad: 0.0, pitch_rad: 0.0, yaw_rad }
    }
}

record! {
    /// How big something is, along its own axes.
    pub struct Size {
        /// Along x.
        pub length_m: f64,
        /// Along y.
        pub width_m: f64,
        /// Along z, if known.
        pub height_m: Option<f64>,
    }
}

impl Size {
    /// An outline on the floor.
    pub const fn flat(length_m: f64, width_m: f64) -> Self {
        Self { length_m, width_m, height_m: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attitude_comes_back_from_its_quaternion() {
        let attitude = Orientation { roll_rad: 0.3, pitch_rad: -0.7, yaw_rad: 2.9 };
        let back = Orientation::from_quaternion(attitude.to_quaternion().map(|it| it * 3.0)).expect("a turn");
        for (is, was) in [
            (back.roll_rad, attitude.roll_rad),
            (back.pitch_rad, attitude.pitch_rad),
            (back.yaw_rad, attitude.yaw_rad),
        ] {
            assert!((is - was).abs() < 1e-12, "{back:?}");
        }
        assert_eq!(Orientation::from_quaternion([0.0; 4]), None);
        assert_eq!(Orientation::from_quaternion([f64::NAN; 4]), None);
    }
}
