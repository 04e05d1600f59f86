//! HazardNotification: what keeps the robot from driving.
//!
//! | wire, in this order | model | parts |
//! |---|---|---|
//! | `bumpSensorsHazardState` | bumper | `bump_front_right` … |
//! | `currentSensorsHazard` | current | `track_right` `arm_left` `head_yaw` … |
//! | `driveStopped` | drive_zone | `front_right` `back_center` … |
//! | `motorStallHazard` | motor_stall | `drive_right` `arm_left` … |
//! | `timeOfFlightSensorsHazardState` | range | `range_back` … `cliff_front_left` … |
//! | `excessiveSpeedHazard`, which the sample lacks | overspeed | as motor_stall; written only where a robot tells |
//!
//! Misty always lists all her sensors, so those that a robot does not name are written as in no hazard. A part that
//! Misty lacks comes behind them under its own name.

use std::sync::Arc;

use latimer_core::model::signal::{Hazard, HazardItem, HazardSource};
use latimer_core::{Stamp, Timestamp};

use super::Received;
use super::manner::{pascal_case, snake_case};
use crate::misty::wire::Extra;
use crate::misty::wire::contact::BUMP_SENSORS;
use crate::misty::wire::hazard::{
    CURRENT_SENSORS, DRIVE_ZONES, HazardNotification, HazardState, MOTORS, TOF_HAZARD_NAMES,
};

/// One sensor, zone or motor: its part in the model and its name on the wire.
pub type HazardName = (&'static str, &'static str);

/// Pairs parts with the wire's names.
const fn pairs<const N: usize>(parts: [&'static str; N], names: [&'static str; N]) -> [HazardName; N] {
    let mut pairs = [("", ""); N];
    let mut i = 0;
    while i < N {
        pairs[i] = (parts[i], names[i]);
        i += 1;
    }
    pairs
}

const BUMPERS: [HazardName; 4] = pairs(
    ["bump_front_right", "bump_front_left", "bump_rear_right", "bump_rear_left"],
    [
        BUMP_SENSORS[0].sensor_name,
        BUMP_SENSORS[1].sensor_name,
        BUMP_SENSORS[2].sensor_name,
        BUMP_SENSORS[3].sensor_name,
    ],
);
const CURRENTS: [HazardName; 7] = pairs(
    ["track_right", "track_left", "arm_right", "arm_left", "head_pitch", "head_roll", "head_yaw"],
    CURRENT_SENSORS,
);
const ZONES: [HazardName; 6] = pairs(
    ["front_right", "front_center", "front_left", "back_right", "back_center", "back_left"],
    DRIVE_ZONES,
);
const MOTOR_NAMES: [HazardName; 7] = pairs(
    ["drive_right", "drive_left", "arm_right", "arm_left", "head_pitch", "head_roll", "head_yaw"],
    MOTORS,
);
const RANGES: [HazardName; 8] = pairs(
    [
        "range_front_right",
        "range_front_center",
        "range_front_left",
        "range_back",
        "cliff_front_right",
        "cliff_front_left",
        "cliff_back_right",
        "cliff_back_left",
    ],
    TOF_HAZARD_NAMES,
);

/// What Misty watches for hazards of a source, in the order of the specification's sample.
pub const fn hazard_names(source: HazardSource) -> &'static [HazardName] {
    match source {
        HazardSource::Bumper => &BUMPERS,
        HazardSource::Current => &CURRENTS,
        HazardSource::DriveZone => &ZONES,
        HazardSource::MotorStall | HazardSource::Overspeed => &MOTOR_NAMES,
        HazardSource::Range => &RANGES,
    }
}

/// The part that a name on the wire stands for.
fn hazard_part_from_name(source: HazardSource, name: &str) -> Arc<str> {
    let known = hazard_names(source).iter().find(|(_, wire)| wire.eq_ignore_ascii_case(name));
    known.map_or_else(|| snake_case(name).into(), |(part, _)| (*part).into())
}

