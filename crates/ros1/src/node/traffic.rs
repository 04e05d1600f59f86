//! What went over a connection, for `getBusStats`.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of one connection.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    bytes: AtomicU64,
    messages: AtomicU64,
    lost: AtomicU64,
}

impl Traffic {
    /// A message of that many bytes went.
    pub(super) fn message(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.messages.fetch_add(1, Ordering::Relaxed);
    }

    /// So many did not.
    pub(super) fn lose(&self, messages: u64) {
        self.lost.fetch_add(messages, Ordering::Relaxed);
    }

    /// Bytes of the messages that went.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Messages that went.
    pub(super) fn messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// Messages that did not.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
