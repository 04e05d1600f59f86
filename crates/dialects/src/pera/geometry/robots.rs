//! Other robots: met within a tolerance of their middle.

use super::DIAMETER_CM;
use super::angle::{bearing, distance, tolerance};

/// How wide a robot is taken for.
const WIDTH_CM: f64 = DIAMETER_CM + 10.0;

/// How many degrees more it is.
const MORE_DEG: f64 = 5.0;

/// What is nearer than this is taken for the robot itself.
const SELF_CM: f64 = 1.0;

/// Where all robots are, close together in memory: a request looks at each of a thousand.
#[derive(Clone, Debug, Default)]
pub(in crate::pera) struct Crowd(Vec<[f64; 2]>);

impl Crowd {
    /// One more; its number.
    pub(in crate::pera) fn push(&mut self, at: [f64; 2]) -> usize {
        self.0.push(at);
        self.0.len() - 1
    }

    /// Moves one.
    pub(in crate::pera) fn set(&mut self, number: usize, at: [f64; 2]) {
        if let Some(place) = self.0.get_mut(number) {
            *place = at;
        }
    }

    /// Takes one out; the last one gets its number.
    pub(in crate::pera) fn swap_remove(&mut self, number: usize) {
        if number < self.0.len() {
            self.0.swap_remove(number);
        }
    }

    /// How far the nearest robot is in a direction; infinite if there is none.
    pub(super) fn distance(&self, from: [f64; 2], heading: f64) -> f64 {
        let sieve = Sieve::new(heading);
        let mut nearest = f64::INFINITY;
        for to in &self.0 {
            if !sieve.passes(from, *to, nearest) {
                continue;
            }
            let away = distance(from, *to);
            let off = (heading - bearing(from, *to)).abs();
            if away >= SELF_CM && off < tolerance(away, WIDTH_CM) + MORE_DEG {
                nearest = nearest.min(away - DIAMETER_CM / 2.0);
            }
        }
        nearest
    }
}

/// Leaves out, without an arc tangent or a rounding, what the exact test would leave out as well.
struct Sieve {
    cos: f64,
    sin: f64,
    /// Sine of the additional angle and a little more.
    more: f64,
}

impl Sieve {
    fn new(heading: f64) -> Self {
        let (sin, cos) = heading.to_radians().sin_cos();
        Self { cos, sin, more: (MORE_DEG + 0.1).to_radians().sin() }
    }

    fn passes(&self, from: [f64; 2], to: [f64; 2], nearest: f64) -> bool {
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let ahead = x * self.cos + y * self.sin;
        let aside = (y * self.cos - x * self.sin).abs();
        let away = (x * x + y * y).sqrt();
        // sin(a + b) ≤ sin a + sin b, and the sine of the tolerance at a distance is at most 8 cm by it.
        ahead > -0.1
            && away - DIAMETER_CM / 2.0 - 0.1 < nearest
            && aside < WIDTH_CM / 2.0 + away * self.more + 0.1
    }
}
