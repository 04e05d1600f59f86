//! One message of any topic.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::arena::{Arena, Obstacle, ObstacleDelete};
use super::comm::{CommOut, Neopixel, NeopixelOrder};
use super::id::BareId;
use super::list::List;
use super::localization::{DataItem, Place};
use super::management::{Coordinates, Discovery, Snapshot};
use super::reality::Reality;
use super::robot::{Coordinate, Live, Log, Order};
use super::sensor::{
    ColorReply, ColorRequest, Compass, DistanceReply, DistanceRequest, ProximityReply, ProximityRequest,
};
use super::{ReadError, text};
use crate::pera::lenient;
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Reach, Sensor, Topic};

/// Longest message that is read, bytes: a swarm of thousands in one list.
pub const MAX_BYTES: usize = 2 << 20;

/// Longest message of one robot, bytes; each is held as the last of its kind, of thousands of robots. The documents give a
/// robot's text 64 characters.
pub const MAX_BYTES_OF_ONE: usize = 8 << 10;

/// A message, by its topic.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A robot introduces itself.
    Create(Coordinate),
    /// A robot shows that it is there.
    Live(Live),
    /// A robot was taken out.
    Delete(SwarmId),
    /// An order to a robot, or to all.
    Order(Option<SwarmId>, Order),
    /// What a robot notes.
    Log(Log),
    /// Where a robot gets its program from.
    Ota(SwarmId, String),
    /// A robot asks where it is.
    Localization(SwarmId),
    /// Where a robot is.
    LocalizationOf(SwarmId, Place),
    /// Where robots are.
    LocalizationUpdate(Vec<Coordinate>),
    /// All shall tell where they are.
    LocalizationUpdateAsked,
    /// Somebody asks for the whole swarm.
    LocalizationDataAsked(Reality),
    /// The whole swarm.
    LocalizationData(Vec<Coordinate>),
    /// A robot's distance, and its wish for the simulator's.
    Distance(DistanceRequest),
    /// A robot's colour, and its wish for the simulator's.
    Color(ColorRequest),
    /// A robot's wish for distances and colours around.
    Proximity(ProximityRequest),
    /// A robot's compass.
    Compass(Compass),
    /// The simulator's distance for a robot.
    DistanceOf(SwarmId, DistanceReply),
    /// The simulator's colour for a robot.
    ColorOf(SwarmId, ColorReply),
    /// The simulator's distances and colours for a robot.
    ProximityOf(SwarmId, ProximityReply),
    /// A robot shall tell its reading.
    SensorAsked(Sensor, SwarmId),
    /// A robot says something.
    CommOut(Reach, CommOut),
    /// A robot hears something.
    CommIn(Reach, SwarmId, String),
    /// The colour of a robot's lamp.
    Neopixel(Neopixel),
    /// The colour that it shall have.
    NeopixelOf(SwarmId, NeopixelOrder),
    /// Somebody asks what stands around.
    ObstaclesAsked(Reality),
    /// What stands around.
    Obstacles(Vec<Obstacle>),
    /// An obstacle is gone.
    ObstaclesDelete(ObstacleDelete),
    /// All obstacles are gone.
    ObstaclesDeleteAll,
    /// How large the arena is.
    Arena(Arena),
    /// Somebody asks for all that is known of a robot.
    SnapshotAsked(SwarmId),
    /// All that is known of a robot.
    Snapshot(Snapshot),
    /// A word to those who show the swarm.
    Visualizer(String),
    /// A simulator shows that it is there.
    Discovery(Discovery),
    /// A simulator shall end.
    Terminate(String),
    /// A pose to be printed.
    Test(Coordinates),
    /// Of a topic that is not known.
    Unknown(String, Bytes),
}

impl Message {
    /// Reads a message of a topic.
    pub fn read(topic: &Topic, payload: &[u8]) -> Result<Self, ReadError> {
        Self::of(topic, payload).map_err(|problem| ReadError::new(topic, problem))
    }

