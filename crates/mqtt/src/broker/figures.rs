//! Counters of the broker within.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::router::Router;

/// What is only ever counted up.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) connected: AtomicU64,
    pub(super) disconnected: AtomicU64,
    pub(super) received: AtomicU64,
    pub(super) sent: AtomicU64,
    pub(super) dropped: AtomicU64,
    pub(super) bytes_received: AtomicU64,
    pub(super) bytes_sent: AtomicU64,
}

impl Counters {
    /// How many clients are connected, and how many ever connected.
    pub(super) fn clients(&self) -> (u64, u64) {
        let disconnected = self.disconnected.load(Ordering::Acquire);
        let connected = self.connected.load(Ordering::Acquire);
        (connected.saturating_sub(disconnected), connected)
    }
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Clients that are connected, the gateway's own links among them.
    pub clients: u64,
    /// Clients that ever connected.
    pub connections: u64,
    /// Messages that clients published.
    pub received: u64,
    /// Messages sent to subscribers.
    pub sent: u64,
    /// Messages that were left out for clients that are too slow or too long away.
    pub dropped: u64,
    /// Messages of QoS 1 and 2 queued for slow or absent clients.
    pub waiting: u64,
    /// Filters to which clients are subscribed, the gateway's own links among them.
    pub subscriptions: u64,
    /// Messages that the rate limit delayed.
    pub slowed: u64,
    /// Clients that are away and have a session.
    pub away: u64,
    /// Sessions of such clients that were forgotten before their time.
    pub forgotten: u64,
}

/// Reads the counters of a broker; cheap to clone.
#[derive(Clone)]
pub struct Meter(Arc<Router>);

impl Meter {
    pub(super) fn new(router: Arc<Router>) -> Self {
        Self(router)
    }

    /// The counters now.
    pub fn read(&self) -> Figures {
        let (counters, counts) = (&self.0.counters, self.0.counts());
        let (clients, connections) = counters.clients();
        Figures {
            clients,
            connections,
            received: counters.received.load(Ordering::Relaxed),
            sent: counters.sent.load(Ordering::Relaxed),
            dropped: counters.dropped.load(Ordering::Relaxed),
            waiting: counts.waiting,
            subscriptions: counts.subscriptions,
            slowed: self.0.rate_limit.slowed(),
            away: counts.away,
            forgotten: counts.forgotten,
        }
    }
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.read().fmt(f)
    }
}
