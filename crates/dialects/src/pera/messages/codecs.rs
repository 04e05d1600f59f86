//! How the swarm spells lengths, angles, bytes and shares.

use latimer_core::Value;

use crate::describe::Unit;
use crate::describe::codec::{Codec, CodecInfo, In, Numeric, Rounded, codecs, finite, within_half_turn};
use crate::pera::wire::Number;

/// Lengths to a tenth of a millimetre, angles to a hundredth of a degree.
pub(super) const HUNDREDTHS: Rounded = Rounded(100.0);

/// A distance in centimetres.
pub(super) const DISTANCE: In<Distance> = In(Unit::Centimetres, Distance);

impl Numeric for Number {
    fn number(&self) -> f64 {
        self.0
    }

    fn nearest(number: f64) -> Option<Self> {
        finite(number).map(Self)
    }
}

fn to_a_hundredth() -> CodecInfo {
    CodecInfo { precision: Some(0.01), ..CodecInfo::default() }
}

fn byte() -> CodecInfo {
    CodecInfo { range: Some((0.0, 255.0)), precision: Some(1.0), ..CodecInfo::default() }
}

codecs! {
    /// The same as `HUNDREDTHS` of a distance, which is not below 0.
    Distance: Number, f64 {
        CodecInfo { range: Some((0.0, 1_000.0)), ..to_a_hundredth() },
        |wire| finite(wire.0).map(|it| it.max(0.0)),
        |model| hundredth(*model)
    }
    /// A heading in degrees within ±180; the swarm's programs compare headings without thinking of the seam.
    Heading: Number, f64 {
        CodecInfo { turn: Some(360.0), ..to_a_hundredth() },
        |wire| Some(within_half_turn(wire.0)),
        |model| hundredth(within_half_turn(HUNDREDTHS.round(*model)))
    }
    /// What a compass shows: degrees 0..360, clockwise from +y.
    Bearing: Number, f64 {
        CodecInfo { turn: Some(360.0), factor: Some(-1.0), offset: Some(90.0), range: Some((0.0, 359.9)), ..to_a_hundredth() },
        |wire| Some(within_half_turn(90.0 - wire.0)),
        // What is rounded up to a whole turn is none.
        |model| hundredth((90.0 - model).rem_euclid(360.0)).map(|it| Number(it.0 % 360.0))
    }
    /// A number of 0..255; what is beyond is cut off.
    Byte: Number, u8 { byte(), |wire| Some(wire.0.round() as u8), |model| Some(Number(f64::from(*model))) }
    /// The same of a share.
    Share: Number, f64 {
        byte(), |wire| Some(f64::from(wire.0.round() as u8)), |model| Some(Number(model.clamp(0.0, 255.0).round()))
    }
    /// The same, 0 if it is not known.
    ShareOrNone: u8, Option<f64> {
        Unit::Bytes.info(),
        |wire| Some(Codec::<_, _, ()>::decode(&Unit::Bytes, wire, &())),
        |model| Unit::Bytes.encode(&model.unwrap_or_default(), &())
    }
    /// How far a text reaches, in the data beside it.
    Reach: Number, Value {
        CodecInfo { unit: Some(Unit::Centimetres), ..to_a_hundredth() },
        |wire| Some(Value::Map(vec![(REACH.into(), Value::Float(m_from_cm(wire.0)?))])),
        |model| hundredth(model.at(&[REACH.into()])?.as_f64()? * Unit::Centimetres.factor())
    }
}

const REACH: &str = "reach_m";

/// Centimetres to metres; what is not finite is none.
pub(super) fn m_from_cm(centimetres: f64) -> Option<f64> {
    centimetres.is_finite().then_some(centimetres / Unit::Centimetres.factor())
}

fn hundredth(number: f64) -> Option<Number> {
    Number::nearest(HUNDREDTHS.round(number))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;

    fn encoded(codec: &impl Codec<Number, f64, ()>, model: f64) -> Option<f64> {
        codec.encode(&model, &()).map(|it| it.0)
    }

    #[test]
    fn angles_stay_on_the_circle() {
        let bearing = In(Unit::Degrees, Bearing);
        assert_eq!(encoded(&bearing, PI / 2.0 + 0.000_01), Some(0.0));
        assert_eq!(encoded(&bearing, PI), Some(270.0));
        for (radians, heading) in [(-TAU / 4.0, -90.0), (TAU / 2.0, 180.0), (-0.000_01, 0.0), (4.5, -102.17)]
        {
            assert_eq!(encoded(&In(Unit::Degrees, Heading), radians), Some(heading));
        }
        assert_eq!([270.0, -450.0].map(within_half_turn), [-90.0; 2]);
    }

    #[test]
    fn lengths_are_rounded_once() {
        let length = In(Unit::Centimetres, HUNDREDTHS);
        assert_eq!((encoded(&length, 0.123_456), encoded(&length, f64::NAN)), (Some(12.35), None));
        assert_eq!((m_from_cm(994.0), m_from_cm(f64::INFINITY)), (Some(9.94), None));
        let byte = |number| Codec::<Number, u8, ()>::decode(&Byte, &Number(number), &());
        assert_eq!([-3.0, 254.6, 300.0].map(byte), [0, 255, 255].map(Some));
    }
}
