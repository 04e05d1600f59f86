//! Centimetres and metres, degrees and radians, bytes and shares.

use std::f64::consts::TAU;

use crate::pera::wire::Number;

/// Metres to centimetres, to a tenth of a millimetre.
pub(super) fn cm_from_m(metres: f64) -> Number {
    Number(hundredth(metres * 100.0))
}

/// Centimetres to metres; what is not finite is none.
pub(super) fn m_from_cm(centimetres: f64) -> Option<f64> {
    centimetres.is_finite().then_some(centimetres / 100.0)
}

/// Radians to a heading in -180..180, to a hundredth; the swarm's programs compare headings without thinking of the seam.
pub(super) fn heading_from_rad(radians: f64) -> Number {
    let degrees = degrees_from_rad(radians).0;
    Number(if degrees > 180.0 { hundredth(degrees - 360.0) } else { degrees })
}

/// Radians to degrees in 0..360, to a hundredth, as a compass shows them.
pub(super) fn degrees_from_rad(radians: f64) -> Number {
    // What is rounded up to a whole turn is none.
    Number(hundredth(radians.to_degrees().rem_euclid(360.0)) % 360.0)
}

/// Degrees to radians in -π..π.
pub(super) fn rad_from_degrees(degrees: f64) -> f64 {
    let turn = degrees.rem_euclid(360.0).to_radians();
    if turn > TAU / 2.0 { turn - TAU } else { turn }
}

/// A number of 0..255; what is beyond is cut off.
pub(super) fn byte(number: Number) -> u8 {
    number.0.round() as u8
}

fn hundredth(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_stay_on_the_circle() {
        assert_eq!(degrees_from_rad(-0.000_01), Number(0.0));
        assert_eq!(degrees_from_rad(-TAU / 4.0), Number(270.0));
        for (radians, heading) in [(-TAU / 4.0, -90.0), (TAU / 2.0, 180.0), (-0.000_01, 0.0), (4.5, -102.17)]
        {
            assert_eq!(heading_from_rad(radians), Number(heading));
        }
        assert!((rad_from_degrees(270.0) + TAU / 4.0).abs() < 1e-12);
        assert!((rad_from_degrees(-450.0) + TAU / 4.0).abs() < 1e-12);
    }

    #[test]
    fn lengths_are_rounded_once() {
        assert_eq!(cm_from_m(0.123_456), Number(12.35));
        assert_eq!(m_from_cm(994.0), Some(9.94));
        assert_eq!(m_from_cm(f64::INFINITY), None);
        assert_eq!([byte(Number(-3.0)), byte(Number(254.6)), byte(Number(300.0))], [0, 255, 255]);
    }
}
