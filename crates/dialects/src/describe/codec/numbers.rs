//! Numbers in other units, rounded, or of which a turn is none.

use super::{Codec, CodecInfo, Describe};
use crate::describe::Unit;
use crate::describe::lenient::EXACT;

/// A number on the wire, of whichever type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` on the wire is no number, and units, factors and rounding are for numbers",
    label = "no number"
)]
pub trait Numeric: Sized {
    /// The number.
    fn number(&self) -> f64;

    /// The nearest; `None` of what is not finite.
    fn nearest(number: f64) -> Option<Self>;
}

impl Numeric for f64 {
    fn number(&self) -> f64 {
        *self
    }

    fn nearest(number: f64) -> Option<Self> {
        finite(number)
    }
}

macro_rules! whole_numbers {
    ($($type:ty)*) => {
        $(impl Numeric for $type {
            fn number(&self) -> f64 {
                *self as f64
            }

            fn nearest(number: f64) -> Option<Self> {
                finite(number.round()).map(|number| number as Self)
            }
        })*
    };
}

whole_numbers! { i64 u8 }

/// A number that JSON can hold; -0 becomes 0.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number + 0.0)
}

/// What rounds away what a computation adds, so that a number that was read is written as it was.
const COMPUTED: Rounded = Rounded(1e9);

impl Unit {
    /// A number of the wire in the model's unit; a share is held between nothing and all.
    fn to_model(self, wire: f64) -> f64 {
        match self {
            Self::Degrees | Self::DegreesPerSecond => wire.to_radians(),
            _ if self.ends() == Self::Percent.ends() => (wire / self.factor()).clamp(0.0, 1.0),
            _ => wire / self.factor(),
        }
    }

    /// The reverse.
    fn to_wire(self, model: f64) -> f64 {
        COMPUTED.round(match self {
            Self::Degrees | Self::DegreesPerSecond => model.to_degrees(),
            _ => model * self.factor(),
        })
    }
}

/// What a codec of numbers reads and writes, in another unit.
#[derive(Clone, Copy, Debug)]
pub struct In<C>(pub Unit, pub C);

impl<C: Describe> Describe for In<C> {
    fn info(&self) -> CodecInfo {
        CodecInfo { unit: Some(self.0), ..self.1.info() }
    }
}

impl<C: Codec<W, f64, Cx>, W, Cx> Codec<W, f64, Cx> for In<C> {
    fn decode(&self, wire: &W, context: &Cx) -> Option<f64> {
        self.1.decode(wire, context).map(|number| self.0.to_model(number))
    }

    fn encode(&self, model: &f64, context: &Cx) -> Option<W> {
        self.1.encode(&self.0.to_wire(*model), context)
    }
}

/// A number that is counted otherwise: on the wire it is the model's times this.
#[derive(Clone, Copy, Debug)]
pub struct Factor(pub f64);

/// A computed number, rounded to a fraction of its unit: `Rounded(1e4)` to a tenth of a thousandth.
#[derive(Clone, Copy, Debug)]
pub struct Rounded(pub f64);

impl Rounded {
    /// A number, rounded; as it is where it is too large to have such fractions.
    pub fn round(self, number: f64) -> f64 {
        let scaled = number * self.0;
        if scaled.abs() <= EXACT { scaled.round() / self.0 + 0.0 } else { number }
    }
}

/// An angle, rounded likewise.
#[derive(Clone, Copy, Debug)]
pub struct Angle(pub Rounded);

/// Degrees on the wire, of which a full turn is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// About 0, of an angle within ±π.
    Half,
    /// 0..360, of an angle within ±π.
    Full,
    /// 0..360, of an angle that bounds a part of a circle, 0..2π.
    Bound,
}

/// Degrees, within ±180.
pub(crate) fn within_half_turn(degrees: f64) -> f64 {
    let turned = degrees.rem_euclid(360.0);
    if turned > 180.0 { turned - 360.0 } else { turned }
}

/// Declares how numbers of any type on the wire stand for those of the model: what descriptions tell, what is decoded, what is encoded.
macro_rules! numeric {
    ($($name:ident { |$codec:ident| $info:expr, |$wire:ident| $decode:expr, |$model:ident| $encode:expr })*) => {
        $(
            impl Describe for $name {
                fn info(&self) -> CodecInfo {
                    let $codec = self;
                    $info
                }
            }

            impl<W: Numeric, Cx> Codec<W, f64, Cx> for $name {
                fn decode(&self, wire: &W, _: &Cx) -> Option<f64> {
                    let ($codec, $wire) = (self, wire.number());
                    finite($decode)
                }

                fn encode(&self, $model: &f64, _: &Cx) -> Option<W> {
                    let ($codec, $model) = (self, *$model);
                    W::nearest($encode)
                }
            }
        )*
    };
}

