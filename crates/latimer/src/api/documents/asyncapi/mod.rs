//! The streams' description as AsyncAPI 3.0: the gateway's own and those of every dialect in the registry.
//!
//! A dialect adds itself by what its registry entry tells: where its stream is, and its messages' fields.

mod dialect;
mod own;
mod parts;
mod payload;
mod record;
mod refer;

use latimer_dialects::DIALECTS;
use serde_json::{Value, json};

use self::parts::Parts;
use super::openapi::ABOUT;

/// Where the gateway is, unless the one who asks tells.
pub const DEFAULT_HOST: &str = "127.0.0.1:8080";

/// The streams of the gateway that is reached at `host`.
pub fn asyncapi(host: &str) -> Value {
    let mut parts = Parts::default();
    own::add(&mut parts);
    for entry in DIALECTS {
        dialect::add(&mut parts, entry);
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
        },
        "channels": channels,
        "operations": operations,
        "components": { "messages": messages, "schemas": schemas },
    })
}
