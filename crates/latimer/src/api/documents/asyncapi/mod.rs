//! The streams' description as AsyncAPI 3.0: the gateway's own and those of every dialect in the registry.
//!
//! A dialect adds itself from its registry entry: where its stream or its topics are, and its messages' fields.

mod dialect;
mod own;
mod parts;
mod payload;
mod record;
mod refer;
mod topics;

use latimer_core::broker::MQTT_PORT;
use latimer_dialects::DIALECTS;
use serde_json::{Value, json};

use self::parts::Parts;
use super::openapi::ABOUT;

/// Where the gateway is, if the request does not name a host.
pub const DEFAULT_HOST: &str = "127.0.0.1:8080";

/// The streams of the gateway that is reached at `host`.
pub fn asyncapi(host: &str) -> Value {
    let mut parts = Parts::default();
    own::add(&mut parts);
    for entry in DIALECTS {
        dialect::add(&mut parts, entry);
        topics::add(&mut parts, entry);
    }
    let Parts { channels, operations, messages, schemas } = parts;
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Latimer",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": env!("CARGO_PKG_LICENSE") },
        },
        "defaultContentType": "application/json",
        "servers": {
            "gateway": { "host": host, "protocol": "ws", "description": "The gateway's common HTTP port" },
            "broker": {
                "host": format!("{}:{{port}}", host_of(host)),
                "protocol": "mqtt",
                "protocolVersion": "3.1.1",
                "description": "The broker of the config's `[broker]`: the one within the gateway, or another one at its `url`. \
                                MQTT 5 and WebSocket reach the same topics.",
                "variables": {
                    "port": {
                        "default": MQTT_PORT.to_string(),
                        "description": "The port of `[broker] listen` or `url`; `/api/v1/endpoints` lists it",
                    },
                },
            },
        },
        "channels": channels,
        "operations": operations,
        "components": { "messages": messages, "schemas": schemas },
    })
}

/// A host without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}
