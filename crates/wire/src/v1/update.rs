//! An update: one thing that one robot published.

use latimer_core::Update as ModelUpdate;
use latimer_core::hub::{Shared, View, picked};
use latimer_core::model::signal::{Frame, FrameName};
use latimer_core::model::{ClockSource, Path, Signal, Stamp as ModelStamp, ToValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::json::BytesForm;
use super::native::{Native, NativeMessage};
use super::time::{rfc3339_as_given, rfc3339_from_timestamp};

/// Tells an update from other frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpdateTag {
    /// The only word.
    #[default]
    Update,
}

/// When something happened, and by which clock.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Stamp {
    /// RFC 3339.
    pub at: String,
    /// `robot` or `gateway`.
    pub clock: String,
}

/// From what the gateway derived a value.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Provenance {
    /// The keys that it was derived from, separated by commas.
    pub from: String,
    /// How.
    pub how: String,
}

/// One thing that one robot published.
#[derive(Clone, Debug, ToSchema, Serialize, Deserialize)]
pub struct Update {
    /// Always `update`.
    #[serde(rename = "type")]
    pub tag: UpdateTag,
    /// `robot/kind[/part]`.
    pub key: String,
    /// The robot that published it.
    pub robot: String,
    /// What kind of thing it is.
    pub kind: String,
    /// Which part of the robot.
    #[schema(required)]
    pub part: Option<String>,
    /// How it is delivered: `state`, `event` or `bulk`.
    pub class: String,
    /// Its number among those of its key; a step above 1 is a state that was replaced unread.
    pub sequence: u64,
    /// When it happened.
    pub stamp: Stamp,
    /// When the gateway received it.
    pub received: String,
    /// From what the gateway derived it; not there if the robot published it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub provenance: Option<Provenance>,
    /// The frame that its coordinates are in, by its name in the tree (`/api/v1/frames`), such as `axbot-1/map`; not there if it has none,
    /// or if they are in several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// The record's fields, or those that were picked; not there if one dialect's words were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    pub data: Option<serde_json::Value>,
    /// The update in the words of the dialect that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<NativeMessage>,
    /// The update in the words of each dialect that has some, if all were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<NativeMessage>>,
    /// What the robot really sent, if that was asked for and the robot sends messages at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<Native>,
}

impl Update {
    /// An update without its content.
    fn envelope(update: &Shared) -> Self {
        let ModelStamp { at, clock } = update.stamp;
        let (at, clock) = match clock {
            ClockSource::Robot => (rfc3339_as_given(at), "robot"),
            ClockSource::Gateway => (rfc3339_from_timestamp(at), "gateway"),
        };
        Self {
            tag: UpdateTag::Update,
            key: update.key(),
            robot: update.robot.to_string(),
            kind: update.kind().to_string(),
            part: update.part.as_ref().map(ToString::to_string),
            class: update.kind().class().to_string(),
            sequence: update.sequence(),
            stamp: Stamp { at, clock: clock.to_owned() },
            received: rfc3339_from_timestamp(update.received),
            provenance: update
                .provenance
                .as_ref()
                .map(|it| Provenance { from: it.from.to_string(), how: it.how.to_owned() }),
            frame: None,
            data: None,
            message: None,
            messages: None,
            native: None,
        }
    }

    /// An update with all fields; bytes are counted.
    pub fn whole(update: &Shared) -> Self {
        Self::whole_with(update, BytesForm::Count)
    }

    /// An update with all fields.
    pub fn whole_with(update: &Shared, bytes: BytesForm) -> Self {
        let data = Some(bytes.json(&update.signal.to_value()));
        Self { frame: frame_of(update), data, ..Self::envelope(update) }
    }

    /// An update with some fields only, under the names by which they were picked.
    pub fn picked(update: &Shared, view: &dyn View, pick: &[Path], bytes: BytesForm) -> Self {
        let data = Some(bytes.json(&picked(view, update, pick)));
        Self { frame: frame_of(update), data, ..Self::envelope(update) }
    }

    /// The same update, whose coordinates were moved to a frame.
    #[must_use]
    pub fn in_frame(self, frame: FrameName) -> Self {
        Self { frame: Some(frame.as_str().to_owned()), ..self }
    }

    /// An update in the words of a dialect.
    pub fn translated(update: &Shared, message: NativeMessage) -> Self {
        Self { message: Some(message), ..Self::envelope(update) }
    }

    /// The same update with the words of several dialects.
    #[must_use]
    pub fn with_messages(self, messages: Vec<NativeMessage>) -> Self {
        Self { messages: Some(messages), ..self }
    }

    /// The same update with what the robot really sent.
    #[must_use]
    pub fn with_native(mut self, update: &Shared) -> Self {
        self.native = update.native.as_ref().map(|it| Native::new(it.dialect, &it.topic, &it.payload));
        self
    }
}

fn frame_of(update: &Shared) -> Option<String> {
    let ModelUpdate { robot, part, signal, .. } = &**update;
    match (signal.frame(), signal, part) {
        (Some(frame), ..) => Some(format!("{robot}/{frame}")),
        // Of a scanner that does not know where it is.
        (None, Signal::Scan(_), Some(part)) => Some(format!("{robot}/{part}")),
        (None, Signal::Scan(_), None) => Some(format!("{robot}/{}", Frame::BaseLink)),
        _ => None,
    }
}
