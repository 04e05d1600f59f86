//! What a laser scanner measures, as in `sensor_msgs/LaserScan`.

use super::{Frame, Pose};
use crate::frames::Pose2;
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
    /// A turn without a ray.
    pub const NONE: Self = Self {
        angle_min_rad: 0.0,
        angle_increment_rad: 0.0,
        range_min_m: 0.0,
        range_max_m: 0.0,
        ranges_m: Vec::new(),
        pose: None,
    };

    /// Direction and length of each ray, in the scanner's frame.
    pub fn rays(&self) -> impl Iterator<Item = (f64, f32)> {
        let angle = |ray: usize| self.angle_min_rad + ray as f64 * self.angle_increment_rad;
        self.ranges_m.iter().enumerate().map(move |(ray, range_m)| (angle(ray), *range_m))
    }

    /// Where the rays met something, for a scanner at a pose, in the frame of that pose.
    pub fn points(&self, scanner: Pose2) -> impl Iterator<Item = [f64; 2]> {
        self.rays().filter(|(_, range_m)| range_m.is_finite()).map(move |(angle_rad, range_m)| {
            let (sin, cos) = angle_rad.sin_cos();
            scanner.point_out(f64::from(range_m) * cos, f64::from(range_m) * sin)
        })
    }

    /// The same on the map; nothing if the robot does not know where it is.
    pub fn points_m(&self) -> impl Iterator<Item = [f64; 2]> {
        self.pose.iter().flat_map(|pose| self.points(pose.into()))
    }
}
