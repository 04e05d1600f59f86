//! Four light sensors, two in front and two behind.

use latimer_core::PartName;
use latimer_core::model::Kind;
use latimer_core::model::signal::Light;

use super::parts::LIGHTS;
use crate::bodies::moment::Moment;
use crate::physics::Surroundings;

/// Steps between two reports: 50 a second.
const PERIOD: u64 = 2;

/// Noise: one of the 255 steps that the robot counts (plausible).
const SIGMA: f64 = 1.0 / 255.0;

/// The sensors.
pub(super) struct LightSensors {
    parts: [PartName; 4],
}

impl LightSensors {
    pub(super) fn new() -> Self {
        Self { parts: LIGHTS.map(|(name, ..)| PartName::of(name)) }
    }

    /// How bright it is on average, 0..1.
    pub(super) fn mean(around: &Surroundings<'_>) -> f64 {
        let levels = LIGHTS.map(|(_, at_m, facing_rad)| around.light(at_m, Some(facing_rad)));
        (levels.iter().sum::<f64>() / levels.len() as f64).clamp(0.0, 1.0)
    }

    /// Reports.
    pub(super) fn update(&self, now: &mut Moment<'_>, around: &Surroundings<'_>) {
        if !now.due(Kind::Light, PERIOD) {
            return;
        }
        for (part, (_, at_m, facing_rad)) in self.parts.iter().zip(LIGHTS) {
            let level = around.light(at_m, Some(facing_rad)) + now.rng.normal(SIGMA);
            now.reports.of(part, Light { level_ratio: level.clamp(0.0, 1.0) });
        }
    }
}
