//! TimeOfFlight: range sensors that look around and edge sensors that look down.
//!
//! | wire | model |
//! |---|---|
//! | `type` Range, `distanceInMeters` | `range/front_left` … |
//! | `type` Edge, `distanceInMeters` | `cliff/front_left` … |
//! | `status` | `status` by [`tof_codes`](super::tof_codes), and `status_code` |
//!
//! Messages of 2019 lack `type` and `status`: the sensor tells its type, and the status is unknown. Such a reading is
//! written without `status` again, because -1 would call it an error.

use std::time::Duration;

use latimer_core::model::signal::{Cliff, Range};
use latimer_core::{PartName, Signal, Timestamp};

use super::Received;
use super::names::{Family, Given, names_from_part, part_from_names, sensor_from_names};
use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use super::tof_codes::{code_from_range, status_from_code};
use super::units::finite;
use crate::misty::wire::Extra;
use crate::misty::wire::tof::{TimeOfFlight, TofType};

/// Not in the samples; that of the other quick sensors.
const GOOD_FOR: Duration = Duration::from_secs(1);

/// What the sensor gives when it measured nothing, as the status table tells of code 103: 8191 mm.
const NOTHING_M: f64 = 8.191;

/// A reading.
pub(super) fn heard_from_time_of_flight(message: &TimeOfFlight, received: Timestamp) -> Received {
    let TimeOfFlight {
        average_time_ms: _,
        created,
        distance_in_meters,
        expiry: _,
        in_hazard: _,
        sensor_id,
        sensor_name,
        sensor_position,
        sigma: _,
        signal: _,
        status,
        type_,
        extra: _,
    } = message;
    let given = Given {
        sensor_id: sensor_id.as_deref(),
        sensor_name: sensor_name.as_deref(),
        sensor_position: sensor_position.as_deref(),
    };
    let family = family(type_.as_ref(), given);
    let range = Range {
        distance_m: distance_in_meters.filter(|metres| *metres != NOTHING_M),
        status: status_from_code(family, *status),
        status_code: *status,
        min_m: None,
        max_m: None,
        field_of_view_rad: None,
    };
    let signal = if family == Family::Edge { Signal::from(Cliff(range)) } else { Signal::from(range) };
    Received::new(part_from_names(family, given), stamp_from_utc(created.as_deref(), received), signal)
}

fn family(type_: Option<&TofType>, given: Given<'_>) -> Family {
    let known = |family: &Family| sensor_from_names(*family, given).is_some();
    let by_type = if type_ == Some(&TofType::Edge) { Family::Edge } else { Family::Range };
    [Family::Range, Family::Edge].into_iter().find(known).unwrap_or(by_type)
}

/// A message about a reading of a [`Family::Range`] or [`Family::Edge`] sensor.
pub(super) fn time_of_flight_from_range(
    family: Family,
    part: Option<&PartName>,
    range: &Range,
    at: Timestamp,
) -> TimeOfFlight {
    let names = names_from_part(family, part);
    TimeOfFlight {
        average_time_ms: None,
        created: Some(utc_from_timestamp(at)),
        // Clients compute with it, so there is always a number.
        distance_in_meters: Some(range.distance_m.and_then(finite).unwrap_or(NOTHING_M)),
        expiry: expiry(at, GOOD_FOR),
        in_hazard: None,
        sensor_id: Some(names.sensor_id.to_owned()),
        sensor_name: Some(names.sensor_name.into_owned()),
        sensor_position: Some(names.sensor_position.into_owned()),
        sigma: None,
        signal: None,
        status: code_from_range(family, range),
        type_: Some(if family == Family::Edge { TofType::Edge } else { TofType::Range }),
        extra: Extra::new(),
    }
}
