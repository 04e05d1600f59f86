//! ActuatorPosition: joints.
//!
//! | wire | model |
//! |---|---|
//! | `value`, degrees | `position_rad` of `joint/head_pitch`, `joint/arm_left` … |
//! | `value`, metres | `position_m` of a slide, which only other families have |
//!
//! Signs are those of the actuators: pitch down, roll right, yaw left, arms down are positive.

use std::time::Duration;

use latimer_core::model::signal::Joint;
use latimer_core::{PartName, Timestamp};

use super::Received;
use super::names::{Family, Given, JOINTS, names_from_part, part_from_names};
use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use super::units::{deg_from_rad, finite};
use crate::misty::wire::{Extra, motion::ActuatorPosition};

const GOOD_FOR: Duration = Duration::from_secs(1);

/// A joint's position.
pub(super) fn heard_from_actuator_position(message: &ActuatorPosition, received: Timestamp) -> Received {
    let ActuatorPosition { actuator_id, created, expiry: _, sensor_id, sensor_name, value, extra: _ } =
        message;
    let given =
        Given { sensor_id: sensor_id.as_deref(), sensor_name: sensor_name.as_deref(), sensor_position: None };
    let by_motor = || {
        let id = actuator_id.as_deref()?;
        JOINTS.iter().find(|joint| joint.actuator_id == id).map(|joint| PartName::of(joint.part))
    };
    Received::new(
        part_from_names(Family::Joint, given).or_else(by_motor),
        stamp_from_utc(created.as_deref(), received),
        Joint { position_rad: value.map(f64::to_radians), ..Joint::UNKNOWN },
    )
}

/// A message about a joint.
pub(super) fn actuator_position_from_joint(
    part: Option<&PartName>,
    joint: &Joint,
    at: Timestamp,
) -> ActuatorPosition {
    let names = names_from_part(Family::Joint, part);
    ActuatorPosition {
        actuator_id: Some(names.actuator_id.to_owned()),
        created: Some(utc_from_timestamp(at)),
        expiry: expiry(at, GOOD_FOR),
        sensor_id: Some(names.sensor_id.to_owned()),
        sensor_name: Some(names.sensor_name.into_owned()),
        value: joint.position_rad.and_then(deg_from_rad).or_else(|| joint.position_m.and_then(finite)),
        extra: Extra::new(),
    }
}
