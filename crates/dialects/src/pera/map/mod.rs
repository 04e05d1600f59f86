//! The translation between what a swarm says and what a robot says: pure functions, nothing else.
//!
//! What stands for one record is translated as [`messages`](super::messages) describes it; here is which message tells which
//! signal of which part, in `talk` which a text is, and in `order` what is asked of robots.
//!
//! A robot's own readings are those of the part `front`. What a simulator sends to it is of parts that begin with
//! `virtual_`, because it is no reading of the robot's: `virtual_front`, `virtual_left`, `virtual_angle_45`. A robot of another
//! family has a `front` where the gateway derives it.

mod order;
mod talk;

#[cfg(test)]
mod tests;

use bytes::Bytes;
use latimer_core::model::Native;
use latimer_core::model::signal::Other;
use latimer_core::{PartName, RobotId, Signal, Stamp, Timestamp, Update};

use super::NAME;
use super::messages::Context;
use super::messages::comm::{CommIn, Neopixel};
use super::messages::management::Coordinates;
use super::messages::robot::Coordinate;
use super::messages::sensor::{ColorRequest, Compass, DistanceRequest, range_from_reply, seen_in_proximity};
use super::roster::SwarmId;
use super::topic::Topic;
use super::wire::{Message, Number, Reality};
use crate::describe::Translate;

pub use order::{command_from_message, message_from_command};

/// What looks ahead.
pub const FRONT: &str = "front";

/// The lamp.
pub const NEOPIXEL: &str = "neopixel";

/// What parts begin with that are published by a simulator.
const VIRTUAL: &str = "virtual_";

/// What looks ahead, as a simulator measures it.
const VIRTUAL_FRONT: &str = "virtual_front";

/// One signal that a message holds.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSignal {
    /// Whose.
    pub id: SwarmId,
    /// Which part it is about.
    pub part: Option<PartName>,
    /// The value.
    pub signal: Signal,
}

impl PartSignal {
    fn new(id: SwarmId, part: Option<String>, signal: impl Into<Signal>) -> Self {
        Self { id, part: part.as_deref().map(PartName::of), signal: signal.into() }
    }
}

/// All that a message says of robots; nothing of a robot that only asks, or says half of where it is. `angles` are those
/// that the robot asked for last, which a proximity reply does not repeat; without them it says nothing.
pub fn signals_from_message(message: &Message, angles: &[Number]) -> Vec<PartSignal> {
    match message {
        Message::Create(it) => {
            let [x, y] = [it.x, it.y].map(|it| it.or(Some(Number(0.0))));
            reported(it.id, None, &Coordinate { x, y, ..it.clone() })
        }
        Message::LocalizationUpdate(list) | Message::LocalizationData(list) => {
            list.iter().flat_map(|it| reported(it.id, None, it)).collect()
        }
        Message::LocalizationOf(id, it) => reported(*id, None, &Coordinates::from(*it)),
        Message::Snapshot(it) => reported(it.id, None, &it.coordinates),
        Message::Distance(it) => reported(it.id, Some(FRONT), it),
        Message::Color(it) => reported(it.id, Some(FRONT), it),
        Message::Compass(it) => reported(it.id, None, it),
        Message::DistanceOf(id, it) => {
            vec![PartSignal::new(*id, Some(VIRTUAL_FRONT.to_owned()), range_from_reply(*it))]
        }
        Message::ColorOf(id, it) => reported(*id, Some(VIRTUAL_FRONT), it),
        Message::ProximityOf(id, it) => seen_in_proximity(it, angles)
            .into_iter()
            .flat_map(|(angle, range, color)| {
                let part = part_of_angle(angle);
                let range = PartSignal::new(*id, Some(part.clone()), range);
                [Some(range), color.map(|color| PartSignal::new(*id, Some(part), color))]
            })
            .flatten()
            .collect(),
        Message::Neopixel(it) => reported(it.id, Some(NEOPIXEL), it),
        Message::Log(it) => reported(it.id, None, it),
        Message::CommOut(reach, it) => reported(it.id, Some(&talk::part_of_out(*reach)), it),
        Message::CommIn(reach, id, text) => {
            reported(*id, Some(&talk::part_of_in(*reach)), &CommIn(text.clone()))
        }
        // They tell that a robot is there, or gone, which is its link; or what is asked of it.
        Message::Live(_)
        | Message::Delete(_)
        | Message::Order(..)
        | Message::Ota(..)
        | Message::NeopixelOf(..)
        | Message::SensorAsked(..)
        | Message::SnapshotAsked(_)
        | Message::Localization(_)
        | Message::LocalizationUpdateAsked
        | Message::LocalizationDataAsked(_)
        | Message::Proximity(_) => Vec::new(),
        // They tell of no robot.
        Message::ObstaclesAsked(_)
        | Message::Obstacles(_)
        | Message::ObstaclesDelete(_)
        | Message::ObstaclesDeleteAll
        | Message::Arena(_)
        | Message::Visualizer(_)
        | Message::Discovery(_)
        | Message::Terminate(_)
        | Message::Test(_)
        | Message::Unknown(..) => Vec::new(),
    }
}

/// What a message that stands for one record tells, if it is complete.
fn reported<T: Translate<Record: Into<Signal>, Context = Context>>(
    id: SwarmId,
    part: Option<&str>,
    message: &T,
) -> Vec<PartSignal> {
    let record = message.decode(&Context { id, reality: None }).ok();
    record.map(|record| PartSignal::new(id, part.map(str::to_owned), record)).into_iter().collect()
}

