//! What all streams have in common, whatever they bring and whatever carries them.

use std::net::SocketAddr;

use latimer_core::Clock;
use latimer_dialects::socket::PendingWrite;

use super::super::ApiState;
use super::piece::Piece;
use crate::limits::STREAM_END_TIMEOUT;
use latimer_wire::v1::{End, EndWhy};

/// The client is not there any more.
pub(in crate::api) struct Gone;

/// What a stream brings.
pub(in crate::api) trait Feed: Send {
    /// Waits for what to write next, and the end if this is the last of it. Cancel safe.
    fn next(&mut self) -> impl Future<Output = (Vec<Piece>, Option<End>)> + Send;
}

/// What carries a stream to its client.
pub(in crate::api) trait Outlet: Send {
    /// Keeps the connection alive until the client goes or has to be cut. Cancel safe.
    fn serve(&mut self, clock: &Clock) -> impl Future<Output = Ended> + Send;

    /// Writes, and waits until the client has room for more.
    fn send(&mut self, pieces: Vec<Piece>) -> impl Future<Output = Result<(), Gone>> + Send;

    /// Says why the stream ends and sees that the client gets all of it.
    fn close(self, end: End) -> impl Future<Output = Result<(), Gone>> + Send;
}

/// How a stream ended, and why.
pub(in crate::api) enum Ended {
    /// As the client wished, or with the gateway.
    Well(&'static str),
    /// Because the client did not keep up.
    Cut(&'static str),
}

/// Serves one stream until it ends.
pub(super) async fn flow(state: &ApiState, peer: SocketAddr, feed: impl Feed, outlet: impl Outlet) {
    match serve(state, peer, feed, outlet).await {
        Ended::Well(reason) => tracing::debug!(%peer, reason, "a stream ended"),
        Ended::Cut(reason) => tracing::info!(%peer, reason, "a stream was cut"),
    }
}

async fn serve(state: &ApiState, peer: SocketAddr, mut feed: impl Feed, mut outlet: impl Outlet) -> Ended {
    let unread = PendingWrite::new(state.hub.memory(), peer, &state.shutdown);
    let farewell = loop {
        tokio::select! {
            biased;
            () = state.shutdown.cancelled() => {
                break End { reason: EndWhy::Stopping, detail: "the gateway stops".to_owned() };
            }
            ended = outlet.serve(&state.clock) => return ended,
            (pieces, end) = feed.next() => {
                let bytes = pieces.iter().map(|piece| piece.text.len()).sum();
                match unread.written(bytes, outlet.send(pieces)).await {
                    Some(Ok(())) => {}
                    Some(Err(Gone)) => return Ended::Well("the client went"),
                    None => return Ended::Cut("the client does not read"),
                }
                if let Some(end) = end {
                    break end;
                }
            }
        }
    };
    let why = farewell.reason;
    // The stream is over, whether or not the client still listens.
    let _ = tokio::time::timeout(STREAM_END_TIMEOUT, outlet.close(farewell)).await;
    match why {
        EndWhy::Complete => Ended::Well("all that was asked for was sent"),
        EndWhy::TooSlow => Ended::Cut("the client reads too slowly"),
        EndWhy::Stopping => Ended::Well("its source stops"),
    }
}
