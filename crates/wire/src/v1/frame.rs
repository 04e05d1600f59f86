//! What comes down a stream: updates, and messages about the stream itself.

use latimer_core::Update as HubUpdate;
use latimer_core::frames::NoTransform;
use latimer_core::hub::{EndReason, Gap as HubGap, GapReason};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::time::rfc3339_from_timestamp;
use super::update::Update;

/// Largest message of a stream, bytes: the largest picture of a robot in base64, with room for its words beside it.
pub const MAX_MESSAGE_BYTES: usize = 128 << 20;

/// A hole in what a subscriber gets.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Gap {
    /// Whose updates are missing.
    pub robot: String,
    /// Kind of the first missing one, if that is known.
    #[schema(required)]
    pub kind: Option<String>,
    /// How many, if that is known.
    #[schema(required)]
    pub lost: Option<u64>,
    /// `queue_full`, `too_many_keys`, `link_lost`, `too_large` or `no_transform`.
    pub reason: String,
    /// The reason for a person.
    pub detail: String,
    /// When the hole began.
    pub from: String,
    /// When it ended.
    pub to: String,
}

impl Gap {
    /// Updates of a key that have no transform to the frame that was asked for; how many follow is not known.
    pub fn no_transform(update: &HubUpdate, why: &NoTransform) -> Self {
        let at = rfc3339_from_timestamp(update.received);
        Self {
            robot: update.robot.to_string(),
            kind: Some(update.kind().to_string()),
            lost: None,
            reason: "no_transform".to_owned(),
            detail: format!("{} is left out: {why}", update.key()),
            from: at.clone(),
            to: at,
        }
    }

    /// An update whose message would have so many bytes, more than [`MAX_MESSAGE_BYTES`].
    pub fn too_large(update: &HubUpdate, bytes: usize) -> Self {
        let at = rfc3339_from_timestamp(update.received);
        Self {
            robot: update.robot.to_string(),
            kind: Some(update.kind().to_string()),
            lost: Some(1),
            reason: "too_large".to_owned(),
            detail: format!(
                "an update is a message of {bytes} bytes, and {MAX_MESSAGE_BYTES} can be sent at most; pick fields, or leave out `native`"
            ),
            from: at.clone(),
            to: at,
        }
    }
}

impl From<&HubGap> for Gap {
    fn from(gap: &HubGap) -> Self {
        let HubGap { subscription: _, robot, kind, lost, reason, from, to } = gap;
        let word = match reason {
            GapReason::QueueFull => "queue_full",
            GapReason::TooManyKeys => "too_many_keys",
            GapReason::LinkLost => "link_lost",
        };
        Self {
            robot: robot.to_string(),
            kind: kind.map(|kind| kind.to_string()),
            lost: *lost,
            reason: word.to_owned(),
            detail: reason.to_string(),
            from: rfc3339_from_timestamp(*from),
            to: rfc3339_from_timestamp(*to),
        }
    }
}

/// Why a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndWhy {
    /// As many updates as were asked for came.
    Complete,
    /// The client reads too slowly.
    TooSlow,
    /// The gateway stops.
    Stopping,
}

/// Nothing more comes.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub reason: EndWhy,
    /// The reason for a person.
    pub detail: String,
}

impl From<&EndReason> for End {
    fn from(reason: &EndReason) -> Self {
        let why = match reason {
            EndReason::TooSlow { .. } => EndWhy::TooSlow,
            EndReason::Closed(_) => EndWhy::Stopping,
        };
        Self { reason: why, detail: reason.to_string() }
    }
}

/// One frame of a stream.
#[derive(Clone, Debug)]
pub enum Frame {
    /// An update.
    Update(Box<Update>),
    /// A hole.
    Gap(Gap),
    /// The end.
    End(End),
    /// What came within the time that one message covers; no batches, no end.
    Batch(Vec<Self>),
}

/// A frame that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the gateway sent what this program cannot read: {0}; are both of one version?")]
pub struct FrameError(#[from] serde_json::Error);

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Told {
    Gap(Gap),
    End(End),
}

#[derive(Deserialize)]
struct BatchOf<'a> {
    #[serde(borrow)]
    frames: Vec<&'a RawValue>,
}

impl Frame {
    /// Reads a frame's text.
    pub fn parse(text: &str) -> Result<Self, FrameError> {
        if tag(text)? != "batch" {
            return Self::single(text);
        }
        let BatchOf { frames } = serde_json::from_str(text)?;
        Ok(Self::Batch(frames.iter().map(|frame| Self::single(frame.get())).collect::<Result<_, _>>()?))
    }

    fn single(text: &str) -> Result<Self, FrameError> {
        if tag(text)? == "update" {
            return Ok(Self::Update(Box::new(serde_json::from_str(text)?)));
        }
        Ok(match serde_json::from_str(text)? {
            Told::Gap(gap) => Self::Gap(gap),
            Told::End(end) => Self::End(end),
        })
    }

    /// The frame's text.
    pub fn to_json(&self) -> String {
        let json = match self {
            Self::Update(update) => serde_json::to_string(update),
            Self::Gap(gap) => serde_json::to_string(&Told::Gap(gap.clone())),
            Self::End(end) => serde_json::to_string(&Told::End(end.clone())),
            Self::Batch(frames) => {
                let frames: Vec<String> = frames.iter().map(Self::to_json).collect();
                return batch_of(frames.iter().map(String::as_str));
            }
        };
        json.unwrap_or_else(|error| unreachable!("a frame has text keys and finite numbers: {error}"))
    }
}

fn tag(text: &str) -> Result<&str, serde_json::Error> {
    #[derive(Deserialize)]
    struct Tag<'a> {
        #[serde(rename = "type")]
        tag: &'a str,
    }
    let Tag { tag } = serde_json::from_str(text)?;
    Ok(tag)
}

/// A batch of frames that are JSON already.
pub fn batch_of<'a>(frames: impl Iterator<Item = &'a str> + Clone) -> String {
    const HEAD: &str = r#"{"type":"batch","frames":["#;
    const TAIL: &str = "]}";
    let length: usize = frames.clone().map(|frame| frame.len() + 1).sum();
    let mut text = String::with_capacity(HEAD.len() + length + TAIL.len());
    text.push_str(HEAD);
    for (index, frame) in frames.enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(frame);
    }
    text.push_str(TAIL);
    text
}
