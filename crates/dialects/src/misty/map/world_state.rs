//! WorldState: things that the robot perceives.
//!
//! | wire, per object | model |
//! |---|---|
//! | `id`, `isSensible` | `id`, `sensed` |
//! | `class`, `individual`: `null` in the sample, text where known | `class`, `label` |
//! | `location.pose` | `pose` |
//! | `statistics.firstPerceived`, `mostRecentlyPerceived` | `first_seen`, `last_seen` |
//! | `timeStamp` | `last_seen`, read where the statistics are missing |
//! | `durationContinuouslyPerceived` | none; 0 as in the sample |
//!
//! The message as a whole carries no time.

use latimer_core::model::signal::{DetectedObject, Frame, Objects};
use latimer_core::{Stamp, Timestamp};
use serde_json::Value as Json;

use super::Received;
use super::time::{timestamp_from_utc, utc_from_timestamp};
use crate::misty::messages::Context;
use crate::misty::messages::pose::Location;
use crate::misty::wire::world_state::{PerceptionStatistics, WorldObject, WorldState};
use crate::misty::wire::{Extra, Message};

/// All things.
pub(super) fn heard_from_world_state(message: &WorldState, received: Timestamp) -> Received {
    let WorldState { characteristics: _, objects, extra: _ } = message;
    let objects = objects.iter().flatten().filter_map(object_from_wire).collect();
    Received::new(None, Stamp::gateway(received), Objects { objects })
}

/// One thing; `None` if its place is not told.
fn object_from_wire(object: &WorldObject) -> Option<DetectedObject> {
    let WorldObject { class, id, individual, is_sensible, location, statistics, time_stamp, extra: _ } =
        object;
    let (first, last) = match statistics {
        Some(PerceptionStatistics {
            duration_continuously_perceived: _,
            first_perceived,
            most_recently_perceived,
            extra: _,
        }) => (first_perceived.as_deref(), most_recently_perceived.as_deref()),
        None => (None, None),
    };
    let text = |word: &Option<Json>| word.as_ref().and_then(Json::as_str).map(str::to_owned);
    Some(DetectedObject {
        id: id.unwrap_or_default(),
        class: text(class),
        label: text(individual),
        pose: location.as_ref()?.pose.as_ref()?.in_frame(Frame::Map)?,
        size: None,
        pockets: None,
        confidence_ratio: None,
        sensed: is_sensible.unwrap_or(false),
        first_seen: first.and_then(timestamp_from_utc),
        last_seen: last.or(time_stamp.as_deref()).and_then(timestamp_from_utc),
    })
}

/// A message about all things; none of them if nothing is known.
pub fn world_state(objects: Option<&Objects>, at: Timestamp) -> Message {
    let objects = objects.map_or(&[][..], |objects| &objects.objects);
    WorldState {
        characteristics: Some(Json::Array(Vec::new())),
        objects: Some(objects.iter().map(|object| wire_from_object(object, at)).collect()),
        extra: Extra::new(),
    }
    .into()
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
