//! What a lens bends: a picture of a pinhole camera with a wider view, resampled by a table.
//!
//! Brown's model with two coefficients. A point that a pinhole shows at a radius *u* from the middle, in widths of a row, is shown at
//!
//! ```text
//! d = u · c(u) / c(½),   c(u) = 1 + k1 u² + k2 u⁴
//! ```
//!
//! so that the ends of the middle row stay where they are. The function turns back at some radius; what would be shown beyond its largest
//! value comes from nowhere, and is black as the rim of an image circle.

use super::lens::{Lens, LensError};
use super::picture::Picture;

/// How a lens bends what a pinhole shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distortion {
    /// Of the square of the radius.
    pub k1: f64,
    /// Of its fourth power.
    pub k2: f64,
}

/// Half a row: where nothing moves.
const STILL: f64 = 0.5;

/// Beyond this a pinhole shows nothing that a picture could hold, rows.
const FARTHEST: f64 = 8.0;

/// Steps of halving a bracket, to a thousandth of a millionth of a row.
const HALVINGS: u32 = 34;

impl Distortion {
    /// The coefficients by the tangent of the angle from the axis instead of widths of a row that spans a field.
    pub fn by_tangents(self, field_rad: f64) -> [f64; 2] {
        let square = (STILL / (field_rad / 2.0).tan()).powi(2);
        [self.k1 * square, self.k2 * square * square]
    }

    fn stretch(self, u: f64) -> f64 {
        let square = u * u;
        1.0 + self.k1 * square + self.k2 * square * square
    }

    /// Where a point is shown that a pinhole shows at a radius.
    pub(super) fn bent(self, u: f64) -> f64 {
        u * self.stretch(u) / self.stretch(STILL)
    }

    /// The radius at which the function turns back.
    fn turning(self) -> f64 {
        // Zero of the derivative of u c(u): 1 + 3 k1 u² + 5 k2 u⁴.
        let (a, b) = (5.0 * self.k2, 3.0 * self.k1);
        let root = b * b - 4.0 * a;
        let squares = if a == 0.0 {
            [-1.0 / b, f64::NAN]
        } else if root < 0.0 {
            [f64::NAN; 2]
        } else {
            [1.0, -1.0].map(|sign| (-b + sign * root.sqrt()) / (2.0 * a))
        };
        let first = squares.into_iter().filter(|it| *it > 0.0).min_by(f64::total_cmp);
        first.map_or(FARTHEST, f64::sqrt).min(FARTHEST)
    }

    /// The radius at which a pinhole shows what is shown at a radius; nothing beyond the image circle.
    fn straight(self, d: f64) -> Option<f64> {
        let (mut low, mut high) = (0.0, self.turning());
        if self.bent(high) < d {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if self.bent(middle) < d { low = middle } else { high = middle }
        }
        Some(high)
    }
}

/// One pixel: the upper left one of four of the pinhole's, and how much the right and the lower ones count, of 256.
#[derive(Clone, Copy, Debug)]
struct Spot {
    first: u32,
    right: u16,
    below: u16,
}

/// A table that bends pictures of one lens.
#[derive(Clone, Debug)]
pub(super) struct Warp {
    distortion: Distortion,
    field_rad: f64,
    size_px: [u32; 2],
    /// The pinhole's picture.
    wide_px: [u32; 2],
    wide_field_rad: f64,
    /// Nothing beyond the image circle.
    spots: Vec<Option<Spot>>,
}

