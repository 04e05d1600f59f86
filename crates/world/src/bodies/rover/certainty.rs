//! How far the robot may trust what it knows of its place: its wheels' count, its scans' fit.

use latimer_core::model::signal::Odometry;

use crate::geometry::Pose2;
use crate::nav::{KnownMap, Localizer};
use crate::sensors::{DriftModel, Scan};

/// So many pieces of a scan are compared with the map, each as a whole.
const SECTORS: usize = 36;

/// Share of a piece's ends that must be on the map for the piece to fit.
const FITTING_RATIO: f64 = 0.5;

/// What the wheels may have counted wrong since a scan last fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Doubt {
    way_m: f64,
}

impl Doubt {
    /// The wheels counted a way.
    pub(super) fn roll(&mut self, way_m: f64) {
        self.way_m += way_m.abs();
    }

    /// A scan localized the robot.
    pub(super) fn settle(&mut self) {
        self.way_m = 0.0;
    }

    /// The published odometry at a heading on its map; its covariance is that of a random walk.
    pub(super) fn odometry(&self, model: &DriftModel, yaw_rad: f64, reliable: bool) -> Odometry {
        let way_m = self.way_m;
        let fix_m2 = Localizer::SIGMA_M.powi(2);
        let along_m2 = (model.way_scale * way_m).powi(2) + model.way_m_per_root_m.powi(2) * way_m + fix_m2;
        let across_m2 = model.heading_rad_per_root_m.powi(2) * way_m.powi(3) / 3.0 + fix_m2;
        let (sin, cos) = yaw_rad.sin_cos();
        let mixed_m2 = sin * cos * (along_m2 - across_m2);
        let covariance_m2 = vec![
            cos * cos * along_m2 + sin * sin * across_m2,
            mixed_m2,
            mixed_m2,
            sin * sin * along_m2 + cos * cos * across_m2,
        ];
        Odometry { reliable: Some(reliable), covariance_m2 }
    }
}

/// How many pieces of a scan met something, and how many of those met what the map knows.
pub(super) fn pieces(scan: &Scan, scanner: Pose2, known: &KnownMap) -> [u32; 2] {
    let mut sectors = [[0_u32; 2]; SECTORS];
    let rays = scan.ranges_m.len().max(1);
    for (ray, (angle_rad, range_m)) in scan.rays().enumerate().filter(|(_, (_, range_m))| range_m.is_finite())
    {
        let (sin, cos) = angle_rad.sin_cos();
        let end = scanner.point_out(f64::from(range_m) * cos, f64::from(range_m) * sin);
        if let Some([met, fit]) = sectors.get_mut(ray * SECTORS / rays) {
            *met += 1;
            *fit += u32::from(known.is_solid_near(end, 1));
        }
    }
    sectors.iter().filter(|[met, _]| *met > 0).fold([0, 0], |[all, good], [met, fit]| {
        [all + 1, good + u32::from(f64::from(*fit) >= FITTING_RATIO * f64::from(*met))]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nav::Shapes;

    #[test]
    fn doubt_grows_along_the_way_and_a_fit_settles_it() {
        let (model, mut doubt) = (DriftModel::USUAL, Doubt::default());
        let at_rest = doubt.odometry(&model, 0.0, true).covariance_m2;
        doubt.roll(-4.0);
        let [xx, xy, yx, yy] = doubt.odometry(&model, 0.0, true).covariance_m2[..] else { panic!() };
        assert!(xx > 5.0 * at_rest[0] && yy > 5.0 * at_rest[3] && xy == 0.0 && yx == 0.0);
        let turned = doubt.odometry(&model, std::f64::consts::FRAC_PI_2, true).covariance_m2;
        assert!((turned[3] - xx).abs() < 1e-12 && (turned[0] - yy).abs() < 1e-12);
        doubt.settle();
        assert_eq!(doubt.odometry(&model, 0.0, true).covariance_m2, at_rest);
    }

    #[test]
    fn pieces_fit_where_the_map_has_what_they_met() {
        let known = KnownMap::of(&Shapes { size_m: [4.0, 4.0], ..Shapes::default() }, 0.05);
        let scan = Scan {
            angle_min_rad: 0.0,
            angle_increment_rad: std::f64::consts::FRAC_PI_2,
            range_min_m: 0.1,
            range_max_m: 8.0,
            ranges_m: vec![2.0, 2.0, 1.0, f32::INFINITY],
            pose: None,
        };
        assert_eq!(pieces(&scan, Pose2::new(2.0, 2.0, 0.0), &known), [3, 2]);
    }
}
