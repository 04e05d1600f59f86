//! What happened lately: tasks, alerts, events and the numbers of measurements, kept for later queries.
//!
//! ```text
//! hub ──sink "journal"──▶ writer ──▶ Logs { tasks, alerts, events, history } ◀── API
//! ```
//!
//! The writer is one task with a mailbox like every subscriber's, so it never delays the hub. A query waits until it has
//! written down what was published before (`Journal::caught_up`). The logs are plain state, bounded in every direction; they
//! keep the gateway's times, so that robots compare.

mod alerts;
mod events;
mod faults;
mod history;
mod logs;
mod tasks;
#[cfg(test)]
mod tests;
mod wire;
mod writer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::hub::Shared;
use latimer_core::{Hub, Timestamp};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::limits::JOURNAL_CATCH_UP_TIMEOUT;

pub(crate) use alerts::{AlertRecord, Fault};
pub(crate) use history::{Samples, description as history_description};
pub(crate) use tasks::{TaskRecord, TaskReport};

use logs::Logs;

/// The journal; cheap to clone, all clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Journal(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    logs: Mutex<Logs>,
    /// How often somebody asked the writer to catch up, and how far it is with that; it counts while it writes only.
    asked: watch::Sender<u64>,
    caught_up: watch::Sender<Option<u64>>,
}

impl Journal {
    fn logs(&self) -> MutexGuard<'_, Logs> {
        self.0.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all is written down that was published before; not if nobody writes, and not for long.
    pub(crate) async fn caught_up(&self) {
        let mut caught_up = self.0.caught_up.subscribe();
        let mut mine = 0;
        self.0.asked.send_modify(|asked| {
            *asked += 1;
            mine = *asked;
        });
        let through = caught_up.wait_for(|it| it.is_none_or(|it| it >= mine));
        // What it has is better than nothing.
        let _ = tokio::time::timeout(JOURNAL_CATCH_UP_TIMEOUT, through).await;
    }

    /// Writes down what happens until the gateway stops.
    pub async fn run(self, hub: Hub, shutdown: CancellationToken) {
        writer::write(&self, &hub, &shutdown).await;
    }

    /// The newest tasks that are wanted, newest first.
    pub(crate) fn tasks(&self, count: usize, wanted: impl Fn(&TaskRecord) -> bool) -> Vec<TaskRecord> {
        self.logs().tasks.newest().filter(|task| wanted(task)).take(count).cloned().collect()
    }

    /// The alerts that are wanted, the ones that hold first, each newest first.
    pub(crate) fn alerts(&self, wanted: impl Fn(&AlertRecord) -> bool) -> Vec<AlertRecord> {
        self.logs().alerts.all().filter(|alert| wanted(alert)).cloned().collect()
    }

    /// The newest events that are wanted, oldest first.
    pub(crate) fn events(&self, count: usize, wanted: impl Fn(&Shared) -> bool) -> Vec<Arc<Shared>> {
        let mut events: Vec<_> =
            self.logs().events.newest().filter(|event| wanted(event)).take(count).cloned().collect();
        events.reverse();
        events
    }

    /// What the wanted keys' numbers were since a moment, by key.
    pub(crate) fn history(&self, from: Timestamp, wanted: impl Fn(&str) -> bool) -> Vec<Samples> {
        self.logs().history.since(from, wanted)
    }
}
