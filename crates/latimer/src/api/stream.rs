//! Updates as they come, over a WebSocket. One task owns one stream.
//!
//! ```text
//! asked ──▶ flowing ──n updates──────────▶ end "complete" ──▶ closed
//!             │ ├────too slow (hub)──────▶ end "too_slow" ──▶ closed
//!             │ ├────gateway stops───────▶ end "stopping" ──▶ closed
//!             │ └────nothing written for WRITE_WITHIN ──────▶ cut, and logged
//!             └──────client closes or is silent for ALIVE_WITHIN ▶ closed
//! ```

use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{ConnectInfo, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use latimer_core::hub::{Delivery, MailboxLimits};

use super::stream_request::StreamRequest;
use super::{ApiState, Rejection};
use crate::wire::v1::{End, EndWhy, Frame};

/// How long a client may leave what is written to it unread.
pub(super) const WRITE_WITHIN: Duration = Duration::from_secs(10);

/// How often a client is asked whether it lives.
pub(super) const PING_EVERY: Duration = Duration::from_secs(20);

/// How long a client may be silent.
pub(super) const ALIVE_WITHIN: Duration = Duration::from_secs(60);

/// How long the last words may take.
pub(super) const FAREWELL_WITHIN: Duration = Duration::from_millis(500);

/// Biggest message from a client; it has nothing to say.
pub(super) const MAX_INCOMING: usize = 4 << 10;

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
    let upgrade =
        upgrade.read_buffer_size(MAX_INCOMING).max_message_size(MAX_INCOMING).max_frame_size(MAX_INCOMING);
    Ok(upgrade.on_upgrade(move |socket| {
        let streams = state.streams.clone();
        streams.track_future(async move {
            match flow(&state, socket, peer, &request).await {
                Ended::Well(reason) => tracing::debug!(%peer, reason, "a stream ended"),
                Ended::Cut(reason) => tracing::info!(%peer, reason, "a stream was cut"),
            }
        })
    }))
}

/// How a stream ended, and why.
enum Ended {
    /// As the client wished, or with the gateway.
    Well(&'static str),
    /// Because the client did not keep up.
    Cut(&'static str),
}

/// Serves one stream until it ends.
async fn flow(state: &ApiState, socket: WebSocket, peer: SocketAddr, request: &StreamRequest) -> Ended {
    let (mut out, mut incoming) = socket.split();
    let sink = state.hub.sink("api", peer.to_string(), MailboxLimits::default());
    sink.subscribe(request.subscription.clone());
    let mut left = request.count;
    let mut batch = Vec::new();
    let mut heard = state.clock.now();
    let mut ping_at = heard.after(PING_EVERY);
    let farewell = loop {
        tokio::select! {
            biased;
            () = state.shutdown.cancelled() => {
                break End { reason: EndWhy::Stopping, detail: "the gateway stops".to_owned() };
            }
            message = incoming.next() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Ended::Well("the client went"),
                Some(Ok(_)) => heard = state.clock.now(),
            },
            () = state.clock.sleep_until(ping_at) => {
                let now = state.clock.now();
                if now.since(heard) > ALIVE_WITHIN {
                    return Ended::Cut("the client is silent");
                }
                ping_at = now.after(PING_EVERY);
                if let Err(why) = in_time(out.send(Message::Ping(bytes::Bytes::new()))).await {
                    return why;
                }
            }
            () = sink.receive(&mut batch) => {
                let mut end = None;
                let written = in_time(async {
                    for delivery in batch.drain(..) {
                        let text = match &delivery {
                            Delivery::Update(_, update) => request.encode(&state.hub, update),
                            Delivery::Gap(gap) => Some(Frame::Gap(gap.into()).to_json().into()),
                            Delivery::End(reason) => {
                                end = Some(End::from(reason));
                                break;
                            }
                        };
                        let Some(text) = text else { continue };
                        out.feed(Message::Text(text)).await?;
                        if matches!(delivery, Delivery::Update(..)) && is_last(&mut left) {
                            let detail = "as many updates as were asked for".to_owned();
                            end = Some(End { reason: EndWhy::Complete, detail });
                            break;
                        }
                    }
                    out.flush().await
                });
                if let Err(why) = written.await {
                    return why;
                }
                if let Some(end) = end {
                    break end;
                }
            }
        }
    };
    let why = farewell.reason;
    let code = match why {
        EndWhy::Complete => close_code::NORMAL,
        EndWhy::TooSlow => close_code::POLICY,
        EndWhy::Stopping => close_code::AWAY,
    };
    let reason = farewell.detail.clone().into();
    let last_words = async {
        out.feed(Message::Text(Frame::End(farewell).to_json().into())).await?;
        out.send(Message::Close(Some(CloseFrame { code, reason }))).await?;
        // Reading until the client closes too, so that it gets all of it.
        while let Some(Ok(_)) = incoming.next().await {}
        Ok::<(), axum::Error>(())
    };
    let _ = tokio::time::timeout(FAREWELL_WITHIN, last_words).await;
    match why {
        EndWhy::Complete => Ended::Well("all that was asked for was sent"),
        EndWhy::TooSlow => Ended::Cut("the client reads too slowly"),
        EndWhy::Stopping => Ended::Well("the gateway stops"),
    }
}

fn is_last(left: &mut Option<u64>) -> bool {
    match left {
        None => false,
        Some(left) => {
            *left = left.saturating_sub(1);
            *left == 0
        }
    }
}

/// Writes, as long as the client reads.
async fn in_time(writing: impl Future<Output = Result<(), axum::Error>>) -> Result<(), Ended> {
    match tokio::time::timeout(WRITE_WITHIN, writing).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Ended::Well("the client went")),
        Err(_) => Err(Ended::Cut("the client does not read")),
    }
}
