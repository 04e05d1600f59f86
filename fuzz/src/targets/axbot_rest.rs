//! Requests to a chassis: no panic, and a bounded text says what is wrong.
//!
//! Takes the address, and below it the body.

use latimer_core::model::signal::SpeedLimits;
use latimer_dialects::axbot::rest::caps::Abilities;
use latimer_dialects::axbot::rest::fields::Fields;
use latimer_dialects::axbot::rest::map_request::MapRequest;
use latimer_dialects::axbot::rest::moves::{MoveRequest, MoveType};
use latimer_dialects::axbot::rest::params::{Names, json_from_limits, limits_from_fields};
use latimer_dialects::axbot::rest::place::Resource;
use latimer_dialects::axbot::rest::problem::Problem;
use latimer_dialects::axbot::rest::service::Ask;

/// Longest text of what is wrong, bytes.
const LONGEST: usize = 8192;

pub(super) fn run(text: &str) {
    let (path, body) = text.split_once('\n').unwrap_or((text, ""));
    let place = Resource::of(path);
    let takes_lists = place.as_ref().is_some_and(Resource::takes_lists);
    let read = if takes_lists { Fields::read_list(body.as_bytes()) } else { Fields::read(body.as_bytes()) };
    let fields = match read {
        Ok(fields) => fields,
        Err(error) => return bounded::<()>(Err(error.into())),
    };
    // Which handler reads them follows from the address, but each may meet any of them.
    bounded(MoveRequest::read(&fields, &MoveType::ALL));
    bounded(Ask::read(path.trim_start_matches("services/"), &fields, &Abilities::ALL));
    bounded(MapRequest::read(&fields).map_err(Problem::from));
    for names in [Names::Params, Names::Settings] {
        let limits = limits_from_fields(&fields, names, &SpeedLimits::NONE);
        if let Ok(limits) = &limits {
            let again = Fields::from(json_from_limits(limits, names));
            assert_eq!(limits_from_fields(&again, names, &SpeedLimits::NONE).as_ref(), Ok(limits));
        }
        bounded(limits);
    }
}

fn bounded<T>(read: Result<T, Problem>) {
    let Err(problem) = read else { return };
    assert!((400..600).contains(&problem.status()), "{problem:?}");
    let body = problem.body().to_string();
    assert!(body.len() < LONGEST, "{} bytes: {body:.200}", body.len());
}
