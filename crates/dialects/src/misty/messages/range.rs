//! TimeOfFlight: range sensors that look along the floor and edge sensors that look down, and their status codes.
//!
//! Messages of 2019 lack `type` and `status`: the sensor tells its type, and the status is unknown. Such a reading is
//! written without `status` again, because -1 would call it an error.

use latimer_core::model::signal::{Cliff, Range, RangeStatus};
use latimer_core::{PartName, Signal, Timestamp};

use super::codecs::{NameOf, OneOf, Utc};
use super::{Context, DEPRECATED, good_for};
use crate::describe::codec::finite;
use crate::describe::{Extra, Incomplete, Message, Translate};
use crate::misty::map::names::{Family, Given, names_from_part, part_from_names, sensor_from_names};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};

/// Both may look at the same part.
const BOTH: &[Family] = &[Family::Range, Family::Edge];

const TYPES: OneOf = OneOf(&[RANGE, EDGE]);
const RANGE: &str = "Range";
const EDGE: &str = "Edge";

/// What the sensor gives when it measured nothing, as the status table tells of code 103: 8191 mm.
const NOTHING_M: f64 = 8.191;

/// Section "TimeOfFlight": one distance reading of one sensor. Fields stand in the order of `GET websockets`.
///
/// `averageTimeMs`, `inHazard`, `sensorPosition`, `sigma` and `signal` come from firmware of 2020 and later.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct TimeOfFlight {
    /// Place of the sensor.
    #[field(part, codec = NameOf::Position(BOTH), hidden = DEPRECATED, note = "for conditions; sent by robots of 2021")]
    pub sensor_position: Option<String>,
    /// Distance of the nearest object.
    #[field(model = "distance_m", kind = Range, also = Cliff, note = "8.191 where nothing was measured, which is no distance here")]
    pub distance_in_meters: Option<f64>,
    /// Time that was averaged over, ms; robots of 2021.
    #[field(own)]
    pub average_time_ms: Option<f64>,
    /// When the message was created; the time of arrival counts where it is missing.
    #[field(stamp, codec = Utc)]
    pub created: Option<String>,
    /// Until when the reading is good, 1 s after `created`; not in the samples.
    #[field(own, hidden = DEPRECATED)]
    pub expiry: Option<String>,
    /// Whether it stops the robot; robots of 2021.
    #[field(own)]
    pub in_hazard: Option<bool>,
    /// Name of the sensor.
    #[field(part, codec = NameOf::Id(BOTH))]
    pub sensor_id: Option<String>,
    /// Long name of the sensor.
    #[field(part, codec = NameOf::Name(BOTH), hidden = DEPRECATED)]
    pub sensor_name: Option<String>,
    /// Standard deviation; robots of 2021.
    #[field(own)]
    pub sigma: Option<f64>,
    /// Strength of what came back; robots of 2021.
    #[field(own)]
    pub signal: Option<f64>,
    /// How far the reading can be trusted, by `type`.
    #[field(model = "status_code", kind = Range, also = Cliff, note = "0 good, 100 and more doubtful, 200 and more and -1 errors; `status` is the word for it")]
    pub status: Option<i64>,
    /// Which of the two kinds of sensor this is.
    #[field(which_kind, name = "type", codec = TYPES)]
    pub type_: Option<String>,
    pub(crate) extra: Extra,
}

impl TimeOfFlight {
    fn given(&self) -> Given<'_> {
        Given::of(&self.sensor_id, &self.sensor_name, &self.sensor_position)
    }

    fn family(&self) -> Family {
        let known = |family: &Family| sensor_from_names(*family, self.given()).is_some();
        let by_type = if self.type_.as_deref() == Some(EDGE) { Family::Edge } else { Family::Range };
        BOTH.iter().copied().find(known).unwrap_or(by_type)
    }
}

impl Translate for TimeOfFlight {
    type Record = Signal;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Signal, Incomplete> {
        let family = self.family();
        let range = Range {
            distance_m: self.distance_in_meters.filter(|metres| *metres != NOTHING_M),
            status: status_from_code(family, self.status),
            status_code: self.status,
            min_m: None,
            max_m: None,
            field_of_view_rad: None,
        };
        Ok(if family == Family::Edge { Cliff(range).into() } else { range.into() })
    }

    fn encode(signal: &Signal, context: &Context) -> Option<Self> {
        let (range, family, type_) = match signal {
            Signal::Range(range) => (range, Family::Range, RANGE),
            Signal::Cliff(Cliff(range)) => (range, Family::Edge, EDGE),
            _ => return None,
        };
        let names = names_from_part(family, context.part.as_ref());
        Some(Self {
            created: Some(utc_from_timestamp(context.at)),
            // Clients compute with it, so there is always a number.
            distance_in_meters: Some(range.distance_m.and_then(finite).unwrap_or(NOTHING_M)),
            expiry: good_for::<1_000, _>(range, context),
            sensor_id: Some(names.sensor_id.to_owned()),
            sensor_name: Some(names.sensor_name.into_owned()),
            sensor_position: Some(names.sensor_position.into_owned()),
            status: code_from_range(family, range),
            type_: Some(type_.to_owned()),
            ..Self::default()
        })
    }

