//! An accelerometer that sits on a link which may be turned against the chassis.

use latimer_core::model::signal::Accel;

use crate::physics::Motion2;
use crate::rng::Rng;

/// Standard gravity, m/s².
const GRAVITY_MPS2: f64 = 9.806_65;

/// Weight of the newest step; the sensor's own low-pass filter.
const SMOOTHING: f64 = 0.25;

/// Noise at rest, m/s² (plausible).
const QUIET_MPS2: f64 = 0.05;

/// The acceleration of a chassis, as sensors on it feel it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accelerometer {
    speed_mps: f64,
    forward_mps2: f64,
    left_mps2: f64,
}

impl Accelerometer {
    /// Feels one step of motion.
    pub fn feel(&mut self, motion: Motion2, step_s: f64) {
        let forward = ((motion.forward_mps - self.speed_mps) / step_s).clamp(-40.0, 40.0);
        let left = motion.forward_mps * motion.turn_radps;
        self.forward_mps2 += SMOOTHING * (forward - self.forward_mps2);
        self.left_mps2 += SMOOTHING * (left - self.left_mps2);
        self.speed_mps = motion.forward_mps;
    }

    /// One reading along the axes of a link, which are the columns of `turn` in the chassis's axes.
    pub fn read(&self, turn: &[[f64; 3]; 3], shake_mps2: f64, rng: &mut Rng) -> Accel {
        let felt = [self.forward_mps2, self.left_mps2, GRAVITY_MPS2];
        let mut along = |axis: usize| {
            let sum: f64 = (0..3).map(|row| turn[row][axis] * felt[row]).sum();
            sum + rng.normal(QUIET_MPS2 + shake_mps2)
        };
        Accel { x_mps2: along(0), y_mps2: along(1), z_mps2: along(2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_tips_forward_feels_gravity_behind_it() {
        let (sin, cos) = 0.5_f64.sin_cos();
        let turn = [[cos, 0.0, sin], [0.0, 1.0, 0.0], [-sin, 0.0, cos]];
        let accel = Accelerometer::default().read(&turn, 0.0, &mut Rng::new(1));
        assert!((accel.x_mps2 + GRAVITY_MPS2 * sin).abs() < 0.2, "{accel:?}");
        assert!((accel.z_mps2 - GRAVITY_MPS2 * cos).abs() < 0.2, "{accel:?}");
    }
}
