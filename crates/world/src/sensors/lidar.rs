//! A spinning laser scanner: ranges all around, in the words of `sensor_msgs/LaserScan`.

use crate::geometry::Pose2;
use crate::physics::Surroundings;
use crate::rng::Rng;
use crate::sensors::Scan;

/// Where a scanner sits on its robot and what it can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lidar {
    /// Where it sits, forward of the chassis's middle, metres.
    pub x_m: f64,
    /// Where it sits, left of the middle, metres.
    pub y_m: f64,
    /// Where the middle of its field looks, counter-clockwise from ahead.
    pub yaw_rad: f64,
    /// Full width of its field; a whole turn has no ray twice.
    pub field_of_view_rad: f64,
    /// How many rays.
    pub rays: u32,
    /// Nearest distance measured, metres.
    pub min_m: f64,
    /// Farthest distance measured, metres.
    pub max_m: f64,
    /// Standard deviation of a range, metres.
    pub sigma_m: f64,
}

impl Lidar {
    /// The scanner's own pose while its robot is at a pose, both in the same frame.
    pub fn frame_at(&self, robot: Pose2) -> Pose2 {
        let [x_m, y_m] = robot.point_out(self.x_m, self.y_m);
        Pose2::new(x_m, y_m, robot.yaw_rad + self.yaw_rad)
    }

    /// Turns once.
    pub fn scan(&self, around: &Surroundings<'_>, rng: &mut Rng) -> Scan {
        let cast = |angle_rad: f64, max_m: f64| {
            around.cast(self.x_m, self.y_m, self.yaw_rad + angle_rad, max_m).map(|hit| hit.distance_m)
        };
        self.scan_by(cast, rng)
    }

    /// Turns once among things that are met at distances given by direction and farthest distance.
    pub fn scan_by(&self, cast: impl Fn(f64, f64) -> Option<f64>, rng: &mut Rng) -> Scan {
        let whole_turn = self.field_of_view_rad >= std::f64::consts::TAU - 1e-9;
        let gaps = if whole_turn { self.rays } else { self.rays.saturating_sub(1) };
        let angle_increment_rad = self.field_of_view_rad / f64::from(gaps.max(1));
        let angle_min_rad = -self.field_of_view_rad / 2.0;
        // What is just out of reach may be measured as just within.
        let reach_m = self.max_m + 3.5 * self.sigma_m;
        let range = |ray: u32| {
            let true_m = cast(angle_min_rad + f64::from(ray) * angle_increment_rad, reach_m);
            let measured_m =
                true_m.map(|m| if self.sigma_m > 0.0 { m + rng.normal(self.sigma_m) } else { m });
            match measured_m {
                Some(m) if m < self.min_m => f32::NEG_INFINITY,
                Some(m) if m <= self.max_m => m as f32,
                _ => f32::INFINITY,
            }
        };
        Scan {
            angle_min_rad,
            angle_increment_rad,
            range_min_m: self.min_m,
            range_max_m: self.max_m,
            ranges_m: (0..self.rays).map(range).collect(),
            pose: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIDAR: Lidar = Lidar {
        x_m: 0.1,
        y_m: 0.0,
        yaw_rad: 0.0,
        field_of_view_rad: std::f64::consts::TAU,
        rays: 360,
        min_m: 0.1,
        max_m: 10.0,
        sigma_m: 0.0,
    };

    #[test]
    fn a_whole_turn_has_no_ray_twice_and_a_part_of_one_has_both_ends() {
        let whole = LIDAR.scan_by(|_, _| None, &mut Rng::new(1));
        assert!((whole.angle_increment_rad - 1.0_f64.to_radians()).abs() < 1e-12);
        let half = Lidar { field_of_view_rad: std::f64::consts::PI, rays: 181, ..LIDAR };
        let half = half.scan_by(|_, _| None, &mut Rng::new(1));
        let last = half.rays().last().unwrap().0;
        assert!((last - std::f64::consts::FRAC_PI_2).abs() < 1e-12, "{last}");
        assert!(half.ranges_m.iter().all(|m| *m == f32::INFINITY));
    }

    #[test]
    fn missing_measurements_follow_rep_117() {
        let seen = |m: f64| LIDAR.scan_by(|_, _| Some(m), &mut Rng::new(1)).ranges_m[0];
        assert_eq!(seen(0.05), f32::NEG_INFINITY);
        assert_eq!(seen(0.5), 0.5);
        assert_eq!(seen(10.1), f32::INFINITY);
    }

    #[test]
    fn noise_is_as_wide_as_configured() {
        let noisy = Lidar { sigma_m: 0.01, rays: 20_000, ..LIDAR };
        let scan = noisy.scan_by(|_, _| Some(3.0), &mut Rng::new(3));
        let off: Vec<f64> = scan.ranges_m.iter().map(|m| f64::from(*m) - 3.0).collect();
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        let sigma = (off.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / off.len() as f64).sqrt();
        assert!(mean.abs() < 3e-4 && (sigma - 0.01).abs() < 3e-4, "{mean} {sigma}");
    }

    #[test]
    fn points_lie_where_the_rays_end() {
        let scan = LIDAR.scan_by(|_, _| Some(2.0), &mut Rng::new(1));
        let at = LIDAR.frame_at(Pose2::new(1.0, 1.0, std::f64::consts::FRAC_PI_2));
        assert!(scan.points(at).all(|[x, y]| ((x - 1.0).hypot(y - 1.1) - 2.0).abs() < 1e-6));
    }
}
