//! One update as a Misty event: encoded once per update and version, however many clients there are.

use std::sync::Arc;

use bytes::Bytes;
use latimer_core::Update;
use latimer_core::hub::{Encoding, Shared};
use latimer_core::model::Path;
use serde_json::Value as Json;

use crate::misty::map::message_from_update;
use crate::misty::wire::{EventType, Message, Version, pascal_case};

/// How events are written for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The version of the WebSocket system.
    pub version: Version,
    /// Names in PascalCase, as the two samples of 2018 show.
    pub pascal_case: bool,
}

impl Style {
    /// Writes a message in this style.
    pub(super) fn write(self, message: &Message) -> Bytes {
        let body = message.on_wire(self.version);
        encode(&if self.pascal_case { pascal_case(body) } else { body })
    }
}

/// An update as a message; `None` if Misty has no event for it.
#[derive(PartialEq)]
struct AsMessage;

impl Encoding for AsMessage {
    const DIALECT: &'static str = crate::misty::NAME;
    type Output = Option<Message>;
}

/// An update as the whole object, before a style leaves out some of it.
#[derive(PartialEq)]
struct AsObject;

impl Encoding for AsObject {
    const DIALECT: &'static str = crate::misty::NAME;
    type Output = Json;
}

/// An update as the text of an event.
#[derive(PartialEq)]
struct AsBody(Style);

impl Encoding for AsBody {
    const DIALECT: &'static str = crate::misty::NAME;
    type Output = Bytes;
}

/// JSON as bytes.
pub(super) fn encode(json: &Json) -> Bytes {
    // A tree of JSON values can always be written.
    serde_json::to_vec(json).unwrap_or_default().into()
}

/// The event type that an update is sent as; `None` if Misty has no event for it.
pub(super) fn event_type(update: &Shared) -> Option<EventType> {
    message(update).as_ref().as_ref().map(Message::event_type)
}

fn message(update: &Shared) -> Arc<Option<Message>> {
    update.derived(AsMessage, message_from_update)
}

/// The whole object that conditions and `ReturnProperty` look into.
pub(super) fn full(update: &Shared) -> Arc<Json> {
    update.derived(AsObject, |plain| {
        let mut full = message(update).as_ref().as_ref().map_or(Json::Null, Message::full);
        // What a real robot said beyond the specification can be asked for as well.
        if let (Json::Object(full), Some(native)) = (&mut full, own_native(plain))
            && let Ok(Json::Object(sent)) = serde_json::from_slice(native)
        {
            for (name, value) in sent {
                full.entry(name).or_insert(value);
            }
        }
        full
    })
}

/// The message as clients of this style see it; `None` if Misty has no event for the update.
pub(super) fn body(update: &Shared, style: Style) -> Option<Arc<Bytes>> {
    event_type(update)?;
    Some(update.derived(AsBody(style), |plain| match own_native(plain) {
        // What a Misty said passes through as it said it.
        Some(native) if style.version == Version::Current && !style.pascal_case => native.clone(),
        _ => message(update).as_ref().as_ref().map_or_else(Bytes::new, |message| style.write(message)),
    }))
}

/// The original, if it is the Misty event that this update is sent as.
fn own_native(update: &Update) -> Option<&Bytes> {
    let native = update.native.as_ref().filter(|native| native.dialect == super::super::NAME)?;
    let composed = matches!(&*native.topic, "SelfState" | "WorldState" | "device");
    (!composed).then_some(&native.payload)
}

/// The value at a path, whatever the case of its names; a body that sits in one property is looked into.
pub(super) fn property<'a>(full: &'a Json, event_type: EventType, path: &Path) -> Option<&'a Json> {
    let names = path.segments();
    // Once properties of their own: x, y, z and roll, pitch, yaw are in the pose now.
    let is_in_pose = |name: &str| ["Position", "Orientation"].iter().any(|it| it.eq_ignore_ascii_case(name));
    if event_type == EventType::SelfState
        && let [name, within @ ..] = names
        && is_in_pose(name)
    {
        return walk(walk(full, &["location".into(), "pose".into()])?, within);
    }
    walk(full, names).or_else(|| walk(walk(full, &[event_type.wrapper()?.into()])?, names))
}

fn walk<'a>(json: &'a Json, names: &[Box<str>]) -> Option<&'a Json> {
    names.iter().try_fold(json, |json, name| match json {
        Json::Object(fields) => {
            fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        }
        Json::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_are_found_in_any_case_and_through_the_wrapper() {
        let full = json!({"slamStatus": {"runMode": "Tracking", "statusList": ["Ready"]}});
        let get = |path: &str| property(&full, EventType::SlamStatus, &path.parse().unwrap()).cloned();
        assert_eq!(get("SlamStatus.RunMode"), Some(json!("Tracking")));
        assert_eq!(get("runmode"), Some(json!("Tracking")));
        assert_eq!(get("statusList.0"), Some(json!("Ready")));
        assert_eq!(get("nothing"), None);
    }
}
