//! An inertial sensor: what the true motion feels like, with noise and a slow drift of the heading.

use latimer_core::model::signal::{Accel, AngularRate, Imu, Orientation};

use crate::geometry::wrap_angle;
use crate::physics::Motion2;
use crate::rng::Rng;

/// Standard gravity, m/s².
const GRAVITY_MPS2: f64 = 9.806_65;

/// Widest zero-rate error of the gyroscope: 0.01 degrees a second.
const BIAS_RADPS: f64 = 1.7e-4;

/// Weight of the newest step in the acceleration; the sensor's own low-pass filter.
const SMOOTHING: f64 = 0.25;

/// How the body is tipped and shaken, apart from its motion on the floor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attitude {
    /// Tipped to the right, radians.
    pub roll_rad: f64,
    /// Tipped forward, radians.
    pub pitch_rad: f64,
    /// How hard it is shaken, m/s².
    pub shake_mps2: f64,
}

/// The sensor.
#[derive(Clone, Debug)]
pub struct ImuSensor {
    yaw_rad: f64,
    bias_radps: f64,
    rate_radps: f64,
    speed_mps: f64,
    forward_mps2: f64,
    left_mps2: f64,
}

impl ImuSensor {
    /// A sensor that calls its present heading 0.
    pub fn new(rng: &mut Rng) -> Self {
        Self {
            yaw_rad: 0.0,
            bias_radps: rng.between(-BIAS_RADPS, BIAS_RADPS),
            rate_radps: 0.0,
            speed_mps: 0.0,
            forward_mps2: 0.0,
            left_mps2: 0.0,
        }
    }

    /// Heading by the gyroscope, counter-clockwise from where it began, -π..=π.
    pub fn yaw_rad(&self) -> f64 {
        wrap_angle(self.yaw_rad)
    }

    /// Feels one step of motion.
    pub fn feel(&mut self, motion: Motion2, step_s: f64) {
        let forward = ((motion.forward_mps - self.speed_mps) / step_s).clamp(-40.0, 40.0);
        let left = motion.forward_mps * motion.turn_radps;
        self.forward_mps2 += SMOOTHING * (forward - self.forward_mps2);
        self.left_mps2 += SMOOTHING * (left - self.left_mps2);
        self.speed_mps = motion.forward_mps;
        self.rate_radps = motion.turn_radps;
        self.yaw_rad = wrap_angle(self.yaw_rad + (motion.turn_radps + self.bias_radps) * step_s);
    }

    /// The body was picked up and set down turned by this much.
    pub fn turned(&mut self, by_rad: f64) {
        self.yaw_rad = wrap_angle(self.yaw_rad + by_rad);
    }

    /// One reading.
    pub fn read(&self, attitude: Attitude, rng: &mut Rng) -> Imu {
        let shaken = |rng: &mut Rng, quiet: f64| rng.normal(quiet + attitude.shake_mps2);
        let sway = attitude.shake_mps2 * 0.05;
        let (sin_pitch, cos_pitch) = attitude.pitch_rad.sin_cos();
        let (sin_roll, cos_roll) = attitude.roll_rad.sin_cos();
        Imu {
            orientation: Some(Orientation {
                roll_rad: attitude.roll_rad + rng.normal(0.002 + sway),
                pitch_rad: attitude.pitch_rad + rng.normal(0.002 + sway),
                yaw_rad: wrap_angle(self.yaw_rad + rng.normal(0.000_5)),
            }),
            angular_velocity: Some(AngularRate {
                x_radps: rng.normal(0.003 + sway),
                y_radps: rng.normal(0.003 + sway),
                z_radps: self.rate_radps + self.bias_radps + rng.normal(0.003),
            }),
            linear_acceleration: Some(Accel {
                x_mps2: self.forward_mps2 - GRAVITY_MPS2 * sin_pitch + shaken(rng, 0.03),
                y_mps2: self.left_mps2 + GRAVITY_MPS2 * sin_roll * cos_pitch + shaken(rng, 0.03),
                z_mps2: GRAVITY_MPS2 * cos_pitch * cos_roll + shaken(rng, 0.03),
            }),
        }
    }
}
