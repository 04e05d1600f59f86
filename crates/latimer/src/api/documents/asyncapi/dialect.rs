//! The stream of a dialect, by what its registry entry tells.

use latimer_dialects::{Entry, Status, Stream};
use serde_json::{Map, Value, json};

use super::parts::{Channel, Parts};
use super::payload;

pub(super) fn add(parts: &mut Parts, entry: &Entry) {
    let Some(stream) = &entry.stream else { return };
    for message in entry.messages {
        let payload = wrapped(stream, payload::schema(message));
        let kinds: Vec<Value> = message.kinds.iter().map(|kind| kind.as_str().into()).collect();
        let name = name(message.topic);
        parts.message(entry.name, &name, message.topic, message.summary, payload);
        let key = format!("{}.{name}", entry.name);
        if let Some(message) = parts.messages.get_mut(&key) {
            message["x-kinds"] = kinds.into();
        }
    }
    if let Some(Status { name, summary, examples }) = stream.status {
        let text = json!({ "type": "string", "examples": examples });
        parts.message(entry.name, name, name, summary, wrapped(stream, text));
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

/// A topic as a name in the document, where slashes would part it.
fn name(topic: &str) -> String {
    topic.trim_matches('/').replace('/', ".")
}

/// A message in the dialect's envelope, if it has one.
fn wrapped(stream: &Stream, message: Value) -> Value {
    let Some(envelope) = stream.envelope else { return message };
    let mut fields = Map::new();
    fields.insert(envelope.name.to_owned(), json!({ "type": "string" }));
    fields.insert(envelope.message.to_owned(), message);
    json!({ "type": "object", "properties": fields })
}
