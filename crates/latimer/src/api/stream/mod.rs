//! Updates as they come, over a WebSocket or, for whoever does not ask for one, as Server-Sent Events.
//! One task owns one stream; [`flow`] is what all of them have in common.
//!
//! ```text
//! asked ──▶ flowing ──n updates──────────▶ end "complete" ──▶ closed
//!             │ ├────too slow (hub)──────▶ end "too_slow" ──▶ closed
//!             │ ├────gateway stops───────▶ end "stopping" ──▶ closed
//!             │ └────nothing written for WRITE_WITHIN ──────▶ cut, and logged
//!             └──────client closes or is silent for ALIVE_WITHIN ▶ closed
//! ```

mod events;
mod flow;
mod piece;
mod request;
mod socket;

use std::net::SocketAddr;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::Response;

use self::events::Events;
use self::flow::flow;
use self::request::StreamRequest;
use self::socket::Socket;
use super::{ApiState, Rejection};

pub(super) async fn stream(
    State(state): State<ApiState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Rejection> {
    let request = StreamRequest::of(&uri)?;
    let streams = state.streams.clone();
    if !headers.contains_key(header::UPGRADE) {
        let (events, answer) = Events::open();
        streams.spawn(async move { flow(&state, peer, &request, events).await });
        return Ok(answer);
    }
    let upgrade = upgrade.map_err(|error| {
        Rejection::new(StatusCode::UPGRADE_REQUIRED, error.body_text())
            .at(uri.path())
            .advice("ask for a WebSocket of version 13, or leave out `Upgrade` for Server-Sent Events")
    })?;
    Ok(Socket::upgrade(upgrade, move |socket| {
        streams.track_future(async move { flow(&state, peer, &request, socket).await })
    }))
}
