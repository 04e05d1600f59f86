//! Angles in degrees.

use super::round::as_printed;

/// The same direction within (-180, 180].
pub(in crate::pera) fn normalized(degrees: f64) -> f64 {
    let turned = (degrees + 180.0) % 360.0;
    if turned <= 0.0 { turned + 180.0 } else { turned - 180.0 }
}

/// How far one must turn from a heading to a bearing, within (-180, 180].
pub(super) fn difference(heading: f64, bearing: f64) -> f64 {
    let mut difference = (bearing - heading) % 360.0;
    if difference <= -180.0 {
        difference += 360.0;
    }
    if difference > 180.0 {
        difference -= 360.0;
    }
    difference
}

/// Where a point lies as seen from another; 0 if it is the same.
pub(super) fn bearing(from: [f64; 2], to: [f64; 2]) -> f64 {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    normalized(y.atan2(x) * 180.0 / std::f64::consts::PI)
}

/// How far a point is from another.
pub(super) fn distance(from: [f64; 2], to: [f64; 2]) -> f64 {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    as_printed((x * x + y * y).sqrt())
}

/// Half of the angle that a width takes at a distance.
pub(super) fn tolerance(distance_cm: f64, width_cm: f64) -> f64 {
    let degrees = (width_cm / 2.0 / distance_cm).atan() * 180.0 / std::f64::consts::PI;
    super::round::halves_up(degrees)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seam_is_at_180() {
        for (degrees, same) in
            [(180.0, 180.0), (-180.0, 180.0), (270.0, -90.0), (-190.0, 170.0), (720.0, 0.0)]
        {
            assert_eq!(normalized(degrees), same, "{degrees}");
        }
        assert_eq!(difference(170.0, -170.0), 20.0);
        assert_eq!(difference(-170.0, 170.0), -20.0);
        assert_eq!(difference(0.0, -180.0), 180.0);
        assert_eq!(bearing([1.0, 1.0], [1.0, 1.0]), 0.0);
    }
}