numeric! {
    Unit {
        |unit| {
            let range = (unit.ends() == Self::Percent.ends()).then_some((0.0, unit.factor()));
            CodecInfo { unit: Some(*unit), range, ..CodecInfo::default() }
        },
        |wire| unit.to_model(wire),
        |model| unit.to_wire(model)
    }
    Factor {
        |factor| CodecInfo { factor: Some(factor.0), ..CodecInfo::default() },
        |wire| wire / factor.0,
        |model| model * factor.0
    }
    Rounded {
        |rounded| CodecInfo { precision: Some(1.0 / rounded.0), ..CodecInfo::default() },
        |wire| { let _ = rounded; wire },
        |model| rounded.round(model)
    }
    Angle {
        |angle| CodecInfo { turn: Some(std::f64::consts::TAU), ..angle.0.info() },
        |wire| { let _ = angle; wire },
        |model| angle.0.round(model)
    }
    Turn {
        |turn| {
            let range = (*turn != Self::Half).then_some((0.0, 359.9));
            CodecInfo { turn: Some(360.0), range, ..CodecInfo::default() }
        },
        |wire| if *turn == Self::Bound { wire } else { within_half_turn(wire) },
        |model| match turn {
            Self::Half => model,
            Self::Full | Self::Bound => COMPUTED.round(model.rem_euclid(360.0)) % 360.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    fn decoded(codec: impl Codec<f64, f64, ()>, wire: f64) -> f64 {
        codec.decode(&wire, &()).unwrap()
    }

    #[test]
    fn numbers_come_back_in_any_unit() {
        for unit in Unit::ALL {
            for number in [0.0_f64, 1.0, 7.0, 81.0, 100.0] {
                let held = if unit.ends() == "_ratio" { number.min(unit.factor()) } else { number };
                assert_eq!(unit.encode(&decoded(*unit, number), &()), Some(held), "{unit:?}");
                assert_eq!(unit.encode(&decoded(*unit, number), &()), Some(held as i64), "{unit:?}");
            }
        }
        assert_eq!(
            [-5.09, 626.0, 1e-9].map(|it| Unit::Degrees.encode(&decoded(Unit::Degrees, it), &())),
            [Some(-5.09), Some(626.0), Some(1e-9)]
        );
        assert_eq!([150.0, -1.0].map(|percent| decoded(Unit::Percent, percent)), [1.0, 0.0]);
    }

    #[test]
    fn left_is_positive_and_a_full_turn_is_none() {
        let full = In(Unit::Degrees, Turn::Full);
        for (degrees, radians) in [(90.0, FRAC_PI_2), (270.0, -FRAC_PI_2), (180.0, PI), (360.0, 0.0)] {
            assert_eq!(decoded(full, degrees), radians);
        }
        assert_eq!([-1e-15, 5.0 * PI].map(|it| full.encode(&it, &())), [Some(0.0), Some(180.0)]);
        for degrees in [0.0, 2.004, 180.0, 181.0, 359.9] {
            assert_eq!(full.encode(&decoded(full, degrees), &()), Some(degrees));
        }
    }

    #[test]
    fn hostile_numbers_stay_numbers_or_go() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let codecs: [&dyn Codec<f64, f64, ()>; 4] =
                [&Unit::Degrees, &Factor(-1.0), &Rounded(1e4), &In(Unit::Degrees, Turn::Full)];
            assert_eq!(codecs.map(|codec| codec.encode(&bad, &())), [None; 4]);
            assert_eq!(Codec::<i64, _, ()>::encode(&Unit::Milliseconds, &bad, &()), None);
        }
        assert_eq!(Codec::<f64, _, ()>::encode(&Unit::Degrees, &1e308, &()), None);
        assert_eq!(Unit::Degrees.encode(&-0.0, &()).map(f64::is_sign_negative), Some(false));
        assert!(decoded(In(Unit::Degrees, Turn::Half), 1e308).abs() <= PI);
        assert_eq!(Unit::Milliseconds.encode(&1e300, &()), Some(i64::MAX));
    }
}
