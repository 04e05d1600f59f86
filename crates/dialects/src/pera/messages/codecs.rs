//! How the swarm spells lengths, angles, bytes and shares.

use std::f64::consts::PI;

use latimer_core::Value;

use crate::describe::codec::{CodecInfo, DEGREES, codecs, within_half_turn};
use crate::pera::wire::Number;

fn scaled(factor: f64, precision: f64) -> CodecInfo {
    CodecInfo { factor: Some(factor), precision: Some(precision), ..CodecInfo::default() }
}

fn bytes(factor: f64) -> CodecInfo {
    CodecInfo { range: Some((0.0, 255.0)), ..scaled(factor, 1.0) }
}

codecs! {
    /// Centimetres, to a tenth of a millimetre.
    Centimetres: Number, f64 { scaled(100.0, 0.01), |wire| m_from_cm(wire.0), |model| cm_from_m(*model) }
    /// The same of a distance, which is not below 0.
    Distance: Number, f64 {
        CodecInfo { range: Some((0.0, 1_000.0)), ..scaled(100.0, 0.01) },
        |wire| m_from_cm(wire.0).map(|metres| metres.max(0.0)),
        |model| cm_from_m(*model)
    }
    /// A heading in degrees within ±180, to a hundredth; the swarm's programs compare headings without thinking of the seam.
    Heading: Number, f64 {
        CodecInfo { turn: Some(360.0), ..scaled(DEGREES, 0.01) },
        |wire| Some(within_half_turn(wire.0)),
        |model| degrees_from_rad(*model).map(|it| if it.0 > 180.0 { Number(hundredth(it.0 - 360.0)) } else { it })
    }
    /// What a compass shows: degrees 0..360, clockwise from +y.
    Bearing: Number, f64 {
        CodecInfo { turn: Some(360.0), offset: Some(90.0), range: Some((0.0, 359.9)), ..scaled(-DEGREES, 0.01) },
        |wire| Some(within_half_turn(90.0 - wire.0)),
        |model| degrees_from_rad(PI / 2.0 - *model)
    }
    /// A number of 0..255; what is beyond is cut off.
    Byte: Number, u8 { bytes(1.0), |wire| Some(wire.0.round() as u8), |model| Some(Number(f64::from(*model))) }
    /// A share as a number of 0..255.
    Share: Number, f64 {
        bytes(255.0),
        |wire| Some(f64::from(wire.0.round() as u8) / 255.0),
        |model| Some(Number((model.clamp(0.0, 1.0) * 255.0).round()))
    }
    /// The same, 0 if it is not known.
    ShareOrNone: u8, Option<f64> {
        bytes(255.0),
        |wire| Some(Some(f64::from(*wire) / 255.0)),
        |model| Some((model.unwrap_or_default().clamp(0.0, 1.0) * 255.0).round() as u8)
    }
    /// How far a text reaches, in the unit beside it.
    Reach: Number, Value {
        scaled(100.0, 0.01),
        |wire| Some(Value::Map(vec![(REACH.into(), Value::Float(m_from_cm(wire.0)?))])),
        |model| cm_from_m(model.at(&[REACH.into()])?.as_f64()?)
    }
}

const REACH: &str = "reach_m";

/// Metres to centimetres, to a tenth of a millimetre; what is not finite is none.
pub(super) fn cm_from_m(metres: f64) -> Option<Number> {
    metres.is_finite().then(|| Number(hundredth(metres * 100.0)))
}

/// Centimetres to metres; what is not finite is none.
pub(super) fn m_from_cm(centimetres: f64) -> Option<f64> {
    centimetres.is_finite().then_some(centimetres / 100.0)
}

/// Radians to degrees in 0..360, to a hundredth.
fn degrees_from_rad(radians: f64) -> Option<Number> {
    // What is rounded up to a whole turn is none.
    radians.is_finite().then(|| Number(hundredth(radians.to_degrees().rem_euclid(360.0)) % 360.0))
}

fn hundredth(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::describe::codec::Codec;

    fn encoded<M>(codec: &impl Codec<Number, M, ()>, model: M) -> f64 {
        codec.encode(&model, &()).unwrap().0
    }

    #[test]
    fn angles_stay_on_the_circle() {
        assert_eq!(encoded(&Bearing, PI / 2.0 + 0.000_01), 0.0);
        assert_eq!(encoded(&Bearing, PI), 270.0);
        for (radians, heading) in [(-TAU / 4.0, -90.0), (TAU / 2.0, 180.0), (-0.000_01, 0.0), (4.5, -102.17)]
        {
            assert_eq!(encoded(&Heading, radians), heading);
        }
        assert!((within_half_turn(270.0) + TAU / 4.0).abs() < 1e-12);
        assert!((within_half_turn(-450.0) + TAU / 4.0).abs() < 1e-12);
    }

    #[test]
    fn lengths_are_rounded_once() {
        assert_eq!(cm_from_m(0.123_456), Some(Number(12.35)));
        assert_eq!(m_from_cm(994.0), Some(9.94));
        assert_eq!((m_from_cm(f64::INFINITY), cm_from_m(f64::NAN)), (None, None));
        let byte = |number| Codec::<Number, u8, ()>::decode(&Byte, &Number(number));
        assert_eq!([-3.0, 254.6, 300.0].map(byte), [0, 255, 255].map(Some));
    }
}