    fn of(topic: &Topic, payload: &[u8]) -> Result<Self, Problem> {
        let most = if topic.is_of_one() { MAX_BYTES_OF_ONE } else { MAX_BYTES };
        if payload.len() > most {
            let text = format!("{} bytes are too many, the most is {most}", payload.len());
            return Err(Problem { text, may_be_another: false });
        }
        if let Topic::Unknown(name) = topic {
            return Ok(Self::Unknown(name.clone(), Bytes::copy_from_slice(payload)));
        }
        let no_text = |_| Problem { text: "this is no UTF-8 text".to_owned(), may_be_another: false };
        let text = std::str::from_utf8(payload).map_err(no_text)?;
        Ok(match topic {
            Topic::Create => Self::Create(json(text)?),
            Topic::Live => Self::Live(json(text)?),
            Topic::Delete => Self::Delete(bare_id(text)?),
            Topic::Order(id) => Self::Order(Some(*id), Order::from_text(text)),
            Topic::OrderAll => Self::Order(None, Order::from_text(text)),
            Topic::Log => Self::Log(json(text)?),
            Topic::Ota(id) => Self::Ota(*id, text.to_owned()),
            Topic::Localization => Self::Localization(bare_id(text)?),
            Topic::LocalizationOf(id) => Self::LocalizationOf(*id, Place::from_text(text)?),
            Topic::LocalizationUpdate => Self::LocalizationUpdate(items(text)?),
            Topic::LocalizationUpdateAsked => Self::LocalizationUpdateAsked,
            Topic::LocalizationDataAsked => Self::LocalizationDataAsked(Reality::from_text(text)),
            Topic::LocalizationData => Self::LocalizationData(items(text)?),
            Topic::Sensor(Sensor::Distance) => Self::Distance(json(text)?),
            Topic::Sensor(Sensor::Color) => Self::Color(json(text)?),
            Topic::Sensor(Sensor::Proximity) => Self::Proximity(json(text)?),
            Topic::Sensor(Sensor::Compass) => Self::Compass(json(text)?),
            Topic::SensorOf(Sensor::Distance, id) => Self::DistanceOf(*id, DistanceReply::from_text(text)?),
            Topic::SensorOf(Sensor::Color, id) => Self::ColorOf(*id, ColorReply::from_text(text)?),
            Topic::SensorOf(Sensor::Proximity, id) => {
                Self::ProximityOf(*id, ProximityReply::from_text(text)?)
            }
            Topic::SensorOf(Sensor::Compass, _) => {
                Self::Unknown(topic.to_string(), Bytes::copy_from_slice(payload))
            }
            Topic::SensorAsked(sensor, id) => Self::SensorAsked(*sensor, *id),
            Topic::CommOut(reach) => Self::CommOut(*reach, json(text)?),
            Topic::CommIn(reach, id) => Self::CommIn(*reach, *id, text.to_owned()),
            Topic::Neopixel => Self::Neopixel(json(text)?),
            Topic::NeopixelOf(id) => Self::NeopixelOf(*id, NeopixelOrder::from_text(text)?),
            Topic::ObstaclesAsked => Self::ObstaclesAsked(Reality::from_text(text)),
            Topic::Obstacles => Self::Obstacles(items(text)?),
            Topic::ObstaclesDelete => Self::ObstaclesDelete(json(text)?),
            Topic::ObstaclesDeleteAll => Self::ObstaclesDeleteAll,
            Topic::Arena => Self::Arena(json(text)?),
            Topic::SnapshotAsked => Self::SnapshotAsked(bare_id(text)?),
            Topic::Snapshot => Self::Snapshot(json(text)?),
            Topic::Visualizer => Self::Visualizer(text.to_owned()),
            Topic::Discovery => Self::Discovery(json(text)?),
            Topic::Terminate(uuid) => Self::Terminate(uuid.clone()),
            Topic::Test => Self::Test(json(text)?),
            Topic::Unknown(name) => Self::Unknown(name.clone(), Bytes::copy_from_slice(payload)),
        })
    }

    /// Which topic it is of.
    pub fn topic(&self) -> Topic {
        match self {
            Self::Create(_) => Topic::Create,
            Self::Live(_) => Topic::Live,
            Self::Delete(_) => Topic::Delete,
            Self::Order(Some(id), _) => Topic::Order(*id),
            Self::Order(None, _) => Topic::OrderAll,
            Self::Log(_) => Topic::Log,
            Self::Ota(id, _) => Topic::Ota(*id),
            Self::Localization(_) => Topic::Localization,
            Self::LocalizationOf(id, _) => Topic::LocalizationOf(*id),
            Self::LocalizationUpdate(_) => Topic::LocalizationUpdate,
            Self::LocalizationUpdateAsked => Topic::LocalizationUpdateAsked,
            Self::LocalizationDataAsked(_) => Topic::LocalizationDataAsked,
            Self::LocalizationData(_) => Topic::LocalizationData,
            Self::Distance(_) => Topic::Sensor(Sensor::Distance),
            Self::Color(_) => Topic::Sensor(Sensor::Color),
            Self::Proximity(_) => Topic::Sensor(Sensor::Proximity),
            Self::Compass(_) => Topic::Sensor(Sensor::Compass),
            Self::DistanceOf(id, _) => Topic::SensorOf(Sensor::Distance, *id),
            Self::ColorOf(id, _) => Topic::SensorOf(Sensor::Color, *id),
            Self::ProximityOf(id, _) => Topic::SensorOf(Sensor::Proximity, *id),
            Self::SensorAsked(sensor, id) => Topic::SensorAsked(*sensor, *id),
            Self::CommOut(reach, _) => Topic::CommOut(*reach),
            Self::CommIn(reach, id, _) => Topic::CommIn(*reach, *id),
            Self::Neopixel(_) => Topic::Neopixel,
            Self::NeopixelOf(id, _) => Topic::NeopixelOf(*id),
            Self::ObstaclesAsked(_) => Topic::ObstaclesAsked,
            Self::Obstacles(_) => Topic::Obstacles,
            Self::ObstaclesDelete(_) => Topic::ObstaclesDelete,
            Self::ObstaclesDeleteAll => Topic::ObstaclesDeleteAll,
            Self::Arena(_) => Topic::Arena,
            Self::SnapshotAsked(_) => Topic::SnapshotAsked,
            Self::Snapshot(_) => Topic::Snapshot,
            Self::Visualizer(_) => Topic::Visualizer,
            Self::Discovery(_) => Topic::Discovery,
            Self::Terminate(uuid) => Topic::Terminate(uuid.clone()),
            Self::Test(_) => Topic::Test,
            Self::Unknown(name, _) => Topic::Unknown(name.clone()),
        }
    }

