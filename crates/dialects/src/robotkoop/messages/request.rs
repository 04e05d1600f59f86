//! `/robots/task`: what robots ask of the dialogue system, to say something and to know who is there. `/dialogue/task`: what
//! it asks of them.

use latimer_core::model::signal::{Face, FaceIdentity, Text, TextChannel};
use latimer_core::model::{Kind, Value};
use latimer_core::{Signal, Timestamp, Update};
use serde_json::Map;

use super::types;
use crate::describe::codec::{Codec, Describe};
use crate::describe::{At, Incomplete, Message, Received, Translate};
use crate::robotkoop::map::stamp_from_seconds;
use crate::robotkoop::wire::Head;

/// `/dialogue/task`: a task for a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// What to do: `bring`, `clean`, `memorize`, or anything else.
    pub kind: String,
    /// With what, e.g. `object`, `from`, `to`; any of them may be null.
    pub parameter: Map<String, serde_json::Value>,
}

types! {
    /// What a robot asks of the dialogue system, by its `type`.
    Request: Kind {
        /// Say something.
        "tts" => Tts(Tts) is Kind::Text,
        /// Somebody was seen.
        "person_detected" => PersonDetected(PersonDetected) is Kind::Face,
    }
}

/// `tts`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(record = Text, base = sent(), ignores(channel, truncated), when = is_chat, part = "chat", nulls)]
pub struct Tts {
    /// What to say.
    #[field(text, required)]
    pub text: Option<String>,
    /// In which language, RFC 3066, e.g. `en_US`.
    #[field(data, codec = Lang, or = None, note = "as `lang` in it")]
    pub lang: Option<String>,
}

fn sent() -> Text {
    Text { channel: TextChannel::Chat, text: "".into(), data: None, truncated: Some(false) }
}

fn is_chat(text: &Text, _: &At) -> bool {
    text.channel == TextChannel::Chat
}

/// A language beside a text; that of this gateway's robots if there is none.
struct Lang;

const LANGUAGE: &str = "en_US";

impl Describe for Lang {}

impl Codec<String, Option<Value>, At> for Lang {
    fn decode(&self, wire: &String, _: &At) -> Option<Option<Value>> {
        Some(Some(Value::Map(vec![("lang".into(), Value::Text(wire.clone().into()))])))
    }

    fn encode(&self, model: &Option<Value>, _: &At) -> Option<String> {
        let lang = model.as_ref().and_then(|data| data.at(&["lang".into()])).and_then(Value::as_str);
        Some(lang.unwrap_or(LANGUAGE).to_owned())
    }
}

/// `person_detected`.
#[derive(Clone, Debug, Default, PartialEq, Message)]
#[message(nulls)]
pub struct PersonDetected {
    /// The robot's own name for whom it saw.
    #[field(model = "track_id", kind = Face, note = "as text")]
    pub id: Option<String>,
    /// The name of the person if familiar, else `unknown`.
    #[field(model = "label", kind = Face)]
    pub name: Option<String>,
}

/// The name of a person without one.
const UNKNOWN: &str = "unknown";

fn face_from_person(PersonDetected { id, name }: &PersonDetected) -> Face {
    let label = name.clone().filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(UNKNOWN));
    Face {
        identity: if label.is_some() { FaceIdentity::Known } else { FaceIdentity::Stranger },
        label,
        track_id: id.as_deref().and_then(|id| id.trim().parse().ok()),
        bearing_rad: None,
        elevation_rad: None,
        distance_m: None,
    }
}

fn person_from_face(face: &Face) -> PersonDetected {
    let Face { identity: _, label, track_id, bearing_rad: _, elevation_rad: _, distance_m: _ } = face;
    let name = label.clone().unwrap_or_else(|| UNKNOWN.to_owned());
    PersonDetected { id: Some(track_id.map_or_else(|| name.clone(), |id| id.to_string())), name: Some(name) }
}

/// What a robot asks for, as a signal.
pub fn received_from_request(
    head: &Head,
    request: &Request,
    received: Timestamp,
) -> Result<Received, Incomplete> {
    let stamp = stamp_from_seconds(head.timestamp, received);
    match request {
        Request::Tts(it) => {
            let context = At(received);
            Ok(Received::new(it.part(&context), stamp, it.decode(&context)?))
        }
        Request::PersonDetected(it) => Ok(Received::new(None, stamp, face_from_person(it))),
        Request::Other(..) => Err(Incomplete { field: "type" }),
    }
}

/// What a robot would ask for, with a task's name made of the moment; `None` if an update calls for nothing.
pub fn request_from_update(update: &Update) -> Option<(String, Request)> {
    let at = update.stamp.at;
    let (word, request) = match &update.signal {
        Signal::Text(text) => ("tts", Request::Tts(Tts::encode(text, &At(at))?)),
        Signal::Face(face) => ("person", Request::PersonDetected(person_from_face(face))),
        _ => return None,
    };
    Some((format!("{word}{}", at.as_nanos().div_euclid(1_000_000)), request))
}
