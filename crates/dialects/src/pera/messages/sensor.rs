//! `sensor/*`: "Distance Sensor", "Color Sensor", "Proximity Sensor" and "Compass Sensor" of the specification.

use std::fmt;

use latimer_core::model::signal::{Color, Imu, Orientation, Range, RangeStatus};
use serde::{Deserialize, Deserializer};

use super::codecs::{Bearing, Byte, DISTANCE, HUNDREDTHS, Share, ShareOrNone, m_from_cm};
use super::{Context, REALITIES, whose};
use crate::describe::codec::{Codec, Words};
use crate::describe::{Incomplete, Message, Translate, need};
use crate::pera::roster::SwarmId;
use crate::pera::wire::{DecodeError, List, Number, Reality, id, text};

/// Most directions of one request.
const MAX_ANGLES: usize = 720;

/// `sensor/distance`: a robot asks, and may tell what it measured itself.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct DistanceRequest {
    /// The robot's number in the swarm.
    #[field(read = id::read)]
    pub id: SwarmId,
    /// Its own reading, left out by robots that only ask.
    #[field(model = "distance_m", codec = DISTANCE, note = "left out by robots that only ask")]
    pub dist: Option<Number>,
    /// What counts: `R` real, `V` virtual, `M` both.
    #[field(own, codec = Words(REALITIES))]
    pub reality: Option<Reality>,
}

impl Translate for DistanceRequest {
    type Record = Range;
    type Context = Context;

    fn decode(&self, context: &Context) -> Result<Range, Incomplete> {
        let distance_m = self.dist.and_then(|dist| DISTANCE.decode(&dist, context));
        need(distance_m, "dist").map(Range::valid)
    }

    /// Where nothing is in view it is as far as the sensor sees; `None` if neither is known.
    fn encode(range: &Range, context: &Context) -> Option<Self> {
        let Range { distance_m, status, status_code: _, min_m: _, max_m, field_of_view_rad: _ } = range;
        let is_free = matches!(status, RangeStatus::NothingInView | RangeStatus::TooFar);
        let dist = DISTANCE.encode(&distance_m.or(max_m.filter(|_| is_free))?, context)?;
        Some(Self { id: context.id, dist: Some(dist), reality: None })
    }
}

/// `sensor/color`: the same for colours; each is 0..255.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Color, context = Context)]
#[allow(non_snake_case, reason = "the specification's words")]
pub struct ColorRequest {
    /// The robot's number in the swarm.
    #[field(own = whose, read = id::read)]
    pub id: SwarmId,
    /// Red, as it measured.
    #[field(red, codec = Byte, required, note = "0..255")]
    pub R: Option<Number>,
    /// Green.
    #[field(green, codec = Byte, required, note = "0..255")]
    pub G: Option<Number>,
    /// Blue.
    #[field(blue, codec = Byte, required, note = "0..255")]
    pub B: Option<Number>,
    /// Light around it.
    #[field(ambient_ratio, codec = Share, unit = Bytes)]
    pub ambient: Option<Number>,
    /// What counts: `R` real, `V` virtual, `M` both.
    #[field(own, codec = Words(REALITIES))]
    pub reality: Option<Reality>,
}

/// `sensor/proximity`: a robot asks in several directions.
#[derive(Clone, Debug, Default, PartialEq, Message)]
pub struct ProximityRequest {
    /// The robot's number in the swarm.
    #[field(read = id::read)]
    pub id: SwarmId,
    /// Degrees from ahead, clockwise: -90 is its left.
    #[field(read = angles)]
    pub angles: Option<Vec<Number>>,
    /// What counts: `R` real, `V` virtual, `M` both.
    #[field(own, codec = Words(REALITIES))]
    pub reality: Option<Reality>,
}

fn angles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Number>>, D::Error> {
    let Some(List(angles)) = Option::deserialize(deserializer)? else { return Ok(None) };
    if angles.len() > MAX_ANGLES {
        let problem = format_args!("{} angles are too many, the most is {MAX_ANGLES}", angles.len());
        return Err(serde::de::Error::custom(problem));
    }
    Ok(Some(angles))
}

/// `sensor/compass/`: what a robot's compass shows.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Imu, context = Context, wholes(orientation = Orientation))]
#[message(ignores(orientation.roll_rad, orientation.pitch_rad, angular_velocity, linear_acceleration))]
pub struct Compass {
    /// The robot's number in the swarm.
    #[field(own = whose, read = id::read)]
    pub id: SwarmId,
    /// Clockwise from +y.
    #[field(orientation.yaw_rad, codec = Bearing, unit = Degrees, note = "90 less the heading")]
    pub compass: Number,
}

