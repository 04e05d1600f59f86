//! Misty's units and those of the model.
//!
//! | wire | model | where |
//! |---|---|---|
//! | degrees, degrees/s | rad, rad/s | joints, encoders, IMU, faces, turn of LocomotionCommand |
//! | degrees 0..360 | rad -π..π | yaw of IMU, directions of sounds |
//! | 0..1 | 0..1 | `chargePercent`, `healthPercent` (a value above 1 is read as percent) |
//! | percent | 0..1 | `confidence` of a key phrase |
//! | 0..255 | 0..1 | `voiceActivityPolar` |
//! | cm | m | distance of a face |
//! | ms | s | `timeOffset` |
//!
//! `chargePercent` is a ratio in spite of its name: robots send 1.0 on the charger, and later manuals call it a
//! decimal value. The rest of the specification's words are taken literally.

use crate::describe::codec::finite;

/// Conversions are exact to this many per unit, so that a number that was read is written as it was.
const PER_UNIT: f64 = 1e9;
/// Largest magnitude below which every whole `f64` is exact: 2⁵³.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Rounds away what a conversion there and back adds; also turns -0 to 0.
fn tidy(value: f64) -> f64 {
    let scaled = value * PER_UNIT;
    if scaled.abs() < EXACT { scaled.round() / PER_UNIT + 0.0 } else { value }
}

/// Degrees from radians.
pub(in crate::misty) fn deg_from_rad(rad: f64) -> Option<f64> {
    finite(tidy(rad.to_degrees()))
}

/// Radians within ±π from degrees of any turn.
pub(in crate::misty) fn wrapped_rad_from_deg(deg: f64) -> f64 {
    let turned = deg.rem_euclid(360.0);
    (if turned > 180.0 { turned - 360.0 } else { turned }).to_radians()
}

/// Degrees 0..360 from radians of any turn.
pub(in crate::misty) fn deg360_from_rad(rad: f64) -> Option<f64> {
    let turned = tidy(tidy(rad.to_degrees()).rem_euclid(360.0));
    finite(if turned >= 360.0 { 0.0 } else { turned })
}

/// A ratio from `chargePercent` or `healthPercent`.
pub(in crate::misty) fn ratio_from_charge(charge: f64) -> f64 {
    (if charge > 1.0 { charge / 100.0 } else { charge }).clamp(0.0, 1.0)
}

/// A ratio from percent.
pub(in crate::misty) fn ratio_from_percent(percent: i64) -> f64 {
    (percent as f64 / 100.0).clamp(0.0, 1.0)
}

/// Whole percent from a ratio.
pub(in crate::misty) fn percent_from_ratio(ratio: f64) -> Option<i64> {
    finite(ratio * 100.0).map(|percent| percent.round() as i64)
}

/// A ratio from a byte.
pub(in crate::misty) fn ratio_from_byte(byte: u8) -> f64 {
    f64::from(byte) / 255.0
}

/// A byte from a ratio; what is outside of 0..1 is held at the end.
pub(in crate::misty) fn byte_from_ratio(ratio: f64) -> u8 {
    (ratio * 255.0).round() as u8
}

/// Metres from centimetres.
pub(in crate::misty) fn m_from_cm(cm: f64) -> f64 {
    cm / 100.0
}

/// Centimetres from metres.
pub(in crate::misty) fn cm_from_m(m: f64) -> Option<f64> {
    finite(tidy(m * 100.0))
}

/// Seconds from milliseconds.
pub(in crate::misty) fn s_from_ms(ms: i64) -> f64 {
    ms as f64 / 1_000.0
}

/// Whole milliseconds from seconds.
pub(in crate::misty) fn ms_from_s(s: f64) -> Option<i64> {
    finite(s * 1_000.0).map(|ms| ms.round() as i64)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    #[test]
    fn a_number_comes_back_as_it_was_written() {
        for deg in [-5.09, 11.193, 2.468, 0.057, 626.0, -0.1, 1e-9] {
            assert_eq!(deg_from_rad(f64::to_radians(deg)), Some(deg));
        }
        for deg in [0.0, 2.004, 179.999, 180.0, 181.0, 200.3, 359.9] {
            assert_eq!(deg360_from_rad(wrapped_rad_from_deg(deg)), Some(deg));
        }
        for cm in [71.0, 96.0, 165.0, 0.1] {
            assert_eq!(cm_from_m(m_from_cm(cm)), Some(cm));
        }
        for byte in 0..=255 {
            assert_eq!(byte_from_ratio(ratio_from_byte(byte)), byte);
        }
        for percent in 0..=100 {
            assert_eq!(percent_from_ratio(ratio_from_percent(percent)), Some(percent));
        }
        assert_eq!(ms_from_s(s_from_ms(4_925)), Some(4_925));
    }

    #[test]
    fn left_is_positive_and_a_full_turn_is_none() {
        assert_eq!(wrapped_rad_from_deg(90.0), FRAC_PI_2);
        assert_eq!(wrapped_rad_from_deg(270.0), -FRAC_PI_2);
        assert_eq!(wrapped_rad_from_deg(180.0), PI);
        assert_eq!(wrapped_rad_from_deg(360.0), 0.0);
        assert_eq!(deg360_from_rad(-1e-15), Some(0.0));
        assert_eq!(deg360_from_rad(5.0 * PI), Some(180.0));
    }

    #[test]
    fn charge_is_a_ratio_and_percent_is_understood() {
        assert_eq!(ratio_from_charge(1.0), 1.0);
        assert_eq!(ratio_from_charge(0.34), 0.34);
        assert_eq!(ratio_from_charge(34.0), 0.34);
        assert_eq!(ratio_from_charge(-1.0), 0.0);
    }

    #[test]
    fn hostile_numbers_stay_numbers_or_go() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(deg_from_rad(bad), None);
            assert_eq!(deg360_from_rad(bad), None);
            assert_eq!(cm_from_m(bad), None);
            assert_eq!(ms_from_s(bad), None);
            assert_eq!(percent_from_ratio(bad), None);
            let _ = byte_from_ratio(bad);
        }
        assert_eq!(deg_from_rad(1e308), None);
        assert_eq!(deg_from_rad(-0.0).map(f64::is_sign_negative), Some(false));
        assert!(wrapped_rad_from_deg(1e308).abs() <= PI);
        assert_eq!(ms_from_s(1e300), Some(i64::MAX));
    }
}
