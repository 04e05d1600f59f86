//! How a chassis spells moments, measures and places.

use latimer_core::Timestamp;

use super::Context;
use crate::axbot::style::{self, ScanStamps};
use crate::axbot::wire::{Measured, Moment, Point, Score};
use crate::describe::codec::{Angle, Codec, CodecInfo, Describe, Each, Rounded, codecs, finite};

/// The wire has lengths to a tenth of a millimetre.
pub(in crate::axbot) const METRES: Rounded = Rounded(1e4);

/// The wire has angles to a tenth of a milliradian.
pub(in crate::axbot) const RADIANS: Angle = Angle(Rounded(1e4));

/// What is computed of shares, or of anything of which it is not known how finely it was measured.
pub(in crate::axbot) const COMPUTED: Rounded = Rounded(1e9);

/// Moments above are in milliseconds: as seconds they would be in the year 5138.
const MILLISECONDS_FROM: f64 = 1e11;

/// Latest moment that a timestamp holds, seconds since 1970.
const LATEST_S: f64 = 9.2e9;

const NANOS_PER_S: i64 = 1_000_000_000;
const NANOS_PER_MS: i64 = 1_000_000;

codecs! {
    /// Whole seconds since 1970.
    Seconds: i64, Timestamp {
        CodecInfo::default(),
        |wire| timestamp_from_moment(*wire as f64),
        |model| Some(model.as_nanos().div_euclid(NANOS_PER_S))
    }
    /// Seconds since 1970 to the millisecond; milliseconds are read too.
    Instant: Moment, Timestamp {
        CodecInfo::default(),
        |wire| timestamp_from_moment(wire.0),
        |model| Some(Moment(milliseconds(*model) / 1e3))
    }
    /// Seconds, to a billionth.
    Elapsed: Moment, f64 {
        CodecInfo::default(), |wire| Some(wire.0), |model| finite(COMPUTED.round(*model)).map(Moment)
    }
    /// A number, or the text `nan` for one that nobody measured.
    OrNan: Measured, f64 {
        COMPUTED.info(), |wire| wire.number(), |model| finite(COMPUTED.round(*model)).map(Measured::Number)
    }
    /// A place on the map by its first two numbers.
    Xy: Point, [f64; 2] {
        CodecInfo::default(), |wire| Some(wire.xy()), |[x_m, y_m]| Some(Point::flat([metres(*x_m)?, metres(*y_m)?]))
    }
    /// A place: x and y; the height is read where there is one.
    Resource: Point, [f64; 3] {
        METRES.info(),
        |wire| Some([wire.x, wire.y, wire.third.unwrap_or(0.0)]),
        |[x_m, y_m, _]| Some(Point::flat([metres(*x_m)?, metres(*y_m)?]))
    }
    /// A place with its height.
    Spot: Point, [f64; 3] {
        METRES.info(),
        |wire| Some([wire.x, wire.y, wire.third.unwrap_or(0.0)]),
        |[x_m, y_m, z_m]| Some(Point::with(metres(*x_m)?, metres(*y_m)?, metres(*z_m)?))
    }
    /// A corner of an outline, whose axes are turned.
    Corner: Point, [f64; 2] {
        CodecInfo { is_turned: true, ..CodecInfo::default() },
        |wire| Some([wire.y, -wire.x + 0.0]),
        |[x_m, y_m]| Some(Point::flat([metres(-y_m)?, metres(*x_m)?]))
    }
    /// An outline, which has corners.
    Outline: Vec<Point>, Vec<[f64; 2]> {
        Corner.info(), |wire| Some(outline(wire)).filter(|it| !it.is_empty()), |model| Some(corners(model))
    }
}

fn metres(metres: f64) -> Option<f64> {
    finite(METRES.round(metres))
}

/// An outline of the wire.
pub(in crate::axbot) fn outline(corners: &Vec<Point>) -> Vec<[f64; 2]> {
    Each(Corner).decode(corners, &()).unwrap_or_default()
}

/// The reverse.
pub(in crate::axbot) fn corners(outline_m: &Vec<[f64; 2]>) -> Vec<Point> {
    Each(Corner).encode(outline_m, &()).unwrap_or_default()
}

/// A moment of the wire, in seconds or milliseconds since 1970.
fn timestamp_from_moment(moment: f64) -> Option<Timestamp> {
    let seconds = if moment > MILLISECONDS_FROM { moment / 1e3 } else { moment };
    // Floats hold the present day to a quarter of a microsecond: what is below is noise.
    let nanos = || (seconds * 1e6).round() as i64 * 1_000;
    (seconds > 0.0 && seconds < LATEST_S).then(|| Timestamp::from_nanos(nanos()))
}

fn milliseconds(at: Timestamp) -> f64 {
    at.as_nanos().div_euclid(NANOS_PER_MS) as f64
}

/// The stamp of a scan or a path, in milliseconds or seconds as the style has it.
pub(in crate::axbot) struct ScanStamp;

impl Describe for ScanStamp {}

impl Codec<Moment, Timestamp, Context> for ScanStamp {
    fn decode(&self, wire: &Moment, context: &Context) -> Option<Timestamp> {
        Instant.decode(wire, context)
    }

    fn encode(&self, model: &Timestamp, context: &Context) -> Option<Moment> {
        match context.style.scan_stamps {
            ScanStamps::Milliseconds => Some(Moment(milliseconds(*model))),
            ScanStamps::Seconds => Instant.encode(model, context),
        }
    }
}

/// A number that is written as text or as a number, as the style has it.
pub(super) struct ByStyle;

impl Describe for ByStyle {}

impl Codec<Score, f64, Context> for ByStyle {
    fn decode(&self, wire: &Score, _: &Context) -> Option<f64> {
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
    fn decode(&self, wire: &String, _: &Context) -> Option<Option<f64>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_back_in_either_unit() {
        for (moment, scan_stamps) in
            [(1653302201889.0, ScanStamps::Milliseconds), (1653303702.821, ScanStamps::Seconds)]
        {
            let style = style::Style { scan_stamps, ..style::Style::default() };
            let context = Context { style, ..Context::default() };
            let at = ScanStamp.decode(&Moment(moment), &context).unwrap();
            assert_eq!(ScanStamp.encode(&at, &context), Some(Moment(moment)));
        }
        for nonsense in [-1.0, 0.0, 1e300, f64::NAN] {
            assert_eq!(timestamp_from_moment(nonsense), None);
        }
        let seconds = |wire| Codec::<_, Timestamp, ()>::decode(&Seconds, &wire, &());
        assert_eq!(seconds(i64::MIN), None);
        assert_eq!(seconds(1_653_299_708), Some(Timestamp::from_nanos(1_653_299_708_000_000_000)));
    }

    #[test]
    fn places_are_published_as_finely_as_they_mean_something() {
        let xy = |x_m, y_m| Xy.encode(&[x_m, y_m], &());
        assert_eq!(xy(1.599539330859378, -0.000_001), Some(Point::flat([1.5995, 0.0])));
        assert_eq!(xy(-2.300_000_000_000_000_3, 1e6), Some(Point::flat([-2.3, 1e6])));
        assert_eq!(xy(f64::MAX, 0.0), Some(Point::flat([f64::MAX, 0.0])), "beyond what can be scaled");
        assert_eq!(xy(f64::NAN, 0.0), None);
        let heading = |yaw| RADIANS.encode(&yaw, &());
        assert_eq!((heading(-2.345_678), heading(0.299_999_999_999)), (Some(-2.3457), Some(0.3)));
    }
}
