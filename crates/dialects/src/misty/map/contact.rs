//! BumpSensor and TouchSensor: what presses or strokes the robot.
//!
//! | wire | model |
//! |---|---|
//! | BumpSensor, `isContacted` | `contact/bump_front_left` …, bumper |
//! | TouchSensor, `isContacted` | `contact/touch_chin` …, touch |
//! | `pose`: where the sensor sits | `position` in `frame`; how it is turned is left out |

use std::time::Duration;

use latimer_core::model::signal::{Contact, ContactSensor, Frame, Point, Pose};
use latimer_core::{PartName, Timestamp};

use super::Received;
use super::names::{Family, Given, names_from_part, part_from_names};
use super::time::{expiry, stamp_from_utc, utc_from_timestamp};
use crate::describe::Translate;
use crate::misty::messages::Context;
use crate::misty::messages::pose as wire;
use crate::misty::wire::Extra;
use crate::misty::wire::contact::{BumpSensor, TouchSensor};

const BUMP_GOOD_FOR: Duration = Duration::from_millis(125);
const TOUCH_GOOD_FOR: Duration = Duration::from_secs(1);

/// A bumper; `None` if the message does not say whether it is pressed.
pub(super) fn heard_from_bump_sensor(message: &BumpSensor, received: Timestamp) -> Option<Received> {
    let BumpSensor {
        created,
        expiry: _,
        is_contacted,
        pose,
        sensor_id,
        sensor_name,
        sensor_position,
        extra: _,
    } = message;
    let given = Given {
        sensor_id: sensor_id.as_deref(),
        sensor_name: sensor_name.as_deref(),
        sensor_position: sensor_position.as_deref(),
    };
    Some(Received::new(
        part_from_names(Family::Bumper, given),
        stamp_from_utc(created.as_deref(), received),
        contact((*is_contacted)?, ContactSensor::Bumper, Frame::BaseLink, pose.as_deref()),
    ))
}

/// A touch sensor; `None` if the message does not say whether it is touched.
pub(super) fn heard_from_touch_sensor(message: &TouchSensor, received: Timestamp) -> Option<Received> {
    let TouchSensor {
        created,
        expiry: _,
        is_contacted,
        pose,
        sensor_id,
        sensor_name,
        sensor_position,
        extra: _,
    } = message;
    let given = Given {
        sensor_id: sensor_id.as_deref(),
        sensor_name: sensor_name.as_deref(),
        sensor_position: sensor_position.as_deref(),
    };
    Some(Received::new(
        part_from_names(Family::Touch, given),
        stamp_from_utc(created.as_deref(), received),
        contact((*is_contacted)?, ContactSensor::Touch, Frame::Head, pose.as_deref()),
    ))
}

fn contact(contacted: bool, sensor: ContactSensor, mounted_on: Frame, pose: Option<&wire::Pose>) -> Contact {
    let pose = pose.and_then(|pose| pose.in_frame(mounted_on));
    Contact {
        contacted,
        sensor,
        frame: pose.as_ref().map_or(mounted_on, |pose| pose.frame),
        position: pose.map(|Pose { x_m, y_m, z_m, .. }| Point { x_m, y_m, z_m }),
    }
}

/// A message about a bumper.
pub(super) fn bump_sensor_from_contact(
    part: Option<&PartName>,
    contact: &Contact,
    at: Timestamp,
) -> BumpSensor {
    let names = names_from_part(Family::Bumper, part);
    BumpSensor {
        created: Some(utc_from_timestamp(at)),
        expiry: expiry(at, BUMP_GOOD_FOR),
        is_contacted: Some(contact.contacted),
        pose: mounting(contact, at),
        sensor_id: Some(names.sensor_id.to_owned()),
        sensor_name: Some(names.sensor_name.into_owned()),
        sensor_position: Some(names.sensor_position.into_owned()),
        extra: Extra::new(),
    }
}

/// A message about a touch sensor.
pub(super) fn touch_sensor_from_contact(
    part: Option<&PartName>,
    contact: &Contact,
    at: Timestamp,
) -> TouchSensor {
    let names = names_from_part(Family::Touch, part);
    TouchSensor {
        created: Some(utc_from_timestamp(at)),
        expiry: expiry(at, TOUCH_GOOD_FOR),
        is_contacted: Some(contact.contacted),
        pose: mounting(contact, at),
        sensor_id: Some(names.sensor_id.to_owned()),
        sensor_name: Some(names.sensor_name.into_owned()),
        sensor_position: Some(names.sensor_position.into_owned()),
        extra: Extra::new(),
    }
}

fn mounting(contact: &Contact, at: Timestamp) -> Option<Box<wire::Pose>> {
    let Point { x_m, y_m, z_m } = *contact.position.as_ref()?;
    let pose = Pose { z_m, ..Pose::planar(contact.frame, x_m, y_m, 0.0) };
    wire::Pose::encode(&pose, &Context::at(at)).map(Box::new)
}
