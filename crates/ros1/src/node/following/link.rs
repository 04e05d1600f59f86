//! A link to one publisher: connected, or waiting to try again.
//!
//! ```text
//!      ┌─────────────── waiting ◀──────────────┐
//!      ▼ backoff            │ not named        │ named
//!  connecting ──failed──────┼──────────────────┤
//!      │ up                 ▼                  │
//!  connected ──ended──▶ forgotten ◀─not named──┘
//! ```

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::watch;
use tokio::time::sleep;

use super::connect::{Open, open};
use super::{Connected, Following};
use crate::node::backoff::Backoff;
use crate::node::incoming::Incoming;
use crate::node::shared::Shared;

/// Between two tries at a publisher that the master names: it is noticed soon when it is back, and a try is one call.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(100), cap: Duration::from_secs(1) };

/// Keeps a link until nobody follows the topic, the node ends, or the master no longer names the publisher.
pub(super) async fn keep(
    shared: Arc<Shared>,
    following: Arc<Following>,
    uri: String,
    mut named: watch::Receiver<bool>,
) {
    tokio::select! {
        () = following.closed.cancelled() => {}
        () = shared.ended.cancelled() => {}
        () = try_on(&shared, &following, &uri, &mut named) => {}
    }
}

async fn try_on(shared: &Shared, following: &Following, uri: &str, named: &mut watch::Receiver<bool>) {
    let topic = &following.topic;
    let mut failures: u32 = 0;
    let mut logged: Option<String> = None;
    loop {
        let reason = match open(shared, following, uri).await {
            Ok(open) => {
                tracing::debug!(%topic, publisher = %open.connected.caller, "connected to a publisher");
                let listed = shared.policy.list(open.connected.ends.peer, &open.connected.caller);
                let (came, reason) = tokio::select! {
                    ended = read(following, open) => ended,
                    () = listed => {
                        tracing::info!(%topic, %uri, "the connection to a publisher was ended; it is followed again once it has registered anew");
                        return until_not_named(following, uri, named).await;
                    }
                };
                // One that says nothing before it goes is no better than one that is not there.
                failures = if came { 0 } else { failures };
                // Most have only left, and the master is about to say so; if not, the next try tells.
                logged = Some(reason.clone());
                reason
            }
            Err(error) => error.to_string(),
        };
        // What changes from here on is seen below.
        named.mark_unchanged();
        if !following.keeps(uri) {
            tracing::debug!(%topic, %uri, %reason, "a publisher is gone");
            return;
        }
        if logged.as_ref() != Some(&reason) {
            tracing::info!(%topic, %uri, %reason, "no connection to a publisher; it is tried again");
            logged = Some(reason);
        }
        failures = failures.saturating_add(1);
        tokio::select! {
            () = sleep(BACKOFF.wait(failures, rand::random())) => {}
            _ = named.changed() => if !following.keeps(uri) { return },
        }
    }
}

/// Waits until the master names the publisher no more.
async fn until_not_named(following: &Following, uri: &str, named: &mut watch::Receiver<bool>) {
    loop {
        named.mark_unchanged();
        if !following.keeps(uri) || named.changed().await.is_err() {
            return;
        }
    }
}

/// Reads until the connection ends; whether something came, and why it ended.
async fn read(following: &Following, open: Open) -> (bool, String) {
    let Open { connected, mut frames, write: _write } = open;
    let _there = There::new(following, &connected);
    let mut came = false;
    loop {
        let bytes = match frames.next().await {
            Some(Ok(bytes)) => bytes,
            Some(Err(error)) => return (came, format!("the connection broke: {error}")),
            None => return (came, "the publisher closed the connection".to_owned()),
        };
        came = true;
        connected.traffic.message(bytes.len());
        let (layout, caller) = (connected.layout.clone(), connected.caller.clone());
        following.deliver(
            &connected,
            &Incoming { bytes, layout, caller, host: connected.ends.peer.ip(), missed: 0 },
        );
    }
}

/// Counts a publisher while it is connected, however that ends.
struct There<'a> {
    following: &'a Following,
    id: u64,
}

impl<'a> There<'a> {
    fn new(following: &'a Following, connected: &Arc<Connected>) -> Self {
        following.connect(connected.clone());
        Self { following, id: connected.id }
    }
}

impl Drop for There<'_> {
    fn drop(&mut self) {
        self.following.disconnect(self.id);
    }
}
