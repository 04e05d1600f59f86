//! How a camera sees.

/// A pinhole with Brown's radial distortion, as OpenCV and ROS's `plumb_bob` have it.
///
/// A thing at `x`, one metre ahead, is seen at `x (1 + k1 r² + k2 r⁴)`, with `r` its distance from the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// From the left to the right end of a row, radians.
    pub field_rad: f64,
    /// `k1` and `k2`; zero for a lens that keeps lines straight.
    pub radial: [f64; 2],
}

impl Lens {
    /// One that keeps lines straight.
    pub const fn straight(field_rad: f64) -> Self {
        Self { field_rad, radial: [0.0; 2] }
    }

    /// How much farther from the axis a thing is seen, which is this far from it at one metre ahead.
    pub fn stretch(&self, distance_m: f64) -> f64 {
        let [k1, k2] = self.radial;
        let square = distance_m * distance_m;
        1.0 + square * (k1 + k2 * square)
    }

    /// Pixels that a thing one metre wide covers on the axis at one metre ahead, of so many a row; `None` of a lens that nothing can be.
    pub fn focal_px(&self, width_px: u32) -> Option<f64> {
        let edge_m = (self.field_rad / 2.0).tan();
        let focal_px = f64::from(width_px) / 2.0 / (edge_m * self.stretch(edge_m));
        (focal_px.is_finite() && focal_px > 0.0 && (0.0..std::f64::consts::PI).contains(&self.field_rad))
            .then_some(focal_px)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn a_row_ends_where_the_field_does_however_the_lens_bends() {
        let straight = Lens::straight(FRAC_PI_2);
        assert!((straight.focal_px(320).unwrap() - 160.0).abs() < 1e-9);
        let barrel = Lens { radial: [-0.1875, 0.015_625], ..straight };
        let focal_px = barrel.focal_px(320).unwrap();
        assert!((focal_px * barrel.stretch(1.0) - 160.0).abs() < 1e-9, "{focal_px}");
        assert!(focal_px > 193.0 && focal_px < 194.0, "things in the middle are larger: {focal_px}");
    }

    #[test]
    fn what_no_lens_is_has_no_focus() {
        for field_rad in [0.0, -1.0, 4.0, f64::NAN] {
            assert_eq!(Lens::straight(field_rad).focal_px(320), None, "{field_rad}");
        }
        assert_eq!(
            Lens { field_rad: FRAC_PI_2, radial: [-2.0, 0.0] }.focal_px(320),
            None,
            "it turns pictures inside out"
        );
    }
}
