//! A short-range sensor that looks down: floor, edge or air.

use latimer_core::model::signal::{Range, RangeStatus};

use crate::physics::Ground;
use crate::rng::Rng;

/// Nearer than this the sensor computes a negative distance, metres.
const TOO_NEAR_M: f64 = 0.01;

/// Up to this multiple of its reach it still notices that something is there.
const FAINT: f64 = 1.5;

/// Floors darker than this are not found.
const DARKEST: f64 = 0.06;

/// A sensor in the chassis's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeSensor {
    /// Forward of the middle, metres.
    pub x_m: f64,
    /// Left of the middle, metres.
    pub y_m: f64,
    /// Above the floor, metres.
    pub height_m: f64,
    /// Farthest distance measured, metres.
    pub reach_m: f64,
    /// Full width of the cone.
    pub field_of_view_rad: f64,
}

impl EdgeSensor {
    /// One reading of what is below; `None` is nothing at all, as in the air.
    pub fn read(&self, ground: Option<Ground>, rng: &mut Rng) -> Range {
        let (status, distance_m) =
            ground.map_or((RangeStatus::NothingInView, None), |it| self.judge(it, rng));
        Range {
            distance_m: distance_m.map(|m| (m.max(0.0) * 1_000.0).round() / 1_000.0),
            status,
            status_code: None,
            min_m: Some(TOO_NEAR_M),
            max_m: Some(self.reach_m),
            field_of_view_rad: Some(self.field_of_view_rad),
        }
    }

    fn judge(&self, ground: Ground, rng: &mut Rng) -> (RangeStatus, Option<f64>) {
        let below = self.height_m + ground.depth_m;
        if below < TOO_NEAR_M {
            return (RangeStatus::TooNear, Some(0.0));
        }
        if below > FAINT * self.reach_m {
            return (RangeStatus::NothingInView, None);
        }
        if ground.reflectivity < DARKEST {
            return (RangeStatus::WeakSignal, None);
        }
        let status = if below > self.reach_m { RangeStatus::TooFar } else { RangeStatus::Valid };
        (status, Some(below + rng.normal(0.001 + 0.01 * below)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(height_m: f64, depth_m: f64, reflectivity: f64) -> RangeStatus {
        let sensor = EdgeSensor { x_m: 0.0, y_m: 0.0, height_m, reach_m: 0.2, field_of_view_rad: 0.4 };
        sensor.read(Some(Ground { depth_m, reflectivity }), &mut Rng::new(3)).status
    }

    #[test]
    fn distinguishes_floor_step_pit_and_black() {
        assert_eq!(read(0.035, 0.0, 0.7), RangeStatus::Valid);
        assert_eq!(read(0.035, 0.1, 0.7), RangeStatus::Valid, "a low step is measured");
        assert_eq!(read(0.035, 0.18, 0.7), RangeStatus::TooFar);
        assert_eq!(read(0.035, 2.0, 0.7), RangeStatus::NothingInView);
        assert_eq!(read(0.035, 0.0, 0.04), RangeStatus::WeakSignal);
        assert_eq!(read(0.005, 0.0, 0.7), RangeStatus::TooNear);
    }
}