impl Warp {
    /// The table of a lens.
    pub(super) fn new(lens: &Lens, distortion: Distortion) -> Result<Self, LensError> {
        let view = lens.view()?;
        let (width, height) = (f64::from(lens.width_px), f64::from(lens.height_px));
        // In pixels from the middle of the pinhole's picture, which has the same scale as one without distortion.
        let seen = |x: u32, y: u32| {
            let (across, down) =
                ((f64::from(x) + 0.5 - width / 2.0) / width, (f64::from(y) + 0.5 - height / 2.0) / width);
            let d = across.hypot(down);
            let u = distortion.straight(d)?;
            let scale = if d > 0.0 { u / d * width } else { width / distortion.bent(1e-3) * 1e-3 };
            Some([across * scale, down * scale])
        };
        let rows = || (0..lens.height_px).flat_map(|y| (0..lens.width_px).map(move |x| (x, y)));
        let most = rows()
            .filter_map(|(x, y)| seen(x, y))
            .fold([1.0_f64; 2], |[across, down], [x, y]| [across.max(x.abs()), down.max(y.abs())]);
        // A pixel more on each side, for the neighbours.
        let wide_px = most.map(|half| 2 * (half.ceil() as u32 + 1));
        let [wide_width, wide_height] = wide_px;
        let spot = |[x, y]: [f64; 2]| {
            let (x, y) = (x + f64::from(wide_width) / 2.0 - 0.5, y + f64::from(wide_height) / 2.0 - 0.5);
            let (left, top) = (x.floor(), y.floor());
            let share = |part: f64| (part * 256.0).round() as u16;
            Spot {
                first: top as u32 * wide_width + left as u32,
                right: share(x - left),
                below: share(y - top),
            }
        };
        let spots = rows().map(|(x, y)| seen(x, y).map(spot)).collect();
        let wide_field_rad = 2.0 * (f64::from(wide_width) / 2.0 / view.focal_px).atan();
        let Lens { field_rad, width_px, height_px, .. } = *lens;
        Ok(Self { distortion, field_rad, size_px: [width_px, height_px], wide_px, wide_field_rad, spots })
    }

    /// Whether it is the table of a lens.
    pub(super) fn is_of(&self, lens: &Lens, distortion: Distortion) -> bool {
        self.distortion == distortion
            && self.field_rad == lens.field_rad
            && self.size_px == [lens.width_px, lens.height_px]
    }

    /// The pinhole whose picture is bent.
    pub(super) fn pinhole(&self, lens: &Lens) -> Lens {
        let [width_px, height_px] = self.wide_px;
        Lens { width_px, height_px, field_rad: self.wide_field_rad, distortion: None, ..*lens }
    }

    /// Bends a picture of the pinhole.
    pub(super) fn bend(&self, wide: &Picture) -> Picture {
        let [width, height] = self.size_px;
        let row = wide.width as usize * 3;
        let mut rgb = vec![0_u8; self.spots.len() * 3];
        for (pixel, spot) in rgb.chunks_exact_mut(3).zip(&self.spots) {
            let Some(Spot { first, right, below }) = *spot else { continue };
            let start = first as usize * 3;
            let (Some(upper), Some(lower)) =
                (wide.rgb.get(start..start + 6), wide.rgb.get(start + row..start + row + 6))
            else {
                continue;
            };
            let (right, below) = (u32::from(right), u32::from(below));
            for (i, part) in pixel.iter_mut().enumerate() {
                let across =
                    |line: &[u8]| u32::from(line[i]) * (256 - right) + u32::from(line[i + 3]) * right;
                *part = ((across(upper) * (256 - below) + across(lower) * below + 32_768) >> 16) as u8;
            }
        }
        Picture { width, height, rgb }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That of the platform's cameras.
    const EYE: Distortion = Distortion { k1: -0.75, k2: 0.25 };

    #[test]
    fn the_middle_and_the_ends_of_a_row_stay_and_what_is_between_moves_outward() {
        assert_eq!(EYE.bent(0.0), 0.0);
        assert!((EYE.bent(0.5) - 0.5).abs() < 1e-12);
        let quarter = EYE.bent(0.25);
        assert!((quarter - 0.25 * (1.0 - 0.75 / 16.0 + 0.25 / 256.0) / 0.828_125).abs() < 1e-12);
        for u in [0.0, 0.1, 0.25, 0.5, 0.8] {
            assert!((EYE.straight(EYE.bent(u)).unwrap() - u).abs() < 1e-6, "{u}");
        }
        assert!((EYE.turning() - 0.8_f64.sqrt()).abs() < 1e-12);
        assert_eq!(EYE.straight(0.62), None, "the corner is beyond the image circle");
    }

    #[test]
    fn other_coefficients_have_other_circles_or_none() {
        assert_eq!(Distortion { k1: 0.0, k2: 0.0 }.turning(), FARTHEST);
        assert_eq!(Distortion { k1: 0.2, k2: 0.1 }.turning(), FARTHEST);
        assert!((Distortion { k1: -1.0 / 3.0, k2: 0.0 }.turning() - 1.0).abs() < 1e-12);
    }
}
