//! What one sink got, missed and lost.

use std::sync::atomic::{AtomicU64, Ordering};

use super::GapReason;

/// Counters of one sink.
#[derive(Debug, Default)]
pub struct SinkCounters {
    /// Updates handed over.
    pub delivered: AtomicU64,
    /// States and frames replaced by newer ones before they were read.
    pub coalesced: AtomicU64,
    /// Events held back by a subscription's interval, as it asked.
    pub debounced: AtomicU64,
    /// Updates lost because the sink reads too slowly.
    pub lost: AtomicU64,
    /// Of those lost, the ones that a full queue did not take.
    pub queue_full: AtomicU64,
    /// Of those lost, the ones that had no room among the keys.
    pub too_many_keys: AtomicU64,
}

impl SinkCounters {
    /// An update is lost.
    pub(super) fn lose(&self, reason: GapReason) {
        self.lost.fetch_add(1, Ordering::Relaxed);
        match reason {
            GapReason::QueueFull => self.queue_full.fetch_add(1, Ordering::Relaxed),
            GapReason::TooManyKeys => self.too_many_keys.fetch_add(1, Ordering::Relaxed),
            GapReason::LinkLost => 0,
        };
    }
}
