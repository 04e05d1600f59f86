//! How a chassis spells moments, measures and places.

use latimer_core::Timestamp;

use super::Context;
use crate::axbot::map::units::{secs_from_timestamp, stamp_from_secs};
use crate::axbot::style;
use crate::axbot::wire::{Measured, Moment, Point, Score};
use crate::describe::codec::{Angle, Codec, CodecInfo, Describe, Each, Rounded, finite};

/// The wire has lengths to a tenth of a millimetre.
pub(super) const METRES: Rounded = Rounded(1e4);

/// The wire has angles to a tenth of a milliradian.
pub(super) const RADIANS: Angle = Angle(Rounded(1e4));

/// Whole seconds since 1970.
pub(super) struct Seconds;

impl Describe for Seconds {}

impl Codec<i64, Timestamp, Context> for Seconds {
    fn decode(&self, wire: &i64) -> Option<Timestamp> {
        let nowhere = Timestamp::default();
        let stamp = stamp_from_secs(Some(*wire), nowhere);
        (stamp.at != nowhere).then_some(stamp.at)
    }

    fn encode(&self, model: &Timestamp, _: &Context) -> Option<i64> {
        Some(secs_from_timestamp(*model))
    }
}

/// A number, or the text `nan` for one that nobody measured.
pub(super) struct OrNan(pub(super) Rounded);

impl Describe for OrNan {
    fn info(&self) -> CodecInfo {
        self.0.info()
    }
}

impl Codec<Measured, f64, Context> for OrNan {
    fn decode(&self, wire: &Measured) -> Option<f64> {
        wire.number()
    }

    fn encode(&self, model: &f64, context: &Context) -> Option<Measured> {
        self.0.encode(model, context).map(Measured::Number)
    }
}

/// A number that is written as text or as a number, as the style has it.
pub(super) struct ByStyle;

impl Describe for ByStyle {}

impl Codec<Score, f64, Context> for ByStyle {
    fn decode(&self, wire: &Score) -> Option<f64> {
        wire.number()
    }

    fn encode(&self, model: &f64, context: &Context) -> Option<Score> {
        let score = finite(*model)?;
        Some(match context.style.score {
            style::Score::Text => Score::Text(score.to_string()),
            style::Score::Number => Score::Number(score),
        })
    }
}

/// A place: x and y; the height is read where there is one.
pub(super) struct Place;

impl Describe for Place {
    fn info(&self) -> CodecInfo {
        METRES.info()
    }
}

impl Codec<Point, [f64; 3], Context> for Place {
    fn decode(&self, wire: &Point) -> Option<[f64; 3]> {
        Some([wire.x, wire.y, wire.third.unwrap_or(0.0)])
    }

    fn encode(&self, [x_m, y_m, _]: &[f64; 3], context: &Context) -> Option<Point> {
        Some(Point::flat([METRES.encode(x_m, context)?, METRES.encode(y_m, context)?]))
    }
}

/// The numbers of a matrix: all of them, or none.
pub(super) struct All;

impl Describe for All {}

impl Codec<Vec<f64>, Vec<f64>, Context> for All {
    fn decode(&self, wire: &Vec<f64>) -> Option<Vec<f64>> {
        Some(wire.clone())
    }

    fn encode(&self, model: &Vec<f64>, _: &Context) -> Option<Vec<f64>> {
        // With one of the numbers left out the others would stand in wrong places.
        let numbers: Option<Vec<f64>> = model.iter().copied().map(finite).collect();
        numbers.filter(|numbers| !numbers.is_empty())
    }
}

/// Seconds, to a billionth.
pub(super) struct Elapsed;

impl Describe for Elapsed {}

impl Codec<Moment, f64, Context> for Elapsed {
    fn decode(&self, wire: &Moment) -> Option<f64> {
        Some(wire.0)
    }

    fn encode(&self, model: &f64, context: &Context) -> Option<Moment> {
        Rounded(1e9).encode(model, context).map(Moment)
    }
}

/// A flag as 0 or 1.
pub(super) struct Bit;

impl Describe for Bit {
    fn info(&self) -> CodecInfo {
        CodecInfo { range: Some((0.0, 1.0)), ..CodecInfo::default() }
    }
}

impl Codec<i64, bool, Context> for Bit {
    fn decode(&self, wire: &i64) -> Option<bool> {
        Some(*wire != 0)
    }

    fn encode(&self, model: &bool, _: &Context) -> Option<i64> {
        Some(i64::from(*model))
    }
}

/// About how fast jacks and rollers go, which take ten seconds: the wire tells the direction alone.
const RATE_RATIOPS: f64 = 0.1;

/// Words for which way a joint goes; `unknown` is written for one that does not tell.
pub(super) struct Direction {
    pub(super) hold: &'static str,
    pub(super) up: &'static str,
    pub(super) down: &'static str,
}

impl Describe for Direction {
    fn info(&self) -> CodecInfo {
        let Self { hold, up, down } = self;
        CodecInfo { words: vec![(hold, "0"), (up, "above 0"), (down, "below 0")], ..CodecInfo::default() }
    }
}

impl Codec<String, Option<f64>, Context> for Direction {
    fn decode(&self, wire: &String) -> Option<Option<f64>> {
        let Self { hold, up, down } = self;
        let rates = [(hold, 0.0), (up, RATE_RATIOPS), (down, -RATE_RATIOPS)];
        Some(rates.into_iter().find(|(known, _)| **known == wire).map(|(_, rate)| rate))
    }

    fn encode(&self, model: &Option<f64>, _: &Context) -> Option<String> {
        let word = match model.and_then(finite) {
            None => "unknown",
            Some(rate) if rate > 0.0 => self.up,
            Some(rate) if rate < 0.0 => self.down,
            Some(_) => self.hold,
        };
        Some(word.to_owned())
    }
}

/// A place on the map by its first two numbers.
pub(super) struct Xy;

impl Describe for Xy {}

impl Codec<Point, [f64; 2], Context> for Xy {
    fn decode(&self, wire: &Point) -> Option<[f64; 2]> {
        Some(wire.xy())
    }

    fn encode(&self, [x_m, y_m]: &[f64; 2], context: &Context) -> Option<Point> {
        Some(Point::flat([METRES.encode(x_m, context)?, METRES.encode(y_m, context)?]))
    }
}

/// A corner of an outline, whose axes are turned.
pub(in crate::axbot) struct Corner;

impl Describe for Corner {
    fn info(&self) -> CodecInfo {
        CodecInfo { is_turned: true, ..CodecInfo::default() }
    }
}

impl Codec<Point, [f64; 2], Context> for Corner {
    fn decode(&self, wire: &Point) -> Option<[f64; 2]> {
        Some([wire.y, -wire.x + 0.0])
    }

    fn encode(&self, [x_m, y_m]: &[f64; 2], context: &Context) -> Option<Point> {
        Xy.encode(&[-y_m, *x_m], context)
    }
}

/// An outline, which has corners.
pub(super) struct Outline;

impl Describe for Outline {
    fn info(&self) -> CodecInfo {
        Corner.info()
    }
}

impl Codec<Vec<Point>, Vec<[f64; 2]>, Context> for Outline {
    fn decode(&self, wire: &Vec<Point>) -> Option<Vec<[f64; 2]>> {
        Codec::<_, _, Context>::decode(&Each(Corner), wire)
            .filter(|corners: &Vec<[f64; 2]>| !corners.is_empty())
    }

    fn encode(&self, model: &Vec<[f64; 2]>, context: &Context) -> Option<Vec<Point>> {
        Each(Corner).encode(model, context)
    }
}
