//! Cylinders: met within a tolerance of their middle, and as far as their middle less their radius.

use super::angle::{bearing, distance, tolerance};

/// How much wider than its radius a cylinder is taken for.
const WIDER_CM: f64 = 5.0;

/// A cylinder.
#[derive(Clone, Debug)]
pub(super) struct Cylinder {
    pub(super) middle: [f64; 2],
    pub(super) radius_cm: f64,
}

impl Cylinder {
    /// How far it is; `None` if the heading is not towards it. The seam at 180° is not crossed.
    pub(super) fn distance(&self, from: [f64; 2], heading: f64) -> Option<f64> {
        let angle = bearing(from, self.middle);
        let away = distance(from, self.middle);
        let tolerance = tolerance(away, self.radius_cm + WIDER_CM);
        let (least, most, heading) = (angle - tolerance + 360.0, angle + tolerance + 360.0, heading + 360.0);
        (least <= heading && heading <= most).then(|| (away - self.radius_cm).max(0.0))
    }
}
