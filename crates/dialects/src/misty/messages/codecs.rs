//! How Misty spells moments, angles, shares, lengths and names.

use latimer_core::{PartName, Timestamp, Value};
use serde_json::Value as Json;

use crate::describe::codec::{
    Codec, CodecInfo, DEGREES, Describe, Factor, Rounded, Whole, codecs, finite, within_half_turn,
};
use crate::json::{json_from_value, value_from_json};
use crate::misty::map::names::{Family, Given, names_from_part, part_from_names};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};

/// What rounds away what a computation adds.
const COMPUTED: Rounded = Rounded(1e9);

/// Whole milliseconds.
pub(super) const MILLISECONDS: Whole<Factor> = Whole(Factor(1e3));

/// Directions of the sound levels.
const DIRECTIONS: usize = 360;

fn degrees(sign: f64, turn: Option<f64>, range: Option<(f64, f64)>) -> CodecInfo {
    CodecInfo { factor: Some(sign * DEGREES), turn, range, ..CodecInfo::default() }
}

fn counted(factor: f64, range: Option<(f64, f64)>) -> CodecInfo {
    CodecInfo { factor: Some(factor), range, ..CodecInfo::default() }
}

codecs! {
    /// A moment in UTC.
    Utc: String, Timestamp {
        CodecInfo { moment: true, ..CodecInfo::default() },
        |wire| timestamp_from_utc(wire),
        |model| Some(utc_from_timestamp(*model))
    }
    /// A share, in spite of its name: robots send 1.0 on the charger, and later manuals call it a decimal value. Above 1 it
    /// is read as percent.
    Charge: f64, f64 {
        CodecInfo { range: Some((0.0, 1.0)), ..COMPUTED.info() },
        |wire| Some((if *wire > 1.0 { wire / 100.0 } else { *wire }).clamp(0.0, 1.0)),
        |model| computed(*model)
    }
    /// Degrees, also of more than a turn.
    Degrees: f64, f64 {
        degrees(1.0, None, None), |wire| Some(wire.to_radians()), |model| computed(model.to_degrees())
    }
    /// Degrees that count downward, of an angle that counts upward.
    DegreesDown: f64, f64 {
        degrees(-1.0, None, None), |wire| Some(-wire.to_radians()), |model| computed(-model.to_degrees())
    }
    /// Degrees about 0 of an angle within ±π.
    HalfTurn: f64, f64 {
        degrees(1.0, Some(360.0), None), |wire| Some(within_half_turn(*wire)), |model| computed(model.to_degrees())
    }
    /// Degrees 0..360 of an angle within ±π.
    FullTurn: f64, f64 {
        degrees(1.0, Some(360.0), Some((0.0, 359.9))), |wire| Some(within_half_turn(*wire)), |model| turned(*model)
    }
    /// Degrees 0..360 of an angle that bounds a part of a circle, 0..2π.
    Bound: f64, f64 {
        degrees(1.0, Some(360.0), Some((0.0, 359.9))), |wire| Some(wire.to_radians()), |model| turned(*model)
    }
    /// Centimetres.
    Centimetres: f64, f64 {
        counted(100.0, None), |wire| Some(wire / 100.0), |model| computed(model * 100.0)
    }
    /// Whole percent.
    Percent: i64, f64 {
        counted(100.0, Some((0.0, 100.0))),
        |wire| Some((*wire as f64 / 100.0).clamp(0.0, 1.0)),
        |model| finite(model * 100.0).map(|percent| percent.round() as i64)
    }
    /// A level of 0..255 for each degree; those of a coarser or finer robot are spread over 360 directions.
    Polar: Vec<u8>, Vec<f64> {
        CodecInfo { length: Some(DIRECTIONS), ..counted(255.0, Some((0.0, 255.0))) },
        |wire| Some(wire.iter().map(|level| f64::from(*level) / 255.0).collect()),
        |model| Some(polar_from_activity(model))
    }
    /// Data without a schema.
    Data: Json, Value {
        CodecInfo::default(), |wire| Some(value_from_json(wire)), |model| Some(json_from_value(model))
    }
    /// A text where the specification's samples show `null`.
    AnyText: Json, String {
        CodecInfo { examples: vec!["person", "cup"], ..CodecInfo::default() },
        |wire| wire.as_str().map(str::to_owned),
        |model| Some(Json::String(model.clone()))
    }
}

/// Without what a computation adds, so that a number that was read is written as it was.
fn computed(number: f64) -> Option<f64> {
    finite(COMPUTED.round(number))
}

/// Degrees 0..360 from radians of any turn.
fn turned(radians: f64) -> Option<f64> {
    let turned = COMPUTED.round(COMPUTED.round(radians.to_degrees()).rem_euclid(360.0));
    finite(if turned >= 360.0 { 0.0 } else { turned })
}

/// A byte from a ratio; what is outside of 0..1 is held at the end.
fn byte_from_ratio(ratio: f64) -> u8 {
    (ratio * 255.0).round() as u8
}

/// Every client counts on 360 directions.
fn polar_from_activity(activity_ratio: &[f64]) -> Vec<u8> {
    match activity_ratio.len() {
        0 | DIRECTIONS => activity_ratio.iter().copied().map(byte_from_ratio).collect(),
        steps => (0..DIRECTIONS)
            .map(|degree| (degree * steps + DIRECTIONS / 2) / DIRECTIONS % steps)
            .map(|nearest| byte_from_ratio(activity_ratio[nearest]))
            .collect(),
    }
}

/// A word of an open list, kept as it is.
pub(super) struct OneOf(pub(super) &'static [&'static str]);