/// Angles on the wire go clockwise.
fn part_of_angle(angle: Number) -> String {
    match angle.0 {
        -90.0 => format!("{VIRTUAL}left"),
        0.0 => format!("{VIRTUAL}{FRONT}"),
        90.0 => format!("{VIRTUAL}right"),
        _ => format!("{VIRTUAL}angle_{angle}"),
    }
}

/// Whose message it is, if it is one robot's: who speaks, or who is spoken to.
pub fn robot_of(message: &Message) -> Option<SwarmId> {
    match message {
        Message::Create(it) => Some(it.id),
        Message::Live(it) => Some(it.id),
        Message::Delete(id) | Message::Localization(id) | Message::SnapshotAsked(id) => Some(*id),
        Message::Log(it) => Some(it.id),
        Message::Distance(it) => Some(it.id),
        Message::Color(it) => Some(it.id),
        Message::Proximity(it) => Some(it.id),
        Message::Compass(it) => Some(it.id),
        Message::CommOut(_, it) => Some(it.id),
        Message::Neopixel(it) => Some(it.id),
        Message::Snapshot(it) => Some(it.id),
        Message::LocalizationUpdate(list) | Message::LocalizationData(list) => match &list[..] {
            [it] => Some(it.id),
            _ => None,
        },
        message => message.topic().robot(),
    }
}

/// Whether a robot itself says it, so that it is there.
pub fn is_sent_by_robot(message: &Message) -> bool {
    matches!(
        message,
        Message::Create(_)
            | Message::Live(_)
            | Message::Log(_)
            | Message::Localization(_)
            | Message::LocalizationUpdate(_)
            | Message::Distance(_)
            | Message::Color(_)
            | Message::Proximity(_)
            | Message::Compass(_)
            | Message::CommOut(..)
            | Message::Neopixel(_)
    )
}

/// The updates of one robot that a message holds, with the message beside them; of a list the robot's own item alone.
pub fn updates_from_message(
    message: &Message,
    payload: &Bytes,
    (id, robot): (SwarmId, &RobotId),
    angles: &[Number],
    received: Timestamp,
) -> Vec<Update> {
    let own = match message {
        Message::LocalizationUpdate(list) if list.len() > 1 => {
            Message::LocalizationUpdate(list.iter().filter(|it| it.id == id).cloned().collect())
        }
        Message::LocalizationData(list) if list.len() > 1 => {
            Message::LocalizationData(list.iter().filter(|it| it.id == id).cloned().collect())
        }
        message => {
            let incoming = signals_from_message(message, angles);
            // Most requests tell nothing.
            if incoming.is_empty() {
                return Vec::new();
            }
            let topic = message.topic().to_string();
            return updates(incoming, id, robot, &topic, payload, received);
        }
    };
    let (topic, payload) = own.write();
    updates(signals_from_message(&own, angles), id, robot, &topic, &payload, received)
}

fn updates(
    incoming: Vec<PartSignal>,
    id: SwarmId,
    robot: &RobotId,
    topic: &str,
    payload: &Bytes,
    received: Timestamp,
) -> Vec<Update> {
    let own = incoming.into_iter().filter(|incoming| incoming.id == id);
    own.map(|incoming| Update {
        robot: robot.clone(),
        part: incoming.part,
        stamp: Stamp::gateway(received),
        received,
        signal: incoming.signal,
        native: Some(Native {
            dialect: NAME,
            topic: topic.into(),
            payload: payload.clone(),
            definition: None,
        }),
        provenance: None,
    })
    .collect()
}

/// A message that cannot be read, or that no kind fits, passed through.
pub fn update_from_odd(robot: &RobotId, topic: &Topic, payload: &Bytes, received: Timestamp) -> Update {
    let topic = topic.to_string();
    let signal = Other { topic: topic.as_str().into() };
    let native = Native { dialect: NAME, topic: topic.into(), payload: payload.clone(), definition: None };
    Update { native: Some(native), ..Update::now(robot, received, signal.into()) }
}

/// What a robot of the swarm would send for an update of any robot; `None` if it has no words for it.
pub fn message_from_update(id: SwarmId, update: &Update, reality: Option<Reality>) -> Option<Message> {
    let (part, context) = (update.part.as_ref(), Context { id, reality });
    match &update.signal {
        Signal::Pose(it) => Some(Message::LocalizationUpdate(vec![Coordinate::encode(it, &context)?])),
        Signal::Range(it) if looks_ahead(part) => {
            Some(Message::Distance(DistanceRequest::encode(it, &context)?))
        }
        Signal::Color(it) if looks_ahead(part) => Some(Message::Color(ColorRequest::encode(it, &context)?)),
        Signal::Imu(it) => Some(Message::Compass(Compass::encode(it, &context)?)),
        Signal::Lamp(it) => Some(Message::Neopixel(Neopixel::encode(it, &context)?)),
        Signal::Text(it) => talk::message_from_text(part, it, &context),
        _ => None,
    }
}

/// Whether a sensor of any robot looks where it goes.
pub fn looks_ahead(part: Option<&PartName>) -> bool {
    part.is_none_or(|part| part.as_str() == FRONT)
}
