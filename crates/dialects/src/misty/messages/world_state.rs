//! WorldState: things that the robot perceives. No table, as the times of a thing stand in several places.

use latimer_core::Timestamp;
use latimer_core::model::signal::{DetectedObject, Frame, Objects};
use serde_json::{Value as Json, json};

use super::Context;
use super::codecs::{AnyText, Utc};
use super::pose::Location;
use crate::describe::codec::Codec;
use crate::describe::{Extra, Incomplete, Message, Translate};
use crate::misty::map::time::{timestamp_from_utc, utc_from_timestamp};

/// Section "WorldState": what the robot perceives, by a timer. The message as a whole carries no time.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct WorldState {
    /// Written as an empty list, not read.
    #[field(reserved, null)]
    pub characteristics: Option<Json>,
    /// Perceived objects.
    #[field(model = "objects", null)]
    pub objects: Option<Vec<WorldObject>>,
    pub(crate) extra: Extra,
}

/// One of `objects`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct WorldObject {
    /// Kind of object.
    #[field(model = "class", codec = AnyText, null, note = "`null` in the specification's sample")]
    pub class: Option<Json>,
    /// Number of the object.
    #[field(model = "id")]
    pub id: Option<i64>,
    /// Which one of its kind.
    #[field(model = "label", codec = AnyText, null, note = "`null` in the specification's sample")]
    pub individual: Option<Json>,
    /// Whether it can be perceived now.
    #[field(model = "sensed")]
    pub is_sensible: Option<bool>,
    /// Where it is.
    #[field(model = "pose")]
    pub location: Option<Location>,
    /// When it was perceived.
    #[field(model = "")]
    pub statistics: Option<PerceptionStatistics>,
    /// When it was perceived last, read where the statistics are missing.
    #[field(own)]
    pub time_stamp: Option<String>,
    pub(crate) extra: Extra,
}

/// `statistics` of an object.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(json = strict, rename = "camelCase")]
pub struct PerceptionStatistics {
    /// `hh:mm:ss`, with days before and a fraction behind if need be; written as 00:00:00, not read.
    #[field(own)]
    pub duration_continuously_perceived: Option<String>,
    /// First time.
    #[field(model = "first_seen", codec = Utc, note = "text in UTC on the wire, nanoseconds in the model")]
    pub first_perceived: Option<String>,
    /// Last time.
    #[field(model = "last_seen", codec = Utc, note = "text in UTC on the wire, nanoseconds in the model")]
    pub most_recently_perceived: Option<String>,
    pub(crate) extra: Extra,
}

impl Translate for WorldState {
    type Record = Objects;
    type Context = Context;

    fn decode(&self, _: &Context) -> Result<Objects, Incomplete> {
        Ok(Objects { objects: self.objects.iter().flatten().filter_map(object_from_wire).collect() })
    }

    fn encode(objects: &Objects, context: &Context) -> Option<Self> {
        Some(Self {
            characteristics: Some(json!([])),
            objects: Some(
                objects.objects.iter().map(|object| wire_from_object(object, context.at)).collect(),
            ),
            extra: Extra::new(),
        })
    }
}

/// A message about all things.
pub fn world_state(objects: &Objects, at: Timestamp) -> crate::misty::wire::Message {
    WorldState::encode(objects, &Context::at(at)).unwrap_or_default().into()
}

/// One thing; `None` if its place is unknown.
fn object_from_wire(object: &WorldObject) -> Option<DetectedObject> {
    let WorldObject { class, id, individual, is_sensible, location, statistics, time_stamp, extra: _ } =
        object;
    let (first, last) = statistics.as_ref().map_or((&None, &None), |statistics| {
        (&statistics.first_perceived, &statistics.most_recently_perceived)
    });
    let text = |word: &Option<Json>| AnyText.decode(word.as_ref()?, &());
    Some(DetectedObject {
        id: id.unwrap_or_default(),
        class: text(class),
        label: text(individual),
        pose: location.as_ref()?.pose.as_ref()?.in_frame(Frame::Map)?,
        size: None,
        pockets: None,
        confidence_ratio: None,
        sensed: is_sensible.unwrap_or(false),
        first_seen: first.as_deref().and_then(timestamp_from_utc),
        last_seen: last.as_deref().or(time_stamp.as_deref()).and_then(timestamp_from_utc),
    })
}

fn wire_from_object(object: &DetectedObject, at: Timestamp) -> WorldObject {
    let DetectedObject {
        id,
        class,
        label,
        pose,
        size: _,
        pockets: _,
        confidence_ratio: _,
        sensed,
        first_seen,
        last_seen,
    } = object;
    let seen_at = last_seen.unwrap_or(at);
    WorldObject {
        class: class.clone().map(Json::String),
        id: Some(*id),
        individual: label.clone().map(Json::String),
        is_sensible: Some(*sensed),
        location: Some(Location::of(pose, &Context::at(seen_at))),
        statistics: Some(PerceptionStatistics {
            duration_continuously_perceived: Some("00:00:00".to_owned()),
            first_perceived: first_seen.map(utc_from_timestamp),
            most_recently_perceived: last_seen.map(utc_from_timestamp),
            extra: Extra::new(),
        }),
        time_stamp: Some(utc_from_timestamp(seen_at)),
        extra: Extra::new(),
    }
}
