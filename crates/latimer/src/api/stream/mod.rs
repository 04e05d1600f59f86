//! Updates as they come. One task owns one stream; [`flow`] is what all streams have in common.
//!
//! ```text
//! asked ──▶ flowing ──n updates──────────▶ end "complete" ──▶ closed
//!             │ ├────too slow (hub)──────▶ end "too_slow" ──▶ closed
//!             │ ├────gateway stops───────▶ end "stopping" ──▶ closed
//!             │ └────nothing written for WRITE_WITHIN ──────▶ cut, and logged
//!             └──────client closes or is silent for ALIVE_WITHIN ▶ closed
//! ```

mod flow;
mod piece;
mod request;
mod socket;

use std::net::SocketAddr;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;

use self::flow::flow;
use self::request::StreamRequest;
use self::socket::Socket;
use super::{ApiState, Rejection};

pub(super) async fn stream(
    State(state): State<ApiState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Rejection> {
    let request = StreamRequest::of(&uri)?;
    let upgrade = upgrade.map_err(|_| {
        Rejection::new(StatusCode::UPGRADE_REQUIRED, "this address speaks WebSocket")
            .at(uri.path())
            .advice("use `latimer echo`, wscat or websocat; for single values there is /api/v1/last")
    })?;
    Ok(Socket::upgrade(upgrade, move |socket| {
        let streams = state.streams.clone();
        streams.track_future(async move { flow(&state, peer, &request, socket).await })
    }))
}
