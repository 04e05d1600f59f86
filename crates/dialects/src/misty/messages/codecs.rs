//! How Misty spells moments, angles, shares, lengths and names.

use latimer_core::{PartName, Timestamp, Value};
use serde_json::Value as Json;

use crate::describe::Unit;
use crate::describe::codec::{Codec, CodecInfo, Describe, Rounded, codecs, finite};
use crate::json::{json_from_value, value_from_json};
use crate::misty::map::names::{Family, Given, names_from_part, part_from_names};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};

/// What rounds away what a computation adds.
const COMPUTED: Rounded = Rounded(1e9);

/// Directions of the sound levels.
const DIRECTIONS: usize = 360;

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
        |model| finite(COMPUTED.round(*model))
    }
    /// A level of 0..255 for each degree; those of a coarser or finer robot are spread over 360 directions.
    Polar: Vec<u8>, Vec<f64> {
        CodecInfo { length: Some(DIRECTIONS), ..Unit::Bytes.info() },
        |wire| wire.iter().map(|level| Unit::Bytes.decode(level, &())).collect(),
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

/// Every client counts on 360 directions.
fn polar_from_activity(activity_ratio: &[f64]) -> Vec<u8> {
    let byte = |ratio: &f64| Unit::Bytes.encode(ratio, &()).unwrap_or_default();
    match activity_ratio.len() {
        0 | DIRECTIONS => activity_ratio.iter().map(byte).collect(),
        steps => (0..DIRECTIONS)
            .map(|degree| (degree * steps + DIRECTIONS / 2) / DIRECTIONS % steps)
            .map(|nearest| byte(&activity_ratio[nearest]))
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
    fn decode(&self, wire: &String, _: &Cx) -> Option<PartName> {
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

    #[test]
    fn charge_is_a_ratio_and_percent_is_understood() {
        let read = [1.0, 0.34, 34.0, -1.0].map(|charge| Charge.decode(&charge, &()));
        assert_eq!(read, [1.0, 0.34, 0.34, 0.0].map(Some));
        assert_eq!(Codec::<f64, f64, ()>::encode(&Charge, &f64::NAN, &()), None);
    }

    #[test]
    fn levels_come_back() {
        let levels: Vec<u8> = (0..DIRECTIONS).map(|level| level as u8).collect();
        let ratios = Polar.decode(&levels, &()).unwrap();
        assert!(ratios.iter().all(|ratio| (0.0..=1.0).contains(ratio)));
        assert_eq!(Polar.encode(&ratios, &()), Some(levels));
    }
}
