//! One message of any topic.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::id::BareId;
use super::list::List;
use super::reality::Reality;
use super::{DecodeError, ReadError, text};
use crate::describe::Object;
use crate::pera::lenient;
use crate::pera::messages::arena::{Arena, Obstacle, ObstacleDelete};
use crate::pera::messages::comm::{CommOut, Neopixel, NeopixelOrder};
use crate::pera::messages::localization::Localization;
use crate::pera::messages::management::{Coordinates, Discovery, Snapshot};
use crate::pera::messages::robot::{Coordinate, Live, Log, Order};
use crate::pera::messages::sensor::{
    ColorReply, ColorRequest, Compass, DistanceReply, DistanceRequest, ProximityReply, ProximityRequest,
};
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Reach, Sensor, Topic};

/// Longest message that is read, bytes: a swarm of thousands in one list.
pub const MAX_BYTES: usize = 2 << 20;

/// Longest message of one robot, bytes; each is held as the last of its kind, of thousands of robots. The documents give a
/// robot's text 64 characters.
pub const MAX_BYTES_OF_ONE: usize = 8 << 10;

/// Declares [`Message`]: of each variant what it holds besides its payload, the payload, and its topic.
macro_rules! messages {
    ($($variant:ident($($part:ident: $type:ty),*): $payload:ty = $topic:ident $(($($at:tt)+))?;)+) => {
        /// A message, by its topic.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the topic of the same name tells what each is")]
        pub enum Message {
            $($variant($($type,)* $payload),)+
            /// An order to a robot, or to all.
            Order(Option<SwarmId>, Order),
            LocalizationUpdateAsked,
            /// A robot shall tell its reading.
            SensorAsked(Sensor, SwarmId),
            ObstaclesDeleteAll,
            Terminate(String),
            /// Of a topic that is not known.
            Unknown(String, Bytes),
        }

        impl Message {
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
                Ok(match topic.clone() {
                    $(Topic::$topic $(($($at)+))? => Self::$variant($($part,)* Payload::from_payload(text)?),)+
                    Topic::Order(id) => Self::Order(Some(id), Payload::from_payload(text)?),
                    Topic::OrderAll => Self::Order(None, Payload::from_payload(text)?),
                    Topic::LocalizationUpdateAsked => Self::LocalizationUpdateAsked,
                    Topic::SensorAsked(sensor, id) => Self::SensorAsked(sensor, id),
                    Topic::ObstaclesDeleteAll => Self::ObstaclesDeleteAll,
                    Topic::Terminate(uuid) => Self::Terminate(uuid),
                    Topic::SensorOf(Sensor::Compass, _) | Topic::Unknown(_) => {
                        Self::Unknown(topic.to_string(), Bytes::copy_from_slice(payload))
                    }
                })
            }

            /// Which topic it is of.
            pub fn topic(&self) -> Topic {
                match self {
                    $(Self::$variant($($part,)* _) => {
                        $(let $part = *$part;)*
                        Topic::$topic $(($($at)+))?
                    })+
                    Self::Order(Some(id), _) => Topic::Order(*id),
                    Self::Order(None, _) => Topic::OrderAll,
                    Self::LocalizationUpdateAsked => Topic::LocalizationUpdateAsked,
                    Self::SensorAsked(sensor, id) => Topic::SensorAsked(*sensor, *id),
                    Self::ObstaclesDeleteAll => Topic::ObstaclesDeleteAll,
                    Self::Terminate(uuid) => Topic::Terminate(uuid.clone()),
                    Self::Unknown(name, _) => Topic::Unknown(name.clone()),
                }
            }

            fn payload(&self) -> Bytes {
                match self {
                    $(Self::$variant(.., it) => it.to_payload(),)+
                    Self::Order(_, order) => order.to_payload(),
                    Self::LocalizationUpdateAsked | Self::SensorAsked(..) | Self::ObstaclesDeleteAll => {
                        Bytes::from_static(b"?")
                    }
                    Self::Terminate(uuid) => uuid.to_payload(),
                    Self::Unknown(_, payload) => payload.clone(),
                }
            }
        }
    };
}

