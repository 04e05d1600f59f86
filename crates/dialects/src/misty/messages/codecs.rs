//! How Misty spells moments, angles, shares, lengths and names.

use latimer_core::{PartName, Timestamp, Value};
use serde_json::Value as Json;

use crate::describe::codec::{Codec, CodecInfo, Describe, Rounded, codecs};
use crate::misty::map::names::{Family, Given, names_from_part, part_from_names};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};
use crate::misty::map::units::{
    byte_from_ratio, cm_from_m, deg_from_rad, deg360_from_rad, m_from_cm, ms_from_s, percent_from_ratio,
    ratio_from_byte, ratio_from_charge, ratio_from_percent, s_from_ms, wrapped_rad_from_deg,
};
use crate::misty::map::{json_from_value, value_from_json};

/// Degrees in a radian.
const DEG: f64 = 180.0 / std::f64::consts::PI;

/// What rounds away what a computation adds.
const COMPUTED: Rounded = Rounded(1e9);

/// Directions of the sound levels.
const DIRECTIONS: usize = 360;

fn degrees(sign: f64, turn: Option<f64>, range: Option<(f64, f64)>) -> CodecInfo {
    CodecInfo { factor: Some(sign * DEG), turn, range, ..CodecInfo::default() }
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
    /// A share, which is read as percent above 1.
    Charge: f64, f64 {
        CodecInfo { range: Some((0.0, 1.0)), ..COMPUTED.info() },
        |wire| Some(ratio_from_charge(*wire)),
        |model| Codec::<f64, f64, ()>::encode(&COMPUTED, model, &())
    }
    /// Degrees, also of more than a turn.
    Degrees: f64, f64 {
        degrees(1.0, None, None), |wire| Some(wire.to_radians()), |model| deg_from_rad(*model)
    }
    /// Degrees that count downward, of an angle that counts upward.
    DegreesDown: f64, f64 {
        degrees(-1.0, None, None), |wire| Some(-wire.to_radians()), |model| deg_from_rad(-model)
    }
    /// Degrees about 0 of an angle within ±π.
    HalfTurn: f64, f64 {
        degrees(1.0, Some(360.0), None), |wire| Some(wrapped_rad_from_deg(*wire)), |model| deg_from_rad(*model)
    }
    /// Degrees 0..360 of an angle within ±π.
    FullTurn: f64, f64 {
        degrees(1.0, Some(360.0), Some((0.0, 359.9))),
        |wire| Some(wrapped_rad_from_deg(*wire)),
        |model| deg360_from_rad(*model)
    }
    /// Degrees 0..360 of an angle that bounds a part of a circle, 0..2π.
    Bound: f64, f64 {
        degrees(1.0, Some(360.0), Some((0.0, 359.9))), |wire| Some(wire.to_radians()), |model| deg360_from_rad(*model)
    }
    /// Centimetres.
    Centimetres: f64, f64 { counted(100.0, None), |wire| Some(m_from_cm(*wire)), |model| cm_from_m(*model) }
    /// Whole milliseconds.
    Milliseconds: i64, f64 { counted(1e3, None), |wire| Some(s_from_ms(*wire)), |model| ms_from_s(*model) }
    /// Whole percent.
    Percent: i64, f64 {
        counted(100.0, Some((0.0, 100.0))),
        |wire| Some(ratio_from_percent(*wire)),
        |model| percent_from_ratio(*model)
    }
    /// A level of 0..255 for each degree; those of a coarser or finer robot are spread over 360 directions.
    Polar: Vec<u8>, Vec<f64> {
        CodecInfo { length: Some(DIRECTIONS), ..counted(255.0, Some((0.0, 255.0))) },
        |wire| Some(wire.iter().copied().map(ratio_from_byte).collect()),
        |model| Some(polar_from_activity(model))
    }
    /// All numbers or, if one is none or there are none, nothing.
    All: Vec<f64>, Vec<f64> {
        CodecInfo::default(),
        |wire| Some(wire.clone()),
        |model| (!model.is_empty() && model.iter().all(|it| it.is_finite())).then(|| model.clone())
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
}
