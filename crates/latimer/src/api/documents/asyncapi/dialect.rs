//! The WebSocket stream of a dialect, from its registry entry.

use latimer_dialects::table::MessageInfo;
use latimer_dialects::{Entry, Status, Stream};
use serde_json::{Map, Value, json};

use super::parts::{Action, ChannelParts, Parts, robot, socket};
use super::payload;

pub(super) fn add(parts: &mut Parts, entry: &Entry) {
    let Some(stream) = &entry.stream else { return };
    for message in entry.messages {
        let payload = wrapped(stream, payload::schema(message));
        let key = format!("{}.{}", entry.name, name(message.topic));
        parts.message(&key, message.topic, message.summary, payload);
        if let Some(described) = parts.messages.get_mut(&key) {
            described["x-kinds"] = kinds([message].into_iter()).into();
        }
    }
    if let Some(Status { name, summary, examples }) = stream.status {
        let text = json!({ "type": "string", "examples": examples });
        parts.message(&format!("{}.{name}", entry.name), name, summary, wrapped(stream, text));
    }
    let messages = parts.messages_of(entry.name);
    parts.channel(ChannelParts {
        name: entry.name,
        address: stream.address,
        title: &format!("{} in its own words", entry.robots),
        description: stream.summary,
        server: "gateway",
        parameters: robot(stream.address),
        bindings: Some(socket(None)),
        messages,
        actions: &[Action::Send],
        operation: None,
    });
}

/// The kinds of messages, each once.
pub(super) fn kinds<'a>(messages: impl Iterator<Item = &'a MessageInfo>) -> Vec<Value> {
    let mut kinds: Vec<Value> = Vec::new();
    for kind in messages.flat_map(|message| message.kinds) {
        let word = kind.as_str().into();
        if !kinds.contains(&word) {
            kinds.push(word);
        }
    }
    kinds
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
