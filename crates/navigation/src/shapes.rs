//! The shapes of a room as polygons, from which maps are made.

use std::f64::consts::TAU;

use crate::geometry::{Pose2, inside};

/// Corners of the polygon that stands for a circle.
const ROUND: u32 = 24;

/// What does not move in a room.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// Length east and north, metres; all beyond is solid.
    pub size_m: [f64; 2],
    /// What a laser scanner sees and no robot passes.
    pub solid: Vec<Vec<[f64; 2]>>,
    /// Where no robot may go although nothing can be seen there: drops, virtual walls.
    pub keep_out: Vec<Vec<[f64; 2]>>,
}

/// A rectangle about a pose.
pub fn rectangle(pose: Pose2, length_m: f64, width_m: f64) -> Vec<[f64; 2]> {
    let (x, y) = (length_m / 2.0, width_m / 2.0);
    [[x, y], [-x, y], [-x, -y], [x, -y]].map(|[x, y]| pose.point_out(x, y)).into()
}

/// A polygon around a circle.
pub fn circle([x_m, y_m]: [f64; 2], radius_m: f64) -> Vec<[f64; 2]> {
    let step = TAU / f64::from(ROUND);
    let outer_m = radius_m / (step / 2.0).cos();
    let corner = |i: u32| Pose2::new(x_m, y_m, f64::from(i) * step).point_out(outer_m, 0.0);
    (0..ROUND).map(corner).collect()
}

/// Whether a polygon covers or cuts a square; touching it is not enough.
pub(super) fn meets_square(polygon: &[[f64; 2]], [x, y]: [f64; 2], half: f64) -> bool {
    let within = half - 1e-6;
    inside(polygon, x, y) || edges(polygon).any(|(from, to)| cuts(from, to, [x, y], within))
}

/// How far a point is from a polygon, 0 within it.
pub(super) fn distance_to(polygon: &[[f64; 2]], point: [f64; 2]) -> f64 {
    if inside(polygon, point[0], point[1]) {
        return 0.0;
    }
    edges(polygon).map(|(from, to)| distance_to_line(from, to, point).0).fold(f64::INFINITY, f64::min)
}

/// How far a point is from a piece of a line, and where on it, 0..1, the nearest point is.
pub(super) fn distance_to_line(from: [f64; 2], to: [f64; 2], point: [f64; 2]) -> (f64, f64) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 {
        (((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    ((from[0] + along * dx - point[0]).hypot(from[1] + along * dy - point[1]), along)
}

fn edges(polygon: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

/// Whether a piece of a line passes through a square (Liang and Barsky's clipping).
fn cuts(from: [f64; 2], to: [f64; 2], middle: [f64; 2], half: f64) -> bool {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in [0, 1] {
        let (way, off) = (to[axis] - from[axis], middle[axis] - from[axis]);
        if way == 0.0 {
            if off.abs() >= half {
                return false;
            }
            continue;
        }
        let (a, b) = ((off - half) / way, (off + half) / way);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    enters < leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_met_by_what_covers_cuts_or_sits_in_them() {
        let square = |x: f64| rectangle(Pose2::new(x, 0.0, 0.0), 1.0, 1.0);
        assert!(meets_square(&square(0.0), [0.0, 0.0], 0.1), "covered");
        assert!(meets_square(&square(0.55), [0.0, 0.0], 0.1), "cut");
        assert!(!meets_square(&square(0.6), [0.0, 0.0], 0.1), "touched");
        assert!(meets_square(&circle([0.05, 0.0], 0.01), [0.0, 0.0], 0.1), "within");
    }

    #[test]
    fn distances_are_those_to_the_outline() {
        let square = rectangle(Pose2::new(1.0, 0.0, 0.0), 1.0, 1.0);
        assert!((distance_to(&square, [0.0, 0.0]) - 0.5).abs() < 1e-12);
        assert!((distance_to(&square, [1.8, 0.9]) - 0.5).abs() < 1e-12);
        assert_eq!(distance_to(&square, [1.1, 0.2]), 0.0);
    }
}
