//! An infrared time-of-flight sensor: how light that comes back becomes a distance and a warning.
//!
//! The light that returns falls with the square of the distance, with the slant and with the darkness
//! of the target. Too little of it is a weak signal; a slanting target scatters; a mirror far away is
//! taken for something near, because the pulse before it is measured.

use latimer_core::model::signal::{Range, RangeStatus};

use super::{Cone, Echo};
use crate::rng::Rng;

/// Least light needed, as reflectivity × cosine ÷ distance².
const LEAST_LIGHT: f64 = 0.12;

/// Below this cosine a reading scatters too much: 60 degrees off the normal.
const GRAZING_COS: f64 = 0.5;

/// From this reflectivity on a target is a mirror.
const MIRROR: f64 = 0.95;

/// A sensor's range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeOfFlight {
    /// Nearest distance measured, metres.
    pub min_m: f64,
    /// Farthest distance that is trusted, metres.
    pub trusted_m: f64,
    /// Distance after which the measurement begins at 0 again, metres.
    pub wrap_m: f64,
}

impl TimeOfFlight {
    /// One reading of what the cone met.
    pub fn read(&self, cone: &Cone, echo: Option<Echo>, rng: &mut Rng) -> Range {
        let (status, distance_m) = match echo {
            Some(echo) => self.judge(echo, rng),
            None => (RangeStatus::WeakSignal, None),
        };
        Range {
            // Such sensors count whole millimetres.
            distance_m: distance_m.map(|m| (m.max(0.0) * 1_000.0).round() / 1_000.0),
            status,
            status_code: None,
            min_m: Some(self.min_m),
            max_m: Some(self.trusted_m),
            field_of_view_rad: Some(cone.field_of_view_rad),
        }
    }

    fn judge(&self, echo: Echo, rng: &mut Rng) -> (RangeStatus, Option<f64>) {
        let far = echo.distance_m;
        let sigma = 0.002 + 0.004 * far;
        let light = echo.reflectivity * echo.incidence_cos / (far * far).max(1e-6);
        if echo.reflectivity >= MIRROR && far > self.wrap_m && far < 2.0 * self.wrap_m {
            return (RangeStatus::Wrapped, Some(far - self.wrap_m + rng.normal(3.0 * sigma)));
        }
        if light < LEAST_LIGHT {
            return (RangeStatus::WeakSignal, Some(far + rng.normal(8.0 * sigma)));
        }
        if echo.incidence_cos < GRAZING_COS {
            return (RangeStatus::Noisy, Some(far + rng.normal(4.0 * sigma)));
        }
        let status = if far > self.trusted_m { RangeStatus::TooFar } else { RangeStatus::Valid };
        (status, Some(far + rng.normal(sigma)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Color, Reality};

    const SENSOR: TimeOfFlight = TimeOfFlight { min_m: 0.0, trusted_m: 1.2, wrap_m: 1.3 };
    const CONE: Cone =
        Cone { x_m: 0.0, y_m: 0.0, yaw_rad: 0.0, field_of_view_rad: 0.5, rays: 5, reach_m: 4.0 };

    fn read(distance_m: f64, incidence_cos: f64, reflectivity: f64) -> Range {
        let echo = Echo {
            distance_m,
            bearing_rad: 0.0,
            incidence_cos,
            reflectivity,
            color: Color::PLAIN,
            reality: Reality::Real,
        };
        SENSOR.read(&CONE, Some(echo), &mut Rng::new(1))
    }

    #[test]
    fn every_condition_has_its_status() {
        assert_eq!(read(0.5, 1.0, 0.7).status, RangeStatus::Valid);
        assert_eq!(read(1.5, 1.0, 0.7).status, RangeStatus::TooFar);
        assert_eq!(read(3.5, 1.0, 0.7).status, RangeStatus::WeakSignal);
        assert_eq!(read(1.1, 1.0, 0.08).status, RangeStatus::WeakSignal, "a dark surface");
        assert_eq!(read(0.5, 0.3, 0.7).status, RangeStatus::Noisy, "a slanting surface");
        assert_eq!(SENSOR.read(&CONE, None, &mut Rng::new(1)).status, RangeStatus::WeakSignal);
    }

    #[test]
    fn a_far_mirror_seems_near() {
        let range = read(1.9, 1.0, 0.98);
        assert_eq!(range.status, RangeStatus::Wrapped);
        assert!((range.distance_m.unwrap() + 1.3 - 1.9).abs() < 0.1, "{range:?}");
    }

    #[test]
    fn good_readings_scatter_by_millimetres() {
        for _ in 0..100 {
            assert!((read(1.0, 1.0, 0.7).distance_m.unwrap() - 1.0).abs() < 0.03);
        }
    }
}
