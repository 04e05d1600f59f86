//! The stream of a dialect, by what its registry entry tells.

use latimer_dialects::Entry;
use serde_json::{Map, Value, json};

use super::parts::{Channel, Parts};
use super::payload;

pub(super) fn add(parts: &mut Parts, entry: &Entry) {
    let Some(stream) = &entry.stream else { return };
    for message in entry.messages {
        let mut payload = payload::schema(message);
        if let Some(envelope) = &stream.envelope {
            let mut fields = Map::new();
            fields.insert(envelope.name.to_owned(), json!({ "type": "string" }));
            fields.insert(envelope.message.to_owned(), payload);
            payload = json!({ "type": "object", "properties": fields });
        }
        let kinds: Vec<Value> = message.kinds.iter().map(|kind| kind.as_str().into()).collect();
        parts.message(entry.name, message.topic, message.topic, message.summary, payload);
        let key = format!("{}.{}", entry.name, message.topic);
        if let Some(message) = parts.messages.get_mut(&key) {
            message["x-kinds"] = kinds.into();
        }
    }
    let title = format!("{} in its own words", entry.robots);
    let channel = Channel {
        name: entry.name,
        address: stream.address,
        title: &title,
        description: stream.summary,
        query: None,
    };
    parts.channel(channel);
}
