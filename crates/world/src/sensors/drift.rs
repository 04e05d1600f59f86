//! What wheels count wrong: each robot's own scale errors, and slip that comes by chance with the way.
//!
//! After a straight line of length D the error along it has the variance (scale·D)² + way²·D, the
//! heading turn²·D, and the error across turn²·D³ / 3, as it goes for random walks.

use crate::rng::Rng;

/// How large the errors of a kind of robot are; all are standard deviations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftModel {
    /// Of the scale of ways, as a share: wheels that are larger or smaller than believed.
    pub way_scale: f64,
    /// Of the scale of turns, as a share: a gap of the wheels other than believed.
    pub turn_scale: f64,
    /// Of a way, metres after one metre; grows with the way's root.
    pub way_m_per_root_m: f64,
    /// Of the heading, radians after one metre; grows with the way's root.
    pub heading_rad_per_root_m: f64,
    /// Of the heading, radians after one radian of turning; grows with the turn's root.
    pub heading_rad_per_root_rad: f64,
}

impl DriftModel {
    /// A good chassis on a hard floor.
    pub const USUAL: Self = Self {
        way_scale: 0.005,
        turn_scale: 0.01,
        way_m_per_root_m: 0.004,
        heading_rad_per_root_m: 0.004,
        heading_rad_per_root_rad: 0.004,
    };
}

/// The errors of one robot.
#[derive(Clone, Debug)]
pub struct Drift {
    model: DriftModel,
    way_scale: f64,
    turn_scale: f64,
    rng: Rng,
}

impl Drift {
    /// The errors of the robot that this chance belongs to.
    pub fn new(model: DriftModel, mut rng: Rng) -> Self {
        let way_scale = 1.0 + rng.normal(model.way_scale);
        let turn_scale = 1.0 + rng.normal(model.turn_scale);
        Self { model, way_scale, turn_scale, rng }
    }

    /// What is counted, as way and turn, of a true way in metres and a true turn in radians.
    pub fn count(&mut self, way_m: f64, turn_rad: f64) -> (f64, f64) {
        let (root_m, root_rad) = (way_m.abs().sqrt(), turn_rad.abs().sqrt());
        let way_noise_m = self.rng.normal(self.model.way_m_per_root_m * root_m);
        let heading_noise_rad = self.rng.normal(self.model.heading_rad_per_root_m * root_m)
            + self.rng.normal(self.model.heading_rad_per_root_rad * root_rad);
        (way_m * self.way_scale + way_noise_m, turn_rad * self.turn_scale + heading_noise_rad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensors::Odometry;

    const WAY_M: f64 = 10.0;

    fn sigma(of: impl Iterator<Item = f64>) -> f64 {
        let all: Vec<f64> = of.collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        (all.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / all.len() as f64).sqrt()
    }

    /// Where each of many robots believes to be after 10 m straight on.
    fn ends() -> Vec<Odometry> {
        let end = |robot: u64| {
            let mut drift = Drift::new(DriftModel::USUAL, Rng::of(robot, "drift"));
            let mut odometry = Odometry::default();
            for _ in 0..500 {
                let (way_m, turn_rad) = drift.count(WAY_M / 500.0, 0.0);
                odometry.advance(way_m, turn_rad);
            }
            odometry
        };
        (0..3_000).map(end).collect()
    }

    #[test]
    fn the_end_of_a_line_scatters_as_random_walks_do() {
        let (ends, model) = (ends(), DriftModel::USUAL);
        let close = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 0.05, "{found}, but {expected} is expected");
        };
        let along_m = (model.way_scale * WAY_M).hypot(model.way_m_per_root_m * WAY_M.sqrt());
        close(sigma(ends.iter().map(|it| it.travelled_m)), along_m);
        close(sigma(ends.iter().map(|it| it.pose.yaw_rad)), model.heading_rad_per_root_m * WAY_M.sqrt());
        let across_m = model.heading_rad_per_root_m * (WAY_M.powi(3) / 3.0).sqrt();
        close(sigma(ends.iter().map(|it| it.pose.y_m)), across_m);
    }

    #[test]
    fn a_robot_errs_in_its_own_way_and_only_while_it_moves() {
        let mut drift = Drift::new(DriftModel::USUAL, Rng::new(5));
        assert_eq!(drift.count(0.0, 0.0), (0.0, 0.0));
        let turned: f64 = (0..10_000).map(|_| drift.count(0.0, 0.01).1).sum();
        assert!((turned / 100.0 - drift.turn_scale).abs() < 0.002, "{turned}");
    }
}
