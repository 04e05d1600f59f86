//! What all streams have in common, whatever carries them.

use std::net::SocketAddr;
use std::time::Duration;

use latimer_core::Clock;
use latimer_core::hub::MailboxLimits;

use super::super::ApiState;
use super::piece::{Composer, Piece};
use super::request::StreamRequest;
use crate::wire::v1::{End, EndWhy};

/// How long a client may leave what is written to it unread.
pub(in crate::api) const WRITE_WITHIN: Duration = Duration::from_secs(10);

/// How long the last words may take.
pub(in crate::api) const FAREWELL_WITHIN: Duration = Duration::from_millis(500);

/// The client is not there any more.
pub(super) struct Gone;

/// What carries a stream to its client.
pub(super) trait Outlet: Send {
    /// Keeps the connection alive until the client goes or has to be cut. Cancel safe.
    fn attend(&mut self, clock: &Clock) -> impl Future<Output = Ended> + Send;

    /// Writes, and waits until the client has room for more.
    fn send(&mut self, pieces: Vec<Piece>) -> impl Future<Output = Result<(), Gone>> + Send;

    /// Says why the stream ends and sees that the client gets all of it.
    fn close(self, end: End) -> impl Future<Output = Result<(), Gone>> + Send;
}

/// How a stream ended, and why.
pub(super) enum Ended {
    /// As the client wished, or with the gateway.
    Well(&'static str),
    /// Because the client did not keep up.
    Cut(&'static str),
}

/// Serves one stream until it ends.
pub(super) async fn flow(state: &ApiState, peer: SocketAddr, request: &StreamRequest, outlet: impl Outlet) {
    match serve(state, peer, request, outlet).await {
        Ended::Well(reason) => tracing::debug!(%peer, reason, "a stream ended"),
        Ended::Cut(reason) => tracing::info!(%peer, reason, "a stream was cut"),
    }
}

async fn serve(
    state: &ApiState,
    peer: SocketAddr,
    request: &StreamRequest,
    mut outlet: impl Outlet,
) -> Ended {
    let mut limits = MailboxLimits::default();
    // Whoever wants batches leaves its mailbox alone in between.
    limits.stall += request.batch.unwrap_or_default();
    let sink = state.hub.sink("api", peer.to_string(), limits);
    sink.subscribe(request.subscription.clone());
    let mut composer = Composer::new(request);
    let mut deliveries = Vec::new();
    let mut next_batch = None;
    let farewell = loop {
        tokio::select! {
            biased;
            () = state.shutdown.cancelled() => {
                break End { reason: EndWhy::Stopping, detail: "the gateway stops".to_owned() };
            }
            ended = outlet.attend(&state.clock) => return ended,
            () = async {
                if let Some(at) = next_batch {
                    state.clock.sleep_until(at).await;
                }
                sink.receive(&mut deliveries).await;
            } => {
                let (pieces, end) = composer.pieces(&state.hub, deliveries.drain(..));
                if !pieces.is_empty() {
                    next_batch = request.batch.map(|batch| state.clock.now().after(batch));
                    match tokio::time::timeout(WRITE_WITHIN, outlet.send(pieces)).await {
                        Ok(Ok(())) => {}
                        Ok(Err(Gone)) => return Ended::Well("the client went"),
                        Err(_) => return Ended::Cut("the client does not read"),
                    }
                }
                if let Some(end) = end {
                    break end;
                }
            }
        }
    };
    drop(sink);
    let why = farewell.reason;
    // The stream is over, whether or not the client still listens.
    let _ = tokio::time::timeout(FAREWELL_WITHIN, outlet.close(farewell)).await;
    match why {
        EndWhy::Complete => Ended::Well("all that was asked for was sent"),
        EndWhy::TooSlow => Ended::Cut("the client reads too slowly"),
        EndWhy::Stopping => Ended::Well("the gateway stops"),
    }
}
