//! SelfState and WorldState: events that a robot puts together from what it knows, on a timer.

use std::sync::Arc;

use bytes::Bytes;
use latimer_core::hub::Shared;
use latimer_core::model::Kind;
use latimer_core::model::signal::{ContactSensor, DetectedObject, Frame, Objects, TextChannel};
use latimer_core::{PartName, Signal, Timestamp};

use super::robot::FacadeRobot;
use crate::misty::map::names::is_known;
use crate::misty::map::{SelfStateParts, self_state, world_state};
use crate::misty::wire::{EventType, Message, Version};

/// A composed event that a Misty sent itself passes through while it is not older than this.
const FRESH_S: f64 = 2.0;

/// Each part that detects things numbers them from one; those of the second part begin here.
const OF_A_PART: i64 = 1_000_000;

/// What the robot itself said, if it is a Misty and said it just now.
pub(super) fn own_native(robot: &FacadeRobot, event_type: EventType) -> Option<Bytes> {
    if robot.style().version != Version::Current {
        return None;
    }
    let kind = if event_type == EventType::WorldState { Kind::Objects } else { Kind::Status };
    let update = robot.last(kind)?;
    let native = update.native.as_ref()?;
    let fresh = robot.hub.clock().now().since(update.received).as_secs_f64() <= FRESH_S;
    let own = native.dialect == crate::misty::NAME && *native.topic == *event_type.as_str();
    (own && fresh).then(|| native.payload.clone())
}

/// The event as of now, from the last values in the hub.
pub(super) fn message(robot: &FacadeRobot, event_type: EventType, now: Timestamp) -> Message {
    let last = |kind| robot.last(kind);
    if event_type == EventType::WorldState {
        return world_state(&perceived(robot), now);
    }
    let (battery, pose, localization, status) =
        (last(Kind::Battery), last(Kind::Pose), last(Kind::Localization), last(Kind::Status));
    let map = last(Kind::Map);
    let bumped = engaged(robot, ContactSensor::Bumper);
    let touched = engaged(robot, ContactSensor::Touch);
    let serial = serial_lines(robot);
    // A Misty tells where it is on its map; one of another family may know where it is by its wheels alone.
    let on_map = pose.as_ref().filter(|_| robot.is_foreign()).and_then(|update| match &update.signal {
        Signal::Pose(pose) => robot.hub.on_map(&robot.robot, pose),
        _ => None,
    });
    let mut parts =
        SelfStateParts { at: now, bumped: &bumped, touched: &touched, serial: &serial, ..Default::default() };
    for update in [&battery, &pose, &map, &localization, &status].into_iter().flatten() {
        match &update.signal {
            Signal::Battery(battery) => parts.battery = Some((battery, update.stamp)),
            Signal::Pose(pose) => parts.pose = Some((on_map.as_ref().unwrap_or(pose), update.stamp)),
            Signal::Map(map) => parts.map = Some(map),
            Signal::Localization(localization) => parts.localization = Some(localization),
            Signal::Status(status) => parts.status = Some(status),
            _ => {}
        }
    }
    let mut message = self_state(&parts);
    if let Message::SelfState(message) = &mut message {
        // Clients take it to send requests to; here that is the gateway.
        message.local_ip_address.get_or_insert_with(|| robot.ip.to_string());
    }
    message
}

/// What the robot perceives by all its parts, as a Misty has it: in the axes of the base, each thing with a number of its own.
fn perceived(robot: &FacadeRobot) -> Objects {
    let (hub, name) = (&robot.hub, &robot.robot);
    let base = format!("{name}/{}", Frame::BaseLink.as_str());
    let on_base = |object: &DetectedObject| {
        let pose = match object.pose.frame {
            frame if robot.is_foreign() && frame != Frame::BaseLink => {
                hub.transform(name, frame, &base).ok()?.place(&object.pose, Frame::BaseLink)
            }
            _ => object.pose.clone(),
        };
        Some(DetectedObject { pose, ..object.clone() })
    };
    let known = hub.last_of_parts(name, Kind::Objects);
    let of_part = |(part, update): (i64, &Arc<Shared>)| {
        let Signal::Objects(objects) = &update.signal else { return Vec::new() };
        // A robot numbers as it likes.
        let numbered = |it: DetectedObject| DetectedObject { id: it.id.wrapping_add(part * OF_A_PART), ..it };
        objects.objects.iter().filter_map(on_base).map(numbered).collect()
    };
    Objects { objects: (0..).zip(&known).flat_map(of_part).collect() }
}

/// The contact sensors of a sort that were engaged in their last updates.
fn engaged(robot: &FacadeRobot, sensor: ContactSensor) -> Vec<PartName> {
    let known = robot.hub.last_of_parts(&robot.robot, Kind::Contact);
    let engaged = known.iter().filter(|update| match &update.signal {
        Signal::Contact(contact) => contact.sensor == sensor && contact.contacted,
        _ => false,
    });
    let parts = engaged.filter_map(|update| update.part.clone());
    parts.filter(|part| !robot.is_foreign() || is_known(Kind::Contact, Some(part))).collect()
}

/// The last line that came in on the serial port.
pub(super) fn serial_lines(robot: &FacadeRobot) -> Vec<Arc<str>> {
    let line = |update: &Arc<Shared>| match &update.signal {
        Signal::Text(text) if text.channel == TextChannel::Serial => Some(text.text.clone()),
        _ => None,
    };
    robot.hub.last_of_parts(&robot.robot, Kind::Text).iter().filter_map(line).collect()
}
