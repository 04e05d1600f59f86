//! How a chassis spells moments, measures and places.

use latimer_core::Timestamp;

use super::Context;
use crate::axbot::map::units::{secs_from_timestamp, stamp_from_secs};
use crate::axbot::style;
use crate::axbot::wire::{Measured, Point, Score};
use crate::describe::codec::{Angle, Codec, CodecInfo, Describe, Rounded, finite};

/// Lengths are told to a tenth of a millimetre.
pub(super) const METRES: Rounded = Rounded(1e4);

/// Angles are told to a tenth of a milliradian.
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