    /// Writes a message: its topic without the channel, and its text.
    pub fn write(&self) -> (String, Bytes) {
        (self.topic().to_string(), self.payload())
    }

    fn payload(&self) -> Bytes {
        match self {
            Self::Create(it) => written(it),
            Self::Live(it) => written(it),
            // The documents say `{"id":…}`, and those who show the swarm read it; the reference's simulator writes less.
            Self::Delete(id) | Self::SnapshotAsked(id) => format!("{{\"id\":{id}}}").into(),
            Self::Order(_, order) => order.to_string().into(),
            Self::Log(it) => written(it),
            Self::Localization(id) => id.to_string().into(),
            Self::LocalizationOf(_, place) => place.to_string().into(),
            Self::LocalizationUpdate(it) => written(it),
            Self::LocalizationUpdateAsked | Self::ObstaclesDeleteAll => Bytes::from_static(b"?"),
            Self::LocalizationDataAsked(reality) | Self::ObstaclesAsked(reality) => {
                Bytes::from_static(reality.as_str().as_bytes())
            }
            Self::LocalizationData(it) => written(&it.iter().map(DataItem::from).collect::<Vec<_>>()),
            Self::Distance(it) => written(it),
            Self::Color(it) => written(it),
            Self::Proximity(it) => written(it),
            Self::Compass(it) => written(it),
            Self::DistanceOf(_, it) => it.to_string().into(),
            Self::ColorOf(_, it) => it.to_string().into(),
            Self::ProximityOf(_, it) => it.to_string().into(),
            Self::SensorAsked(..) => Bytes::from_static(b"?"),
            Self::CommOut(_, it) => written(it),
            Self::Ota(_, text) | Self::CommIn(_, _, text) | Self::Visualizer(text) => text.clone().into(),
            Self::Neopixel(it) => written(it),
            Self::NeopixelOf(_, it) => it.to_string().into(),
            Self::Obstacles(it) => written(it),
            Self::ObstaclesDelete(it) => written(it),
            Self::Arena(it) => written(it),
            Self::Snapshot(it) => written(it),
            Self::Discovery(it) => written(it),
            Self::Terminate(uuid) => uuid.clone().into(),
            Self::Test(it) => written(it),
            Self::Unknown(_, payload) => payload.clone(),
        }
    }
}

/// What is wrong with a message.
pub(super) struct Problem {
    pub(super) text: String,
    /// Another topic may have such messages.
    pub(super) may_be_another: bool,
}

/// Of a topic whose messages are no JSON, so that nothing is known of it as one.
impl From<String> for Problem {
    fn from(text: String) -> Self {
        Self { text, may_be_another: true }
    }
}

/// Reads strictly, which is fast; then generously, which is for those who write otherwise.
fn json<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let error = match serde_json::from_str(text) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    let (error, may_be_another) = match lenient::read(text) {
        Some(value) => match T::deserialize(value) {
            Ok(read) => return Ok(read),
            Err(error) => (error, true),
        },
        None => (error, false),
    };
    Err(Problem { text: text::cut_to(&error.to_string(), 200), may_be_another })
}

fn bare_id(text: &str) -> Result<SwarmId, Problem> {
    json::<BareId>(text).map(|id| id.0)
}

fn items<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, Problem> {
    json::<List<T>>(text).map(|list| list.0)
}

fn written(it: &impl Serialize) -> Bytes {
    // Records of numbers and texts can always be written.
    serde_json::to_vec(it).unwrap_or_default().into()
}
