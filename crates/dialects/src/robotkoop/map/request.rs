//! What robots ask of the dialogue system: to say something, and to know who is there.

use latimer_core::model::Value;
use latimer_core::model::signal::{Face, FaceIdentity, Text, TextChannel};
use latimer_core::{PartName, Signal, Timestamp, Update};

use super::{Heard, stamp_from_seconds};
use crate::robotkoop::wire::{Head, PersonDetected, Request, Tts};

/// The language of what this gateway's robots say.
const LANGUAGE: &str = "en_US";

/// The name of whoever has none.
const UNKNOWN: &str = "unknown";

/// What a robot asks for, as a signal; `None` of a type that is not known.
pub fn heard_from_request(head: &Head, request: &Request, received: Timestamp) -> Option<Heard> {
    let stamp = stamp_from_seconds(head.timestamp, received);
    match request {
        Request::Tts(Tts { text, lang }) => {
            let channel = TextChannel::Chat;
            let lang = lang.as_ref().map(|lang| Value::Text(lang.clone().into()));
            let data = lang.map(|lang| Value::Map(vec![("lang".into(), lang)]));
            let text = Text { channel, text: text.as_deref()?.into(), data, truncated: Some(false) };
            Some(Heard { part: Some(PartName::of(channel.as_str())), stamp, signal: text.into() })
        }
        Request::PersonDetected(PersonDetected { id, name }) => {
            let label = name.clone().filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(UNKNOWN));
            let face = Face {
                identity: if label.is_some() { FaceIdentity::Known } else { FaceIdentity::Stranger },
                label,
                track_id: id.as_deref().and_then(|id| id.trim().parse().ok()),
                bearing_rad: None,
                elevation_rad: None,
                distance_m: None,
            };
            Some(Heard { part: None, stamp, signal: face.into() })
        }
        Request::Other(..) => None,
    }
}

/// What a robot would ask for, with a task's name made of the moment; `None` if an update calls for nothing.
pub fn request_from_update(update: &Update) -> Option<(String, Request)> {
    let (word, request) = match &update.signal {
        Signal::Text(Text { channel: TextChannel::Chat, text, data, truncated: _ }) => {
            let lang = data.as_ref().and_then(|data| data.at(&["lang".into()])).and_then(Value::as_str);
            let lang = Some(lang.unwrap_or(LANGUAGE).to_owned());
            ("tts", Request::Tts(Tts { text: Some(text.to_string()), lang }))
        }
        Signal::Face(face) => {
            let Face { identity: _, label, track_id, bearing_rad: _, elevation_rad: _, distance_m: _ } = face;
            let name = label.clone().unwrap_or_else(|| UNKNOWN.to_owned());
            let id = Some(track_id.map_or_else(|| name.clone(), |id| id.to_string()));
            ("person", Request::PersonDetected(PersonDetected { id, name: Some(name) }))
        }
        _ => return None,
    };
    Some((format!("{word}{}", update.stamp.at.as_nanos().div_euclid(1_000_000)), request))
}
