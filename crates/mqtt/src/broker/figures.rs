//! What the broker within counts.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mqtt5::broker::sys_topics::BrokerStats;

use super::guests::Guests;
use super::throttle::Throttle;

/// What there is to count, as of now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Clients that are connected, the gateway's own links among them.
    pub clients: u64,
    /// Clients that ever connected.
    pub connections: u64,
    /// Messages that clients published.
    pub received: u64,
    /// Messages that went out to subscribers.
    pub sent: u64,
    /// Messages of QoS 1 and 2 that wait for clients that are slow or away.
    pub waiting: u64,
    /// Messages that were read later, because their clients publish faster than they may.
    pub slowed: u64,
}

/// Counts what a broker does; cheap to clone.
#[derive(Clone)]
pub struct Meter {
    stats: Arc<BrokerStats>,
    guests: Arc<Guests>,
    throttle: Arc<Throttle>,
}

impl Meter {
    pub(super) fn new(stats: Arc<BrokerStats>, guests: Arc<Guests>, throttle: Arc<Throttle>) -> Self {
        Self { stats, guests, throttle }
    }

    /// The figures as they are now.
    pub fn read(&self) -> Figures {
        let (clients, connections) = self.guests.connected();
        Figures {
            clients,
            connections,
            received: self.stats.publish_received.load(Ordering::Relaxed),
            sent: self.stats.publish_sent.load(Ordering::Relaxed),
            waiting: self.guests.waiting(),
            slowed: self.throttle.slowed(),
        }
    }
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.read().fmt(f)
    }
}
