//! The translation between what a swarm says and what a robot says: pure functions, nothing else.
//!
//! | file | topics | signals |
//! |---|---|---|
//! | `place` | `robot/create`, `localization/*` | pose |
//! | `sense` | `sensor/*` | range, color, imu |
//! | `talk` | `robot/log`, `comm/*` | text |
//! | here | `output/neopixel`, `mgt/robots/?` | lamp, pose |
//! | `order` | `robot/msg/*`, `comm/in/*`, `output/neopixel/{id}`, `sensor/+/{id}/?` | commands |
//!
//! A robot's own readings are those of the part `front`. What a simulator tells it is told of parts that begin with
//! `virtual_`, because it is no reading of the robot's: `virtual_front`, `virtual_left`, `virtual_angle_45`. Of robots
//! of other families every part that begins with `front` looks ahead, and so does a reading without a part.

mod order;
mod place;
mod sense;
mod talk;
mod units;

#[cfg(test)]
mod tests;

use bytes::Bytes;
use latimer_core::model::Native;
use latimer_core::model::signal::{Lamp, Other};
use latimer_core::{PartName, RobotId, Signal, Stamp, Timestamp, Update};

use super::NAME;
use super::roster::SwarmId;
use super::topic::Topic;
use super::wire::comm::Neopixel;
use super::wire::management::{Coordinates, Snapshot};
use super::wire::{Message, Number, Reality};

pub use order::{command_from_message, message_from_command, realities_from_reality, reality_from_realities};
pub use place::{coordinate_from_pose, pose_in_arena};
pub use sense::color_from_hex;

/// What looks ahead.
pub const FRONT: &str = "front";

/// The lamp.
pub const NEOPIXEL: &str = "neopixel";

/// What parts begin with that are told by a simulator.
const VIRTUAL: &str = "virtual_";

/// One signal that a message holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// Whose.
    pub id: SwarmId,
    /// Which part it is about.
    pub part: Option<PartName>,
    /// What was said.
    pub signal: Signal,
}

impl Heard {
    fn new(id: SwarmId, part: Option<String>, signal: impl Into<Signal>) -> Self {
        Self { id, part: part.as_deref().map(PartName::of), signal: signal.into() }
    }
}

/// All that a message says of robots. `angles` are those that the robot asked for last, which a proximity reply does not
/// repeat; without them it says nothing.
pub fn signals_from_message(message: &Message, angles: &[Number]) -> Vec<Heard> {
    let one = |id, part: Option<&str>, signal: Option<Signal>| {
        signal.into_iter().map(|signal| Heard::new(id, part.map(str::to_owned), signal)).collect()
    };
    let front = Some(FRONT);
    let virtual_front = Some("virtual_front");
    match message {
        Message::Create(it) => one(it.id, None, place::pose_from_create(it).map(Into::into)),
        Message::LocalizationUpdate(list) | Message::LocalizationData(list) => {
            let heard = list.iter().filter_map(|it| Some((it.id, place::pose_from_coordinate(it)?)));
            heard.map(|(id, pose)| Heard::new(id, None, pose)).collect()
        }
        Message::LocalizationOf(id, it) => one(*id, None, place::pose_from_place(it).map(Into::into)),
        Message::Snapshot(it) => {
            let Snapshot { id, coordinates, reality: _, live: _, data: _ } = it;
            let Coordinates { x, y, heading } = coordinates;
            one(*id, None, pose_in_arena(x.0, y.0, heading.0).map(Into::into))
        }
        Message::Distance(it) => one(it.id, front, sense::range_from_request(it).map(Into::into)),
        Message::Color(it) => one(it.id, front, sense::color_from_request(it).map(Into::into)),
        Message::Compass(it) => one(it.id, None, Some(sense::imu_from_compass(it).into())),
        Message::DistanceOf(id, it) => one(*id, virtual_front, Some(sense::range_from_reply(*it).into())),
        Message::ColorOf(id, it) => one(*id, virtual_front, Some(sense::color_from_reply(*it).into())),
        Message::ProximityOf(id, it) => sense::seen_in_proximity(it, angles)
            .into_iter()
            .flat_map(|(angle, range, color)| {
                let part = part_of_angle(angle);
                let range = Heard::new(*id, Some(part.clone()), range);
                [Some(range), color.map(|color| Heard::new(*id, Some(part), color))]
            })
            .flatten()
            .collect(),
        Message::Neopixel(it) => {
            let Neopixel { id, R, G, B } = it;
            let [red, green, blue] = [R, G, B].map(|number| units::byte(*number));
            one(*id, Some(NEOPIXEL), Some(Lamp { red, green, blue }.into()))
        }
        Message::Log(it) => one(it.id, None, Some(talk::text_from_log(it).into())),
        Message::CommOut(reach, it) => {
            one(it.id, Some(&talk::part_of_out(*reach)), Some(talk::text_from_comm(it).into()))
        }
        Message::CommIn(reach, id, text) => {
            one(*id, Some(&talk::part_of_in(*reach)), Some(talk::text_heard(text).into()))
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
        Message::Delete(id)
        | Message::Order(Some(id), _)
        | Message::Ota(id, _)
        | Message::Localization(id)
        | Message::LocalizationOf(id, _)
        | Message::DistanceOf(id, _)
        | Message::ColorOf(id, _)
        | Message::ProximityOf(id, _)
        | Message::SensorAsked(_, id)
        | Message::CommIn(_, id, _)
        | Message::NeopixelOf(id, _)
        | Message::SnapshotAsked(id) => Some(*id),
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
        _ => None,
    }
}

/// Whether a robot itself says it, so that it is there.
pub fn is_said_by_robot(message: &Message) -> bool {
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
            let heard = signals_from_message(message, angles);
            // Most requests tell nothing.
            if heard.is_empty() {
                return Vec::new();
            }
            let topic = message.topic().to_string();
            return told(heard, id, robot, &topic, payload, received);
        }
    };
    let (topic, payload) = own.write();
    told(signals_from_message(&own, angles), id, robot, &topic, &payload, received)
}

