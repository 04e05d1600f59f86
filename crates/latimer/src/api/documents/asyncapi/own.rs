//! The gateway's own streams.

use latimer_core::model::Kind;
use serde_json::{Map, Value, json};

use super::super::openapi;
use super::parts::{Action, ChannelParts, Parts, robot, socket};
use super::record::record;
use super::refer::take;
use latimer_wire::v1::FRAMES;

const UPDATES: &str = "updates";

const WORLD: &str = "world";

const COMMANDS: &str = "commands";

pub(super) fn add(parts: &mut Parts) {
    let http = serde_json::to_value(openapi()).unwrap_or_default();
    updates(parts, &http);
    world(parts, &http);
    commands(parts, &http);
}

fn updates(parts: &mut Parts, http: &Value) {
    take("Frame", http, &mut parts.schemas);
    for (frame, schema, summary) in FRAMES {
        parts.message(&format!("{UPDATES}.{frame}"), summary, summary, refer(schema));
    }
    for kind in Kind::ALL {
        let shape = kind.shape();
        let name = format!("record.{kind}");
        parts.schemas.insert(name.clone(), record(shape.summary, shape.fields));
        let payload = json!({
            "allOf": [
                refer("Update"),
                {
                    "type": "object",
                    "properties": {
                        "kind": { "const": kind.as_str() },
                        "class": { "const": kind.class().to_string() },
                        "data": refer(&name),
                    },
                },
            ],
        });
        parts.message(
            &format!("{UPDATES}.update.{kind}"),
            &format!("update: {kind}"),
            shape.summary,
            payload,
        );
    }
    channel(parts, http, UPDATES, "/api/v1/stream", "Updates of any robots");
}

fn world(parts: &mut Parts, http: &Value) {
    take("WorldNow", http, &mut parts.schemas);
    let tag =
        json!({ "type": "object", "required": ["type"], "properties": { "type": { "const": "world" } } });
    let moving = json!({ "allOf": [tag, refer("WorldNow")] });
    let title = "What moves in the simulated world";
    parts.message(&format!("{WORLD}.world"), title, "Where robots, people, doors and things are now", moving);
    parts.message(
        &format!("{WORLD}.end"),
        "The last frame",
        "Nothing more comes, and why",
        refer("EndFrame"),
    );
    channel(parts, http, WORLD, "/api/v1/world/stream", title);
}

fn commands(parts: &mut Parts, http: &Value) {
    take("CommandFrame", http, &mut parts.schemas);
    let title = "Commands at each station of their way";
    parts.message(
        &format!("{COMMANDS}.frame"),
        title,
        "A command came to a station, or the stream's end",
        refer("CommandFrame"),
    );
    channel(parts, http, COMMANDS, "/api/v1/commands/stream", title);
}

/// A stream that the other description has too, since without a WebSocket it is Server-Sent Events.
fn channel(parts: &mut Parts, http: &Value, name: &str, address: &str, title: &str) {
    let operation = &http["paths"][address]["get"];
    let described = operation["parameters"].as_array().into_iter().flatten();
    let query: Map<String, Value> = described
        .filter_map(|parameter| {
            let mut schema = parameter["schema"].clone();
            if schema.get("$ref").is_some() {
                schema = json!({ "type": "string" });
            }
            schema["description"] = parameter["description"].clone();
            Some((parameter["name"].as_str()?.to_owned(), schema))
        })
        .collect();
    let query = json!({ "type": "object", "properties": query });
    let messages = parts.messages_of(name);
    parts.channel(ChannelParts {
        name,
        address,
        title,
        description: operation["description"].as_str().unwrap_or_default(),
        server: "gateway",
        parameters: robot(address),
        bindings: Some(socket(Some(query))),
        messages,
        actions: &[Action::Send],
        operation: None,
    });
}

fn refer(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}
