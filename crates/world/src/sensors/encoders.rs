//! Encoders on two tracks.

use latimer_core::model::signal::{Encoders, WheelEncoder};

/// One step of the encoder: half a degree.
const STEP_RAD: f64 = std::f64::consts::PI / 360.0;

/// The encoders of two tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackEncoders {
    /// Radius of the wheel that carries the encoder, metres.
    wheel_m: f64,
    rotation_rad: [f64; 2],
    speed_radps: [f64; 2],
}

impl TrackEncoders {
    /// Encoders at rest on wheels of a radius.
    pub fn new(wheel_m: f64) -> Self {
        Self { wheel_m, rotation_rad: [0.0; 2], speed_radps: [0.0; 2] }
    }

    /// The tracks, left and right, ran at these speeds for a step.
    pub fn roll(&mut self, speeds_mps: [f64; 2], step_s: f64) {
        for (side, speed) in speeds_mps.into_iter().enumerate() {
            self.speed_radps[side] = speed / self.wheel_m;
            self.rotation_rad[side] += self.speed_radps[side] * step_s;
        }
    }

    /// One reading.
    pub fn read(&self) -> Encoders {
        let wheel = |side: usize| WheelEncoder {
            rotation_rad: Some((self.rotation_rad[side] / STEP_RAD).round() * STEP_RAD),
            velocity_radps: Some((self.speed_radps[side] / STEP_RAD).round() * STEP_RAD),
        };
        Encoders { left: wheel(0), right: wheel(1) }
    }
}