/// All hazards; the message carries no time.
pub(super) fn heard_from_hazard_notification(message: &HazardNotification, received: Timestamp) -> Received {
    let HazardNotification {
        bump_sensors_hazard_state,
        critical_internal_error,
        current_sensors_hazard,
        drive_stopped,
        excessive_speed_hazard,
        motor_stall_hazard,
        time_of_flight_sensors_hazard_state,
        extra: _,
    } = message;
    let lists = [
        (HazardSource::Bumper, bump_sensors_hazard_state),
        (HazardSource::Current, current_sensors_hazard),
        (HazardSource::DriveZone, drive_stopped),
        (HazardSource::MotorStall, motor_stall_hazard),
        (HazardSource::Range, time_of_flight_sensors_hazard_state),
        (HazardSource::Overspeed, excessive_speed_hazard),
    ];
    let items = lists.into_iter().flat_map(|(source, states)| {
        states.iter().flatten().filter_map(move |state| item_from_state(source, state))
    });
    Received::new(
        None,
        Stamp::gateway(received),
        Hazard { items: items.collect(), critical_error_code: *critical_internal_error },
    )
}

fn item_from_state(source: HazardSource, state: &HazardState) -> Option<HazardItem> {
    let HazardState { in_hazard, sensor_name, extra: _ } = state;
    let part = hazard_part_from_name(source, sensor_name.as_deref()?);
    Some(HazardItem { source, part, active: (*in_hazard)? })
}

/// A message about all hazards.
pub(super) fn hazard_notification_from_hazard(hazard: &Hazard) -> HazardNotification {
    let Hazard { items, critical_error_code } = hazard;
    let states = |source| Some(states_from_items(source, items));
    let tells_speed = items.iter().any(|item| item.source == HazardSource::Overspeed);
    HazardNotification {
        bump_sensors_hazard_state: states(HazardSource::Bumper),
        critical_internal_error: Some(critical_error_code.unwrap_or(0)),
        current_sensors_hazard: states(HazardSource::Current),
        drive_stopped: states(HazardSource::DriveZone),
        excessive_speed_hazard: states(HazardSource::Overspeed).filter(|_| tells_speed),
        motor_stall_hazard: states(HazardSource::MotorStall),
        time_of_flight_sensors_hazard_state: states(HazardSource::Range),
        extra: Extra::new(),
    }
}

fn states_from_items(source: HazardSource, items: &[HazardItem]) -> Vec<HazardState> {
    let names = hazard_names(source);
    let of_source = || items.iter().filter(move |item| item.source == source);
    let own = names.iter().map(|(part, name)| {
        let active = of_source().any(|item| *item.part == **part && item.active);
        state((*name).to_owned(), active)
    });
    let foreign = of_source()
        .filter(|item| names.iter().all(|(part, _)| *item.part != **part))
        .map(|item| state(pascal_case(&item.part), item.active));
    own.chain(foreign).collect()
}

fn state(sensor_name: String, in_hazard: bool) -> HazardState {
    HazardState { in_hazard: Some(in_hazard), sensor_name: Some(sensor_name), extra: Extra::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_names_mean_the_same() {
        for (part, name) in [
            ("bump_rear_left", "Bump_RearLeft"),
            ("track_right", "CurrentSensor_RightTrack"),
            ("arm_left", "CurrentSensor_LeftArm"),
            ("back_center", "Back center hazard"),
            ("drive_left", "LeftDrive"),
            ("head_yaw", "HeadYaw"),
            ("range_front_center", "TOF_Center"),
            ("range_back", "TOF_Back"),
            ("cliff_front_left", "TOF_DownFrontLeft"),
            ("cliff_back_right", "TOF_DownBackRight"),
        ] {
            let of = |source: &&HazardSource| hazard_names(**source).contains(&(part, name));
            let source = *HazardSource::ALL.iter().find(of).unwrap_or_else(|| panic!("{part} {name}"));
            assert_eq!(&*hazard_part_from_name(source, name), part);
        }
    }

    #[test]
    fn a_foreign_robots_hazard_comes_behind_mistys_own() {
        let item = HazardItem { source: HazardSource::Bumper, part: "bumper_front".into(), active: true };
        let message =
            hazard_notification_from_hazard(&Hazard { items: vec![item.clone()], critical_error_code: None });
        let bumpers = message.bump_sensors_hazard_state.as_ref().unwrap();
        assert_eq!(bumpers.len(), 5);
        assert_eq!(bumpers[4].sensor_name.as_deref(), Some("BumperFront"));
        assert!(bumpers[..4].iter().all(|state| state.in_hazard == Some(false)));
        assert_eq!(message.excessive_speed_hazard, None);
        let heard = heard_from_hazard_notification(&message, Timestamp::default());
        let latimer_core::Signal::Hazard(back) = heard.signal else { panic!() };
        assert!(back.items.contains(&item));
    }
}
