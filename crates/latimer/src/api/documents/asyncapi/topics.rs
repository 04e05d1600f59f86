//! The topics of a dialect at an MQTT broker, from its registry entry.

use latimer_dialects::Entry;
use latimer_dialects::channels::{Channel, Channels, PayloadEncoding, Way, parameters_of};
use serde_json::{Map, Value, json};

use super::dialect::kinds;
use super::parts::{Action, ChannelParts, Parts};
use super::payload;

pub(super) fn add(parts: &mut Parts, entry: &Entry) {
    let Some(channels) = &entry.channels else { return };
    for channel in channels.list {
        let name = format!("{}.{}", entry.name, name(channel.address));
        let message = message(parts, entry, channel, &name);
        let address = format!("{}{}", channels.prefix, channel.address);
        let actions: &[Action] = match channel.way {
            Way::Sent => &[Action::Send],
            Way::Taken => &[Action::Receive],
            Way::Both => &[Action::Send, Action::Receive],
        };
        parts.channel(ChannelParts {
            name: &name,
            address: &address,
            title: &format!("{}: {}", entry.robots, channel.address),
            description: channel.summary,
            server: "broker",
            parameters: parameters(channels, &address),
            bindings: None,
            messages: vec![message],
            actions,
            operation: Some(json!({
                "mqtt": { "qos": channel.qos, "retain": channel.retained, "bindingVersion": "0.2.0" },
            })),
        });
    }
}

/// Adds the message that a topic carries; its key is returned.
fn message(parts: &mut Parts, entry: &Entry, channel: &Channel, name: &str) -> String {
    let described: Vec<_> =
        entry.messages.iter().filter(|message| message.topic == channel.address).collect();
    let (mut payload, content_type) = match channel.form {
        PayloadEncoding::Text(form) => {
            let mut text = json!({ "type": "string", "description": form });
            if let Some(message) = described.first() {
                text["x-fields"] = payload::schema(message)["properties"].take();
            }
            (text, "text/plain")
        }
        PayloadEncoding::Json if described.is_empty() => (json!({}), "application/json"),
        PayloadEncoding::Json => {
            let mut schemas: Vec<Value> = described.iter().map(|message| payload::schema(message)).collect();
            match schemas.len() {
                1 => (schemas.swap_remove(0), "application/json"),
                _ => (json!({ "anyOf": schemas }), "application/json"),
            }
        }
    };
    let examples: Vec<Value> = channel
        .examples
        .iter()
        .map(|example| match channel.form {
            PayloadEncoding::Json => serde_json::from_str(example).unwrap_or_default(),
            PayloadEncoding::Text(_) => (*example).into(),
        })
        .collect();
    payload["examples"] = examples.into();
    parts.message(name, channel.address, channel.summary, payload);
    if let Some(message) = parts.messages.get_mut(name) {
        message["contentType"] = content_type.into();
        let kinds = kinds(described.into_iter());
        if !kinds.is_empty() {
            message["x-kinds"] = kinds.into();
        }
    }
    name.to_owned()
}

fn parameters(channels: &Channels, address: &str) -> Map<String, Value> {
    let described = parameters_of(address).filter_map(|name| channels.parameter(name));
    described
        .map(|it| (it.name.to_owned(), json!({ "description": it.summary, "examples": [it.example] })))
        .collect()
}

/// A topic as a name in the document, where only letters, digits, dots, dashes and underscores are.
fn name(topic: &str) -> String {
    let plain = topic.replace(['{', '}'], "").replace('?', "ask");
    plain.trim_matches('/').replace('/', ".")
}
