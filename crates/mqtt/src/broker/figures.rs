//! Counters of the broker within.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use latimer_core::RateLimit;
use mqtt5::broker::sys_topics::BrokerStats;

use super::connections::Connections;

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
    /// Messages of QoS 1 and 2 queued for slow or absent clients.
    pub waiting: u64,
    /// Messages that the rate limit delayed.
    pub slowed: u64,
    /// Clients that are away and have a session.
    pub away: u64,
    /// Sessions of such clients that were forgotten before their time.
    pub forgotten: u64,
}

/// Reads the counters of a broker; cheap to clone.
#[derive(Clone)]
pub struct Meter {
    stats: Arc<BrokerStats>,
    connections: Arc<Connections>,
    rate_limit: Arc<RateLimit<String>>,
}

impl Meter {
    pub(super) fn new(
        stats: Arc<BrokerStats>,
        connections: Arc<Connections>,
        rate_limit: Arc<RateLimit<String>>,
    ) -> Self {
        Self { stats, connections, rate_limit }
    }

    /// The counters now.
    pub fn read(&self) -> Figures {
        let (clients, connections) = self.connections.connected();
        let (away, forgotten) = self.connections.away();
        Figures {
            clients,
            connections,
            received: self.stats.publish_received.load(Ordering::Relaxed),
            sent: self.stats.publish_sent.load(Ordering::Relaxed),
            waiting: self.connections.waiting(),
            slowed: self.rate_limit.slowed(),
            away,
            forgotten,
        }
    }
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.read().fmt(f)
    }
}
