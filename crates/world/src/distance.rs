//! How far flat things are apart. Metres.

use crate::geometry::inside;

/// From a point to a line between two ends.
pub(crate) fn to_line([x, y]: [f64; 2], [[x1, y1], [x2, y2]]: [[f64; 2]; 2]) -> f64 {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 { ((x - x1) * dx + (y - y1) * dy) / square } else { 0.0 };
    let along = along.clamp(0.0, 1.0);
    (x1 + along * dx - x).hypot(y1 + along * dy - y)
}

/// Whether two lines cross.
pub(crate) fn cross([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) >= 0.0
    };
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

/// Between two lines.
pub(crate) fn between_lines(one: [[f64; 2]; 2], other: [[f64; 2]; 2]) -> f64 {
    if cross(one, other) {
        return 0.0;
    }
    let ends =
        [to_line(one[0], other), to_line(one[1], other), to_line(other[0], one), to_line(other[1], one)];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

/// Between a line and a polygon with what it encloses.
pub(crate) fn to_polygon(line: [[f64; 2]; 2], polygon: &[[f64; 2]]) -> f64 {
    if inside(polygon, line[0][0], line[0][1]) {
        return 0.0;
    }
    let next = polygon.iter().cycle().skip(1);
    let edges = polygon.iter().zip(next).map(|(start, end)| between_lines(line, [*start, *end]));
    edges.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    #[test]
    fn lines_are_as_far_apart_as_their_nearest_points() {
        assert_eq!(to_line([0.5, 2.0], [[0.0, 0.0], [1.0, 0.0]]), 2.0);
        assert_eq!(to_line([4.0, 4.0], [[1.0, 0.0], [1.0, 0.0]]), 5.0);
        assert_eq!(between_lines([[0.0, 0.0], [1.0, 0.0]], [[2.0, -1.0], [2.0, 1.0]]), 1.0);
        assert_eq!(between_lines([[0.0, 0.0], [3.0, 0.0]], [[2.0, -1.0], [2.0, 1.0]]), 0.0);
    }

    #[test]
    fn a_polygon_is_filled() {
        assert_eq!(to_polygon([[0.4, 0.5], [0.6, 0.5]], &SQUARE), 0.0);
        assert_eq!(to_polygon([[-1.0, 0.5], [2.0, 0.5]], &SQUARE), 0.0);
        assert_eq!(to_polygon([[-1.0, 3.0], [2.0, 3.0]], &SQUARE), 2.0);
    }
}
