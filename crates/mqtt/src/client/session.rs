//! One open connection: publishes from the outbox and receives into the inbox until it drops or `stop` is cancelled.

use latimer_listen::Trust;
use rumqttc::{AsyncClient, EventLoop, PublishOptions};
use tokio_util::sync::CancellationToken;

use super::backlog::Backlog;
use super::flow::Flow;
use super::open::{Client, qos_to_wire, queued_since};
use super::{DropReason, Inbox, Outbox};
use crate::Message;
use crate::limits::LINK_DISCONNECT_TIMEOUT;

impl Client {
    /// Serves the connection until it drops, which is an error, or `stop` is cancelled.
    pub(crate) async fn serve(
        &mut self,
        outbox: &Outbox,
        inbox: &Inbox,
        stop: &CancellationToken,
    ) -> Result<(), DropReason> {
        for message in self.early.drain(..) {
            inbox.message(message);
        }
        let trust = self.trust().clone();
        let Self { handle, events, flow, backlog, .. } = self;
        let dropped = tokio::select! {
            reason = receive((events, handle, backlog), inbox, flow, outbox, &trust) => Some(reason),
            () = send(handle, outbox, flow, stop) => None,
            () = async { stop.cancelled().await; tokio::time::sleep(LINK_DISCONNECT_TIMEOUT).await } => None,
        };
        match dropped {
            Some(reason) if !stop.is_cancelled() => Err(reason),
            _ => Ok(()),
        }
    }
}

async fn receive(
    (events, handle, backlog): (&mut EventLoop, &AsyncClient, &mut Option<Backlog>),
    inbox: &Inbox,
    flow: &Flow,
    outbox: &Outbox,
    trust: &Trust,
) -> DropReason {
    loop {
        match events.poll().await {
            Ok(event) => {
                let since = queued_since(backlog, &event, handle);
                if let Some(message) = flow.observe(event, since, outbox) {
                    inbox.message(message);
                }
            }
            Err(error) => return DropReason::of(&error, trust),
        }
    }
}

/// Never returns: DISCONNECT ends the connection, which [`receive`] notices.
async fn send(handle: &AsyncClient, outbox: &Outbox, flow: &Flow, stop: &CancellationToken) {
    loop {
        let message = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            message = async { flow.room().await; outbox.next().await } => message,
        };
        hand_over(handle, message, flow, outbox).await;
    }
    loop {
        flow.room().await;
        let Some(message) = outbox.take() else { break };
        hand_over(handle, message, flow, outbox).await;
    }
    // In the library, DISCONNECT overtakes messages that wait for the in-flight limit.
    flow.settled().await;
    if handle.disconnect_with_timeout(LINK_DISCONNECT_TIMEOUT).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

/// Waits for nothing between the outbox and the library, so that no message is lost in between.
async fn hand_over(handle: &AsyncClient, message: Message, flow: &Flow, outbox: &Outbox) {
    let Message { topic, payload, qos, retain, queued_since: _ } = message.clone();
    let options = PublishOptions::new(qos_to_wire(qos)).retain(retain);
    match handle.try_publish(topic, payload, options) {
        Ok(()) => flow.handed(message, outbox),
        Err(_) => {
            // The outbox checks topics and there is room, so the library only refuses when its end of the connection is gone.
            outbox.put_back(vec![message]);
            std::future::pending::<()>().await;
        }
    }
}
