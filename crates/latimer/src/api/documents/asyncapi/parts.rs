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

/// A channel at an address of a server.
pub(super) struct ChannelParts<'a> {
    /// Its name in the document.
    pub(super) name: &'a str,
    /// Where it is, with parameters in braces.
    pub(super) address: &'a str,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// Which server has it.
    pub(super) server: &'a str,
    /// What stands in braces.
    pub(super) parameters: Map<String, Value>,
    /// What its protocol needs to know.
    pub(super) bindings: Option<Value>,
    /// The keys of messages that it carries.
    pub(super) messages: Vec<String>,
    /// What the gateway does there.
    pub(super) actions: &'a [Action],
    /// What the protocol needs to know of that.
    pub(super) operation: Option<Value>,
}

/// What the gateway does at a channel.
#[derive(Clone, Copy)]
pub(super) enum Action {
    /// It sends.
    Send,
    /// It receives.
    Receive,
}

/// The bindings of a WebSocket; `query` is a schema of what the address can be asked for.
pub(super) fn socket(query: Option<Value>) -> Value {
    let mut binding = json!({ "method": "GET", "bindingVersion": "0.1.0" });
    if let Some(query) = query {
        binding["query"] = query;
    }
    json!({ "ws": binding })
}

/// The parameter of an address with `{robot}`.
pub(super) fn robot(address: &str) -> Map<String, Value> {
    let mut parameters = Map::new();
    if address.contains("{robot}") {
        let robot = json!({ "description": "The robot's name", "examples": ["misty-1"] });
        parameters.insert("robot".to_owned(), robot);
    }
    parameters
}

impl Parts {
    /// Adds a message under a key, `<channel>.<name>`.
    pub(super) fn message(&mut self, key: &str, title: &str, summary: &str, payload: Value) {
        let name = key.split_once('.').map_or(key, |(_, name)| name);
        let message = json!({ "name": name, "title": title, "summary": summary, "payload": payload });
        self.messages.insert(key.to_owned(), message);
    }

    /// The keys of messages that begin with a channel's name.
    pub(super) fn messages_of(&self, channel: &str) -> Vec<String> {
        let own = |key: &&String| key.strip_prefix(channel).is_some_and(|rest| rest.starts_with('.'));
        self.messages.keys().filter(own).cloned().collect()
    }

    /// Adds a channel with its messages, and what the gateway does there.
    pub(super) fn channel(&mut self, place: ChannelParts<'_>) {
        let ChannelParts { name, address, title, description, server, .. } = place;
        let refer = |place: String| json!({ "$ref": place });
        let own = |key: &String| key.split_once('.').map_or(key.as_str(), |(_, name)| name).to_owned();
        let carried: Map<String, Value> = place
            .messages
            .iter()
            .map(|key| (own(key), refer(format!("#/components/messages/{key}"))))
            .collect();
        let listed: Vec<Value> = place
            .messages
            .iter()
            .map(|key| refer(format!("#/channels/{name}/messages/{}", own(key))))
            .collect();
        let mut channel = json!({
            "address": address,
            "title": title,
            "description": description,
            "servers": [refer(format!("#/servers/{server}"))],
            "messages": carried,
        });
        if !place.parameters.is_empty() {
            channel["parameters"] = place.parameters.into();
        }
        if let Some(bindings) = place.bindings {
            channel["bindings"] = bindings;
        }
        self.channels.insert(name.to_owned(), channel);
        for action in place.actions {
            let action = match action {
                Action::Send => "send",
                Action::Receive => "receive",
            };
            let mut operation = json!({
                "action": action,
                "channel": refer(format!("#/channels/{name}")),
                "title": title,
                "messages": listed,
            });
            if let Some(bindings) = &place.operation {
                operation["bindings"] = bindings.clone();
            }
            self.operations.insert(format!("{action}_{name}"), operation);
        }
    }
}