    fn at(&self, _: &Context) -> Option<Timestamp> {
        self.created.as_deref().and_then(timestamp_from_utc)
    }

    fn part(&self, _: &Context) -> Option<PartName> {
        part_from_names(self.family(), self.given())
    }
}

/// Section "Time-of-Flight Status Codes": codes of a type of sensor and what they say.
struct Codes {
    /// The table.
    known: &'static [(i64, RangeStatus)],
    /// The nearest that such a sensor can say, for robots whose sensors say more.
    nearest: &'static [(RangeStatus, i64)],
}

const RANGE_CODES: Codes = Codes {
    known: &[
        (-1, RangeStatus::Unknown),
        (0, RangeStatus::Valid),
        (101, RangeStatus::Noisy),
        (102, RangeStatus::WeakSignal),
        // Region of interest outside of the detector.
        (103, RangeStatus::Misconfigured),
        // Further away than 1.2 m.
        (104, RangeStatus::TooFar),
        // About 1.3 m further away than measured.
        (207, RangeStatus::Wrapped),
    ],
    nearest: &[
        (RangeStatus::AmbientLight, 101),
        (RangeStatus::NothingInView, 102),
        (RangeStatus::TooNear, -1),
        (RangeStatus::HardwareFault, -1),
    ],
};

const EDGE_CODES: Codes = Codes {
    known: &[
        (-1, RangeStatus::Unknown),
        (0, RangeStatus::Valid),
        (201, RangeStatus::HardwareFault),
        (202, RangeStatus::HardwareFault),
        (203, RangeStatus::HardwareFault),
        (204, RangeStatus::HardwareFault),
        (205, RangeStatus::HardwareFault),
        // Too few returns within 0.5 ms.
        (206, RangeStatus::NothingInView),
        // No valid target in the longest time allowed.
        (207, RangeStatus::WeakSignal),
        // Over an edge, lifted or tipped over.
        (208, RangeStatus::NothingInView),
        (211, RangeStatus::AmbientLight),
        // Closer than 10 mm.
        (212, RangeStatus::TooNear),
        // Further away than 200 mm.
        (213, RangeStatus::TooFar),
        // Closer than 10 mm.
        (214, RangeStatus::TooNear),
    ],
    nearest: &[(RangeStatus::Noisy, 211), (RangeStatus::Wrapped, -1), (RangeStatus::Misconfigured, -1)],
};

const fn codes(family: Family) -> &'static Codes {
    if matches!(family, Family::Edge) { &EDGE_CODES } else { &RANGE_CODES }
}

/// The word for a code; unknown for a code outside of the table.
fn status_from_code(family: Family, code: Option<i64>) -> RangeStatus {
    let known = codes(family).known.iter().find(|(known, _)| Some(*known) == code);
    known.map_or(RangeStatus::Unknown, |(_, status)| *status)
}

/// The code of a reading: its own if that is Misty's word for the status, else the nearest in the table.
fn code_from_range(family: Family, range: &Range) -> Option<i64> {
    let own = range.status_code.filter(|code| status_from_code(family, Some(*code)) == range.status);
    if own.is_some() || range.status == RangeStatus::Unknown {
        return own;
    }
    let Codes { known, nearest } = codes(family);
    let known = known.iter().find(|(_, status)| *status == range.status).map(|(code, _)| *code);
    known.or_else(|| nearest.iter().find(|(status, _)| *status == range.status).map(|(_, code)| *code))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(status: RangeStatus, status_code: Option<i64>) -> Range {
        Range { status, status_code, ..Range::valid(0.5) }
    }

    #[test]
    fn every_code_comes_back() {
        let codes = (-2..300).chain([i64::MIN, i64::MAX]);
        for code in codes {
            for family in [Family::Range, Family::Edge] {
                let status = status_from_code(family, Some(code));
                assert_eq!(code_from_range(family, &range(status, Some(code))), Some(code));
            }
        }
    }

    #[test]
    fn the_same_code_says_another_thing_by_type() {
        assert_eq!(status_from_code(Family::Range, Some(207)), RangeStatus::Wrapped);
        assert_eq!(status_from_code(Family::Edge, Some(207)), RangeStatus::WeakSignal);
    }

    #[test]
    fn a_code_of_another_maker_is_not_passed_off_as_mistys() {
        assert_eq!(code_from_range(Family::Range, &range(RangeStatus::Valid, Some(207))), Some(0));
        assert_eq!(code_from_range(Family::Range, &range(RangeStatus::TooFar, Some(9))), Some(104));
        assert_eq!(code_from_range(Family::Edge, &range(RangeStatus::TooFar, None)), Some(213));
        assert_eq!(code_from_range(Family::Edge, &range(RangeStatus::Unknown, None)), None);
    }

    #[test]
    fn every_word_but_unknown_has_a_code() {
        for &status in RangeStatus::ALL {
            for family in [Family::Range, Family::Edge] {
                let code = code_from_range(family, &range(status, None));
                assert_eq!(code.is_none(), status == RangeStatus::Unknown, "{status}");
            }
        }
    }
}
