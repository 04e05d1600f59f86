//! What a scanner measures in one turn.

use crate::geometry::Pose2;

/// One turn of a scanner, in its own frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// Direction of the first ray.
    pub angle_min_rad: f64,
    /// From one ray to the next.
    pub angle_increment_rad: f64,
    /// Nearest distance measured, metres.
    pub range_min_m: f64,
    /// Farthest distance measured, metres.
    pub range_max_m: f64,
    /// Distances, metres; by REP-117 `-inf` is too near to measure and `+inf` met nothing.
    pub ranges_m: Vec<f32>,
}

impl Scan {
    /// Direction and length of each ray, in the scanner's frame.
    pub fn rays(&self) -> impl Iterator<Item = (f64, f32)> {
        let angle = |ray: usize| self.angle_min_rad + ray as f64 * self.angle_increment_rad;
        self.ranges_m.iter().enumerate().map(move |(ray, range_m)| (angle(ray), *range_m))
    }

    /// What was met, for a scanner at a pose, in the frame of that pose.
    pub fn points(&self, scanner: Pose2) -> impl Iterator<Item = [f64; 2]> {
        self.rays().filter(|(_, range_m)| range_m.is_finite()).map(move |(angle_rad, range_m)| {
            let (sin, cos) = angle_rad.sin_cos();
            scanner.point_out(f64::from(range_m) * cos, f64::from(range_m) * sin)
        })
    }
}
