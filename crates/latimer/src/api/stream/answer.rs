//! How a stream begins: as a WebSocket if the request asks for one, else as Server-Sent Events.

use std::net::SocketAddr;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use latimer_core::Author;
use latimer_dialects::socket::serve_session;

use super::super::client::author_of;
use super::super::{ApiState, Rejection};
use super::events::Events;
use super::flow::{Feed, flow};
use super::socket::Socket;

/// A client that asks for a stream.
pub(in crate::api) struct Asker {
    pub(in crate::api) peer: SocketAddr,
    author: Author,
    path: String,
    /// `None` if no upgrade is asked for.
    upgrade: Option<Result<WebSocketUpgrade, WebSocketUpgradeRejection>>,
}

impl FromRequestParts<ApiState> for Asker {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Rejection> {
        let ConnectInfo(peer) = ConnectInfo::from_request_parts(parts, state).await.map_err(|error| {
            Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, error.body_text()).at(parts.uri.path())
        })?;
        let path = parts.uri.path().to_owned();
        let author = author_of(&parts.headers, &parts.extensions);
        let upgrade = match parts.headers.contains_key(header::UPGRADE) {
            true => Some(WebSocketUpgrade::from_request_parts(parts, state).await),
            false => None,
        };
        Ok(Self { peer, author, path, upgrade })
    }
}

/// Begins a stream; `feed` is made once it is sure that there will be one, and before the answer: what happens once a client
/// has it is in the stream.
pub(in crate::api) fn answer<F: Feed + 'static>(
    state: ApiState,
    asker: Asker,
    feed: impl FnOnce() -> F + Send + 'static,
) -> Result<Response, Rejection> {
    let Asker { peer, author, path, upgrade } = asker;
    let streams = state.streams.clone();
    let session = state.hub.sessions().of(&author, peer);
    let Some(upgrade) = upgrade else {
        let ((events, answer), feed) = (Events::open(), feed());
        streams.spawn(serve_session(session, async move { flow(&state, peer, feed, events).await }));
        return Ok(answer);
    };
    let upgrade = upgrade.map_err(|error| {
        Rejection::new(StatusCode::UPGRADE_REQUIRED, error.body_text())
            .at(path)
            .advice("ask for a WebSocket of version 13, or leave out `Upgrade` for Server-Sent Events")
    })?;
    let feed = feed();
    Ok(Socket::upgrade(upgrade, move |socket| {
        streams.track_future(serve_session(session, async move { flow(&state, peer, feed, socket).await }))
    }))
}
