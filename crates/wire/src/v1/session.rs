//! What a client has open, as lists show it.

use std::net::SocketAddr;

use latimer_core::sessions::SessionInfo;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::rfc3339_from_timestamp;

/// A connection of a client, or a login.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct ClientSession {
    /// Of this run of the gateway; `DELETE /api/v1/sessions/{id}` ends it.
    #[schema(example = 7)]
    pub id: u64,
    /// The dialect of a socket; `mqtt`; `api`, `page` or `cli` for a stream; `login` for a login by itself.
    #[schema(example = "mqtt")]
    pub protocol: String,
    /// Its user; `null` for a client that was let in by its address, or by a gateway without users.
    #[schema(required)]
    pub user: Option<String>,
    /// Where it comes from: an address with its port, or without one for a login.
    #[schema(example = "127.0.0.1:40312")]
    pub peer: String,
    /// What the client calls itself, e.g. its client identifier of MQTT.
    #[schema(required)]
    pub client: Option<String>,
    /// Since when.
    pub since: String,
    /// When it ends by itself, if that is known.
    #[schema(required)]
    pub until: Option<String>,
}

impl From<&SessionInfo> for ClientSession {
    fn from(info: &SessionInfo) -> Self {
        let SessionInfo { id, protocol, user, address, port, client, since, until } = info;
        Self {
            id: *id,
            protocol: (*protocol).to_owned(),
            user: user.as_deref().map(str::to_owned),
            peer: port
                .map_or_else(|| address.to_string(), |port| SocketAddr::from((*address, port)).to_string()),
            client: client.as_deref().map(str::to_owned),
            since: rfc3339_from_timestamp(*since),
            until: until.map(rfc3339_from_timestamp),
        }
    }
}