fn told(
    heard: Vec<Heard>,
    id: SwarmId,
    robot: &RobotId,
    topic: &str,
    payload: &Bytes,
    received: Timestamp,
) -> Vec<Update> {
    let own = heard.into_iter().filter(|heard| heard.id == id);
    own.map(|heard| Update {
        robot: robot.clone(),
        part: heard.part,
        stamp: Stamp::gateway(received),
        received,
        signal: heard.signal,
        native: Some(Native { dialect: NAME, topic: topic.into(), payload: payload.clone() }),
    })
    .collect()
}

/// A message that cannot be read, or that no kind fits, passed through.
pub fn update_from_odd(robot: &RobotId, topic: &Topic, payload: &Bytes, received: Timestamp) -> Update {
    let topic = topic.to_string();
    let signal = Other { topic: topic.as_str().into() };
    let native = Native { dialect: NAME, topic: topic.into(), payload: payload.clone() };
    Update { native: Some(native), ..Update::now(robot, received, signal.into()) }
}

/// What a robot of the swarm would send for an update of any robot; `None` if it has no words for it.
pub fn message_from_update(id: SwarmId, update: &Update, reality: Option<Reality>) -> Option<Message> {
    let part = update.part.as_ref();
    match &update.signal {
        Signal::Pose(it) => Some(Message::LocalizationUpdate(vec![coordinate_from_pose(id, it, reality)?])),
        Signal::Range(it) if looks_ahead(part) => Some(Message::Distance(sense::request_from_range(id, it)?)),
        Signal::Color(it) if looks_ahead(part) => Some(Message::Color(sense::request_from_color(id, it))),
        Signal::Imu(it) => Some(Message::Compass(sense::compass_from_imu(id, it)?)),
        Signal::Lamp(it) => {
            let Lamp { red, green, blue } = *it;
            let [r, g, b] = [red, green, blue].map(|byte| Number(f64::from(byte)));
            Some(Message::Neopixel(Neopixel { id, R: r, G: g, B: b }))
        }
        Signal::Text(it) => Some(match talk::said_from_text(id, part, it)? {
            talk::Said::Log(log) => Message::Log(log),
            talk::Said::Out(reach, comm) => Message::CommOut(reach, comm),
            talk::Said::In(reach, text) => Message::CommIn(reach, id, text),
        }),
        _ => None,
    }
}

/// Whether a sensor of any robot looks where it goes.
pub fn looks_ahead(part: Option<&PartName>) -> bool {
    part.is_none_or(|part| part.as_str().starts_with(FRONT))
}