messages! {
    Create(): Coordinate = Create;
    Live(): Live = Live;
    Delete(): SwarmId = Delete;
    Log(): Log = Log;
    Ota(id: SwarmId): String = Ota(id);
    Localization(): SwarmId = Localization;
    LocalizationOf(id: SwarmId): Localization = LocalizationOf(id);
    LocalizationUpdate(): Vec<Coordinate> = LocalizationUpdate;
    LocalizationDataAsked(): Reality = LocalizationDataAsked;
    LocalizationData(): Vec<Coordinate> = LocalizationData;
    Distance(): DistanceRequest = Sensor(Sensor::Distance);
    Color(): ColorRequest = Sensor(Sensor::Color);
    Proximity(): ProximityRequest = Sensor(Sensor::Proximity);
    Compass(): Compass = Sensor(Sensor::Compass);
    DistanceOf(id: SwarmId): DistanceReply = SensorOf(Sensor::Distance, id);
    ColorOf(id: SwarmId): ColorReply = SensorOf(Sensor::Color, id);
    ProximityOf(id: SwarmId): ProximityReply = SensorOf(Sensor::Proximity, id);
    CommOut(reach: Reach): CommOut = CommOut(reach);
    CommIn(reach: Reach, id: SwarmId): String = CommIn(reach, id);
    Neopixel(): Neopixel = Neopixel;
    NeopixelOf(id: SwarmId): NeopixelOrder = NeopixelOf(id);
    ObstaclesAsked(): Reality = ObstaclesAsked;
    Obstacles(): Vec<Obstacle> = Obstacles;
    ObstaclesDelete(): ObstacleDelete = ObstaclesDelete;
    Arena(): Arena = Arena;
    SnapshotAsked(): SwarmId = SnapshotAsked;
    Snapshot(): Snapshot = Snapshot;
    Visualizer(): String = Visualizer;
    Discovery(): Discovery = Discovery;
    Test(): Coordinates = Test;
}

impl Message {
    /// Reads a message of a topic.
    pub fn read(topic: &Topic, payload: &[u8]) -> Result<Self, ReadError> {
        Self::of(topic, payload).map_err(|problem| ReadError::new(topic, problem))
    }

    /// Writes a message: its topic without the channel, and its text.
    pub fn write(&self) -> (String, Bytes) {
        let payload = match self {
            Self::Localization(id) => id.to_string().into(),
            Self::LocalizationData(list) => with_ids_as_texts(list),
            message => message.payload(),
        };
        (self.topic().to_string(), payload)
    }
}

/// What messages of a topic hold.
trait Payload: Sized {
    fn from_payload(text: &str) -> Result<Self, Problem>;
    fn to_payload(&self) -> Bytes;
}

impl<T: Object + DeserializeOwned + Serialize> Payload for T {
    fn from_payload(text: &str) -> Result<Self, Problem> {
        json(text)
    }

    fn to_payload(&self) -> Bytes {
        written(self)
    }
}

impl<T: DeserializeOwned + Serialize> Payload for Vec<T> {
    fn from_payload(text: &str) -> Result<Self, Problem> {
        json::<List<T>>(text).map(|list| list.0)
    }

    fn to_payload(&self) -> Bytes {
        written(self)
    }
}

/// The documents say `{"id":…}`, and those who show the swarm read it; the reference's simulator writes less.
impl Payload for SwarmId {
    fn from_payload(text: &str) -> Result<Self, Problem> {
        json::<BareId>(text).map(|id| id.0)
    }

    fn to_payload(&self) -> Bytes {
        format!("{{\"id\":{self}}}").into()
    }
}

macro_rules! texts {
    ($($type:ty = |$text:ident| $read:expr;)+) => {
        $(impl Payload for $type {
            fn from_payload($text: &str) -> Result<Self, Problem> {
                Ok($read)
            }

            fn to_payload(&self) -> Bytes {
                self.to_string().into()
            }
        })+
    };
}

texts! {
    String = |text| text.to_owned();
    Order = |text| Order::from_text(text);
    Reality = |text| Reality::from_text(text);
    Localization = |text| Localization::from_text(text)?;
    DistanceReply = |text| DistanceReply::from_text(text)?;
    ColorReply = |text| ColorReply::from_text(text)?;
    ProximityReply = |text| ProximityReply::from_text(text)?;
    NeopixelOrder = |text| NeopixelOrder::from_text(text)?;
}

/// What is wrong with a message.
pub(super) struct Problem {
    pub(super) text: String,
    /// Another topic may have such messages.
    pub(super) may_be_another: bool,
}

/// Of a topic whose messages are no JSON, so that nothing is known of it as one.
impl From<DecodeError> for Problem {
    fn from(error: DecodeError) -> Self {
        Self { text: error.to_string(), may_be_another: true }
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

/// Of the whole swarm, robots' numbers are written as texts.
fn with_ids_as_texts(list: &[Coordinate]) -> Bytes {
    let mut items = serde_json::json!(list);
    for item in items.as_array_mut().into_iter().flatten() {
        item["id"] = item["id"].to_string().into();
    }
    written(&items)
}

fn written(it: &impl Serialize) -> Bytes {
    // Records of numbers and texts can always be written.
    serde_json::to_vec(it).unwrap_or_default().into()
}