impl Describe for OneOf {
    fn info(&self) -> CodecInfo {
        CodecInfo { examples: self.0.to_vec(), ..CodecInfo::default() }
    }
}

/// One of the names of a sensor of these families.
pub(super) enum NameOf {
    /// `sensorId`.
    Id(&'static [Family]),
    /// `sensorName`.
    Name(&'static [Family]),
    /// `sensorPosition`.
    Position(&'static [Family]),
    /// `actuatorId`.
    Motor(&'static [Family]),
}

impl NameOf {
    const fn families(&self) -> &'static [Family] {
        match self {
            Self::Id(of) | Self::Name(of) | Self::Position(of) | Self::Motor(of) => of,
        }
    }
}

impl Describe for NameOf {
    fn info(&self) -> CodecInfo {
        let sensors = || self.families().iter().flat_map(|family| family.sensors());
        let names = sensors().map(|sensor| match self {
            Self::Id(_) => sensor.sensor_id,
            Self::Name(_) => sensor.sensor_name,
            Self::Position(_) => sensor.sensor_position,
            Self::Motor(_) => sensor.actuator_id,
        });
        let names: Vec<&str> = names.collect();
        // The id that all touch sensors share tells none of them.
        let shared = names.len() > 1 && names.iter().all(|name| *name == names[0]);
        let words = names.into_iter().zip(sensors().map(|sensor| sensor.part)).filter(|_| !shared);
        CodecInfo { words: words.collect(), ..CodecInfo::default() }
    }
}

impl<Cx> Codec<String, PartName, Cx> for NameOf {
    fn decode(&self, wire: &String) -> Option<PartName> {
        let name = Some(wire.as_str());
        let given = match self {
            Self::Id(_) | Self::Motor(_) => Given { sensor_id: name, ..Given::default() },
            Self::Name(_) => Given { sensor_name: name, ..Given::default() },
            Self::Position(_) => Given { sensor_position: name, ..Given::default() },
        };
        self.families().iter().find_map(|family| part_from_names(*family, given))
    }

    fn encode(&self, model: &PartName, _: &Cx) -> Option<String> {
        let names = names_from_part(*self.families().first()?, Some(model));
        Some(match self {
            Self::Id(_) => names.sensor_id.to_owned(),
            Self::Name(_) => names.sensor_name.into_owned(),
            Self::Position(_) => names.sensor_position.into_owned(),
            Self::Motor(_) => names.actuator_id.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use super::*;

    #[test]
    fn four_microphones_are_spread_over_the_circle() {
        let polar = polar_from_activity(&[1.0, 0.0, 0.2, 0.4]);
        assert_eq!(polar.len(), DIRECTIONS);
        assert_eq!([polar[0], polar[44], polar[359]], [255; 3], "ahead");
        assert_eq!([polar[45], polar[134]], [0; 2], "left");
        assert_eq!([polar[135], polar[224]], [51; 2], "behind");
        assert_eq!([polar[225], polar[314]], [102; 2], "right");
        assert_eq!(polar_from_activity(&[]), [0; 0]);
        assert_eq!(polar_from_activity(&vec![f64::NAN; 10_000]), vec![0; DIRECTIONS]);
    }

    fn decoded<W, M>(codec: impl Codec<W, M, ()>, wire: W) -> M {
        codec.decode(&wire).unwrap()
    }

    #[test]
    fn left_is_positive_and_a_full_turn_is_none() {
        let angles = [(90.0, FRAC_PI_2), (270.0, -FRAC_PI_2), (180.0, PI), (360.0, 0.0)];
        for (degrees, radians) in angles {
            assert_eq!(decoded(FullTurn, degrees), radians);
        }
        assert_eq!(
            (FullTurn.encode(&-1e-15, &()), FullTurn.encode(&(5.0 * PI), &())),
            (Some(0.0), Some(180.0))
        );
        for degrees in [-5.09, 626.0, 1e-9] {
            assert_eq!(Degrees.encode(&decoded(Degrees, degrees), &()), Some(degrees));
        }
        for degrees in [0.0, 2.004, 180.0, 181.0, 359.9] {
            assert_eq!(FullTurn.encode(&decoded(FullTurn, degrees), &()), Some(degrees));
        }
    }

    #[test]
    fn charge_is_a_ratio_and_percent_is_understood() {
        let read = [1.0, 0.34, 34.0, -1.0].map(|charge| decoded::<f64, f64>(Charge, charge));
        assert_eq!(read, [1.0, 0.34, 0.34, 0.0]);
        for percent in 0..=100 {
            assert_eq!(Percent.encode(&decoded(Percent, percent), &()), Some(percent));
        }
        let levels: Vec<u8> = (0..DIRECTIONS).map(|level| level as u8).collect();
        assert_eq!(Polar.encode(&decoded(Polar, levels.clone()), &()), Some(levels));
    }

    #[test]
    fn hostile_numbers_stay_numbers_or_go() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let doubles = [&Degrees as &dyn Codec<f64, f64, ()>, &FullTurn, &Centimetres, &Charge];
            let integers = [&MILLISECONDS as &dyn Codec<i64, f64, ()>, &Percent];
            assert_eq!(doubles.map(|codec| codec.encode(&bad, &())), [None; 4]);
            assert_eq!(integers.map(|codec| codec.encode(&bad, &())), [None; 2]);
        }
        assert_eq!(Degrees.encode(&1e308, &()), None);
        assert_eq!(Degrees.encode(&-0.0, &()).map(f64::is_sign_negative), Some(false));
        assert!(decoded::<f64, f64>(HalfTurn, 1e308).abs() <= PI);
        assert_eq!(MILLISECONDS.encode(&1e300, &()), Some(i64::MAX));
    }
}
