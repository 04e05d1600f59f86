//! Which surface each pixel shows: a depth buffer, filled with flat polygons and balls.
//!
//! Nothing is coloured here, so that a pixel that is hidden later costs a comparison only. One over the
//! depth of a plane is linear over the picture, so a span needs one sum a pixel and no division.

use super::lens::{NEAR_M, View};
use super::vector::{Vector, dot, length, scale, sub};

/// The number of no surface.
pub(super) const NOTHING: u32 = u32::MAX;

/// What is nearest in each pixel, rows from the top.
#[derive(Debug, Default)]
pub(super) struct Plate {
    width: usize,
    height: usize,
    /// One over the distance ahead, 1/m; zero where nothing is.
    pub(super) inverse_depth: Vec<f32>,
    /// The number of the surface.
    pub(super) shown: Vec<u32>,
    crossings: Vec<f64>,
    clipped: Vec<Vector>,
    corners: Vec<[f64; 2]>,
}

impl Plate {
    /// An empty plate.
    pub(super) fn clear(&mut self, width: u32, height: u32) {
        (self.width, self.height) = (width as usize, height as usize);
        let pixels = self.width * self.height;
        self.inverse_depth.clear();
        self.inverse_depth.resize(pixels, 0.0);
        self.shown.clear();
        self.shown.resize(pixels, NOTHING);
    }

    /// Draws a polygon, which may have dents, if it faces the camera.
    pub(super) fn polygon(&mut self, view: &View, outline: &[Vector], normal: Vector, number: u32) {
        let Some(first) = outline.first() else { return };
        if dot(normal, sub(view.origin, *first)) < 1e-9 {
            return;
        }
        self.clip(view, outline);
        if self.clipped.len() < 3 {
            return;
        }
        self.corners.clear();
        self.corners.extend(self.clipped.iter().map(|corner| view.project(*corner)));
        let [column, row, one] = view.inverse_depth(normal, *first);
        let (low, high) = self
            .corners
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at[1]), high.max(at[1])));
        for y in first_pixel(low, self.height)..first_pixel(high, self.height) {
            let middle = y as f64 + 0.5;
            self.cross(middle);
            for pair in self.crossings.chunks_exact(2) {
                let (from, to) = (first_pixel(pair[0], self.width), first_pixel(pair[1], self.width));
                if from >= to {
                    continue;
                }
                let span = y * self.width + from..y * self.width + to;
                let start = (row * middle + one + column * 0.5) as f32;
                let step = column as f32;
                let depths = &mut self.inverse_depth[span.clone()];
                for ((x, depth), shown) in (from..to).zip(depths).zip(&mut self.shown[span]) {
                    let here = start + step * x as f32;
                    // On the same plane what is drawn later lies on top, as a rug on the floor.
                    if here >= *depth {
                        *depth = here;
                        *shown = number;
                    }
                }
            }
        }
    }

    /// Cuts off what is not ahead (Sutherland and Hodgman).
    fn clip(&mut self, view: &View, outline: &[Vector]) {
        self.clipped.clear();
        let Some(last) = outline.last() else { return };
        let mut before = view.turn(*last);
        for corner in outline {
            let here = view.turn(*corner);
            if (here[2] >= NEAR_M) != (before[2] >= NEAR_M) {
                // Both faces at an edge cut it from the same end, or rounding would leave a crack.
                let (ahead, behind) = if here[2] >= NEAR_M { (here, before) } else { (before, here) };
                let part = (NEAR_M - ahead[2]) / (behind[2] - ahead[2]);
                let between = |i: usize| ahead[i] + part * (behind[i] - ahead[i]);
                self.clipped.push([between(0), between(1), NEAR_M]);
            }
            if here[2] >= NEAR_M {
                self.clipped.push(here);
            }
            before = here;
        }
    }

    /// Where the polygon's edges cross the middle of a row, from the left.
    fn cross(&mut self, middle: f64) {
        self.crossings.clear();
        let Some(mut before) = self.corners.last().copied() else { return };
        for here in &self.corners {
            if (before[1] <= middle) != (here[1] <= middle) {
                // From the upper end in either direction, so that faces meet without a crack.
                let (upper, lower) = if before[1] < here[1] { (before, *here) } else { (*here, before) };
                let part = (middle - upper[1]) / (lower[1] - upper[1]);
                self.crossings.push(upper[0] + part * (lower[0] - upper[0]));
            }
            before = *here;
        }
        self.crossings.sort_unstable_by(f64::total_cmp);
    }

    /// Draws a ball.
    pub(super) fn ball(&mut self, view: &View, center: Vector, radius: f64, number: u32) {
        let seen = view.turn(center);
        if seen[2] + radius < NEAR_M || length(seen) <= radius {
            return;
        }
        let [left, right] = extent(view, seen[0], seen[2], radius, 0, self.width);
        let [top, bottom] = extent(view, seen[1], seen[2], radius, 1, self.height);
        let rest = dot(seen, seen) - radius * radius;
        for y in top..bottom {
            for x in left..right {
                let at = [x as f64 + 0.5, y as f64 + 0.5];
                let ray = [
                    (at[0] - view.middle_px[0]) / view.focal_px,
                    (at[1] - view.middle_px[1]) / view.focal_px,
                    1.0,
                ];
                let (square, half) = (dot(ray, ray), dot(ray, seen));
                let root = half * half - square * rest;
                if root < 0.0 {
                    continue;
                }
                let ahead = (half - root.sqrt()) / square;
                let here = (1.0 / ahead) as f32;
                let i = y * self.width + x;
                if ahead >= NEAR_M && here >= self.inverse_depth[i] {
                    self.inverse_depth[i] = here;
                    self.shown[i] = number;
                }
            }
        }
    }
}

/// The first pixel whose middle is not before a place, at most `count`.
fn first_pixel(place: f64, count: usize) -> usize {
    // The cast holds what is negative or too much at the ends.
    ((place - 0.5).ceil() as usize).min(count)
}

/// The pixels along one side of the picture that a ball can touch.
fn extent(view: &View, aside: f64, ahead: f64, radius: f64, side: usize, count: usize) -> [usize; 2] {
    let apart = ahead * ahead - radius * radius;
    // Beside the camera it may be anywhere.
    if ahead - radius < NEAR_M || apart <= 0.0 {
        return [0, count];
    }
    let reach = radius * (aside * aside + apart).max(0.0).sqrt();
    [-1.0, 1.0].map(|sign| {
        let tangent = (aside * ahead + sign * reach) / apart;
        first_pixel(view.middle_px[side] + view.focal_px * tangent + sign.max(0.0), count)
    })
}

/// The middle of a ball as seen from a point on it, as a normal.
pub(super) fn ball_normal(center: Vector, point: Vector) -> Vector {
    let out = sub(point, center);
    scale(out, 1.0 / length(out).max(1e-9))
}
