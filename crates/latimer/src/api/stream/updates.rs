//! The updates of a subscription.

use std::net::SocketAddr;

use latimer_core::Timestamp;
use latimer_core::hub::{Delivery, MailboxLimits, Sink, Subscription};

use super::super::ApiState;
use super::flow::Feed;
use super::piece::{Composer, Piece};
use super::request::StreamRequest;
use latimer_wire::v1::End;

/// A sink, and what its deliveries become.
pub(super) struct Updates {
    state: ApiState,
    sink: Sink,
    composer: Composer,
    deliveries: Vec<Delivery>,
    /// When the next batch may go.
    next_batch: Option<Timestamp>,
}

impl Updates {
    pub(super) fn new(state: ApiState, peer: SocketAddr, request: StreamRequest) -> Self {
        let mut limits = MailboxLimits::default();
        // A client of batches leaves its mailbox alone in between.
        limits.disconnect_after += request.batch.unwrap_or_default();
        let sink = state.hub.sink("api", peer.to_string(), limits);
        sink.subscribe(request.subscription.clone());
        // Robots publish what somebody subscribes to; these poses are for the hub, not for the client.
        let poses = request.poses().map(|poses| sink.subscribe(Subscription::to(poses)));
        let composer = Composer::new(request, poses);
        Self { state, sink, composer, deliveries: Vec::new(), next_batch: None }
    }
}

impl Feed for Updates {
    async fn next(&mut self) -> (Vec<Piece>, Option<End>) {
        loop {
            if let Some(at) = self.next_batch {
                self.state.clock.sleep_until(at).await;
            }
            self.sink.receive(&mut self.deliveries).await;
            let (pieces, end) = self.composer.pieces(&self.state, self.deliveries.drain(..));
            if !pieces.is_empty() {
                self.next_batch = self.composer.batch().map(|batch| self.state.clock.now().after(batch));
            }
            // A dialect may have no words for any of it.
            if !pieces.is_empty() || end.is_some() {
                return (pieces, end);
            }
        }
    }
}
