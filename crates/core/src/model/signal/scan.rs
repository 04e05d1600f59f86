//! What a laser scanner measures, as in `sensor_msgs/LaserScan`.

use super::{Frame, Pose};
use crate::model::record::record;

record! {
    /// One turn of a scanner.
    pub struct Scan {
        /// Bearing of the first ray from the scanner's x axis; counter-clockwise.
        pub angle_min_rad: f64,
        /// From one ray to the next.
        pub angle_increment_rad: f64,
        /// Nearest distance measured.
        pub range_min_m: f64,
        /// Farthest distance measured.
        pub range_max_m: f64,
        /// Distances; `+inf` if nothing was met, `-inf` if it was too near (REP-117).
        pub ranges_m: Vec<f32>,
        /// Where the scanner was, if the robot knows that.
        pub pose: Option<Pose>,
    }
}

record! {
    /// Points that a scanner or a depth camera met.
    pub struct PointCloud {
        /// The frame of the points.
        pub frame: Frame,
        /// Points, each `[x, y, z]` in metres.
        pub points_m: Vec<[f64; 3]>,
    }
}

impl Scan {
    /// Where the rays met something, on the map; nothing if the robot does not know where it is.
    pub fn points_m(&self) -> impl Iterator<Item = [f64; 2]> {
        self.pose.iter().flat_map(|pose| {
            self.ranges_m.iter().enumerate().filter(|(_, range)| range.is_finite()).map(|(ray, range)| {
                let (sin, cos) =
                    (pose.yaw_rad + self.angle_min_rad + ray as f64 * self.angle_increment_rad).sin_cos();
                let range_m = f64::from(*range);
                [pose.x_m + range_m * cos, pose.y_m + range_m * sin]
            })
        })
    }
}
