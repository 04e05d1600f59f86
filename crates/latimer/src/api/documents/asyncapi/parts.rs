//! What a description of streams is put together from.

use serde_json::{Map, Value, json};

/// The lists of the document; each stream adds to all of them.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) channels: Map<String, Value>,
    pub(super) operations: Map<String, Value>,
    pub(super) messages: Map<String, Value>,
    pub(super) schemas: Map<String, Value>,
}

/// A channel at an address of the common port.
pub(super) struct Channel<'a> {
    /// Its name in the document.
    pub(super) name: &'a str,
    /// Where it is, with `{robot}` for a robot.
    pub(super) address: &'a str,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// What the address can be asked for, as a schema of its parameters.
    pub(super) query: Option<Value>,
}

impl Parts {
    /// Adds a message, named by channel and by itself.
    pub(super) fn message(&mut self, channel: &str, name: &str, title: &str, summary: &str, payload: Value) {
        let message = json!({ "name": name, "title": title, "summary": summary, "payload": payload });
        self.messages.insert(format!("{channel}.{name}"), message);
    }

    /// Adds a channel with the messages that were added for it, all of them sent by the gateway.
    pub(super) fn channel(&mut self, channel: Channel<'_>) {
        let Channel { name, address, title, description, query } = channel;
        let prefix = format!("{name}.");
        let own: Vec<&str> = self.messages.keys().filter_map(|key| key.strip_prefix(&prefix)).collect();
        let refer = |place: String| json!({ "$ref": place });
        let messages: Map<String, Value> = own
            .iter()
            .map(|own| ((*own).to_owned(), refer(format!("#/components/messages/{prefix}{own}"))))
            .collect();
        let sent: Vec<Value> =
            own.iter().map(|own| refer(format!("#/channels/{name}/messages/{own}"))).collect();
        let mut told = json!({
            "address": address,
            "title": title,
            "description": description,
            "servers": [{ "$ref": "#/servers/gateway" }],
            "messages": messages,
        });
        if address.contains("{robot}") {
            told["parameters"] =
                json!({ "robot": { "description": "The robot's name", "examples": ["misty-1"] } });
        }
        let mut binding = json!({ "method": "GET", "bindingVersion": "0.1.0" });
        if let Some(query) = query {
            binding["query"] = query;
        }
        told["bindings"] = json!({ "ws": binding });
        self.channels.insert(name.to_owned(), told);
        let operation = json!({
            "action": "send",
            "channel": refer(format!("#/channels/{name}")),
            "title": title,
            "messages": sent,
        });
        self.operations.insert(format!("send_{name}"), operation);
    }
}