/// `sensor/distance/{id}`: `{distance}`, infinite if nothing is in view.
#[derive(Clone, Copy, Debug, PartialEq, Message)]
#[message(json = none)]
pub struct DistanceReply(
    /// What the simulator says.
    #[field(name = "distance", model = "distance_m", codec = HUNDREDTHS, unit = Centimetres)]
    #[field(note = "below 0 for what touches the robot; 994 and 1000 are nothing in view")]
    pub f64,
);

/// What the reference's simulator tells where nothing is in view: a thousand less a robot's diameter.
const FREE_IN_REFERENCE_CM: f64 = 994.0;

/// What is published here where nothing is in view; the same without the diameter.
pub(in crate::pera) const FREE_CM: f64 = 1_000.0;

/// A distance below nothing is that of something that touches the robot.
pub(in crate::pera) fn range_from_reply(reply: DistanceReply) -> Range {
    let is_free = reply.0 == FREE_IN_REFERENCE_CM || reply.0 >= FREE_CM;
    match m_from_cm(reply.0).filter(|_| !is_free) {
        Some(distance_m) => Range::valid(distance_m.max(0.0)),
        None => Range::nothing(),
    }
}

impl DistanceReply {
    pub(in crate::pera) fn from_text(text: &str) -> Result<Self, DecodeError> {
        match text.trim() {
            "Infinity" => Ok(Self(f64::INFINITY)),
            word => text::one(word).map(Self),
        }
    }
}

impl fmt::Display for DistanceReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Number(self.0).fmt(f)
    }
}

/// `sensor/color/{id}`: `{R} {G} {B} {ambient}`, each 0..255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Message)]
#[message(record = Color, context = Context, json = none)]
#[allow(non_snake_case, reason = "the specification's words")]
pub struct ColorReply {
    /// Red.
    #[field(red, note = "0..255")]
    pub R: u8,
    /// Green.
    #[field(green, note = "0..255")]
    pub G: u8,
    /// Blue.
    #[field(blue, note = "0..255")]
    pub B: u8,
    /// Light around.
    #[field(ambient_ratio, codec = ShareOrNone)]
    pub ambient: u8,
}

impl ColorReply {
    pub(in crate::pera) fn from_text(text: &str) -> Result<Self, DecodeError> {
        // A number beyond its range is cut off by the conversion.
        let [r, g, b, ambient] = text::numbers(text)?.map(|number: f64| number.round() as u8);
        Ok(Self { R: r, G: g, B: b, ambient })
    }
}

impl fmt::Display for ColorReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.R, self.G, self.B, self.ambient)
    }
}

/// `sensor/proximity/{id}`: all distances, then all colours.
#[derive(Clone, Debug, PartialEq, Message)]
#[message(json = none)]
pub struct ProximityReply {
    /// One for each angle.
    #[field(model = "distance_m", codec = HUNDREDTHS, unit = Centimetres)]
    pub distances: Vec<f64>,
    /// `#404040`, one for each angle.
    #[field(model = "red", model = "green", model = "blue", kind = Color, note = "two digits each of `#404040`")]
    pub colors: Vec<String>,
}

impl ProximityReply {
    pub(in crate::pera) fn from_text(text: &str) -> Result<Self, DecodeError> {
        let words: Vec<&str> = text.split_whitespace().take(2 * MAX_ANGLES + 1).collect();
        if words.len() % 2 == 1 || words.len() > 2 * MAX_ANGLES {
            return Err(DecodeError::UnpairedColors);
        }
        let (distances, colors) = words.split_at(words.len() / 2);
        let distances = distances.iter().map(|word| Ok(DistanceReply::from_text(word)?.0));
        let distances = distances.collect::<Result<_, DecodeError>>()?;
        Ok(Self { distances, colors: colors.iter().map(|word| (*word).to_owned()).collect() })
    }
}

/// Without any angle it is a single space, as the reference has it.
impl fmt::Display for ProximityReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, distance) in self.distances.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{}", Number(*distance))?;
        }
        f.write_str(" ")?;
        f.write_str(&self.colors.join(" "))
    }
}

/// Distances and colours in the directions that a robot asked for: angle in degrees, distance, colour if it has one.
pub(in crate::pera) fn seen_in_proximity(
    ProximityReply { distances, colors }: &ProximityReply,
    angles: &[Number],
) -> Vec<(Number, Range, Option<Color>)> {
    let seen = angles.iter().zip(distances).zip(colors);
    seen.map(|((angle, distance), color)| {
        (*angle, range_from_reply(DistanceReply(*distance)), color_from_hex(color))
    })
    .collect()
}

/// `#404040`; `None` for words.
fn color_from_hex(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(Color { red, green, blue, ambient_ratio: None })
}
