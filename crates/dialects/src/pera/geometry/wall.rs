//! Walls: lines that begin at a place and are 6 cm longer at both ends than they are.

use super::angle::{bearing, difference, distance};

/// How much longer a wall is at each end, so that no ray slips through a corner.
const LONGER_CM: f64 = 6.0;

/// A wall.
#[derive(Clone, Debug)]
pub(super) struct Wall {
    ends: [[f64; 2]; 2],
    line: Line,
}

/// All points with `a·x + b·y + c = 0`.
#[derive(Clone, Copy, Debug)]
struct Line {
    a: f64,
    b: f64,
    c: f64,
}

impl Wall {
    pub(super) fn new([x, y]: [f64; 2], orientation_deg: f64, width_cm: f64) -> Self {
        let angle = orientation_deg / 360.0 * 2.0 * std::f64::consts::PI;
        let (sin, cos) = (angle.sin(), angle.cos());
        let far = width_cm + LONGER_CM;
        let ends = [[x - LONGER_CM * cos, y - LONGER_CM * sin], [x + far * cos, y + far * sin]];
        Self { ends, line: Line::new(middle([x, y], orientation_deg, width_cm), angle) }
    }

    /// How far it is along a ray; `None` if the ray does not meet it.
    pub(super) fn distance(&self, from: [f64; 2], heading: f64) -> Option<f64> {
        let [first, second] = self.ends.map(|end| difference(heading, bearing(from, end)));
        if (first.abs() > 90.0 && second.abs() > 90.0) || first * second > 0.0 {
            return None;
        }
        let ray = Line::new(from, heading * (std::f64::consts::PI / 180.0));
        Some(distance(from, ray.crossing(self.line)))
    }
}

/// The middle of a wall.
pub(super) fn middle([x, y]: [f64; 2], orientation_deg: f64, width_cm: f64) -> [f64; 2] {
    let angle = orientation_deg / 180.0 * std::f64::consts::PI;
    [x + width_cm / 2.0 * angle.cos(), y + width_cm / 2.0 * angle.sin()]
}

impl Line {
    /// The line through a point in a direction.
    fn new([x, y]: [f64; 2], angle_rad: f64) -> Self {
        let quarter = 90.0 * (std::f64::consts::PI / 180.0);
        let (sin, cos) = (angle_rad.sin(), angle_rad.cos());
        if angle_rad == quarter || angle_rad == -quarter {
            Self { a: sin, b: 0.0, c: -x * sin }
        } else if angle_rad == 0.0 || angle_rad == std::f64::consts::PI {
            Self { a: 0.0, b: -cos, c: y * cos }
        } else {
            Self { a: sin, b: -cos, c: -x * sin + y * cos }
        }
    }

    /// Where two lines cross; not a finite point if they never do.
    fn crossing(self, other: Self) -> [f64; 2] {
        let scale = self.a * other.b - other.a * self.b;
        [(self.b * other.c - other.b * self.c) / scale, (other.a * self.c - self.a * other.c) / scale]
    }
}
