//! What happened lately: tasks, alerts and events, kept for whoever asks later.
//!
//! ```text
//! hub ──sink "journal"──▶ writer ──▶ Books { tasks, alerts, events } ◀── API
//! ```
//!
//! The writer is one task with a mailbox like anybody's, so it can never hold up the hub. The books are
//! plain state, bounded in every direction; they keep the gateway's times, so that robots compare.

mod alerts;
mod books;
mod events;
mod faults;
mod tasks;
#[cfg(test)]
mod tests;
mod writer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::Hub;
use latimer_core::hub::Shared;
use tokio_util::sync::CancellationToken;

pub(crate) use alerts::{AlertRecord, Fault};
pub(crate) use tasks::{TaskRecord, TaskReport};

use books::Books;

/// The journal; cheap to clone, all clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Journal(Arc<Mutex<Books>>);

impl Journal {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down what happens until the gateway stops.
    pub async fn run(self, hub: Hub, shutdown: CancellationToken) {
        writer::write(&self, &hub, &shutdown).await;
    }

    /// The newest tasks that are wanted, newest first.
    pub(crate) fn tasks(&self, count: usize, wanted: impl Fn(&TaskRecord) -> bool) -> Vec<TaskRecord> {
        self.books().tasks.newest().filter(|task| wanted(task)).take(count).cloned().collect()
    }

    /// The alerts that are wanted, the ones that hold first, each newest first.
    pub(crate) fn alerts(&self, wanted: impl Fn(&AlertRecord) -> bool) -> Vec<AlertRecord> {
        self.books().alerts.all().filter(|alert| wanted(alert)).cloned().collect()
    }

    /// The newest events that are wanted, oldest first.
    pub(crate) fn events(&self, count: usize, wanted: impl Fn(&Shared) -> bool) -> Vec<Arc<Shared>> {
        let mut events: Vec<_> =
            self.books().events.newest().filter(|event| wanted(event)).take(count).cloned().collect();
        events.reverse();
        events
    }
}
