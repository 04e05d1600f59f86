//! What is registered at the master. One task does so, in order.
//!
//! ```text
//!            ┌────────── backoff ◀── no answer, refused ──┐
//!            ▼                                            │
//!   is it the same master, and does it know us? ──▶ register what is missing, unregister what is gone
//!            ▲                                            │
//!            └──── a second later, or a topic changed ◀── Up
//! ```
//!
//! A master that was restarted has another process, or does not know the node's name. Then everything is registered again.

mod calls;
mod plan;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::calls::Trouble;
use self::plan::{Registered, Step};
use super::MasterLink;
use super::backoff::Backoff;
use super::shared::Shared;
use crate::limits::{MASTER_LOOK_INTERVAL, UNREGISTER_TIMEOUT};

/// Between two tries at a master that is not there: it is noticed soon when it is back, and a try is one call.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(100), cap: Duration::from_secs(1) };

/// What the master knows.
#[derive(Debug)]
pub(super) struct Registration {
    shared: Arc<Shared>,
    registered: Registered,
    /// The master's process when the first topic was registered.
    master: Option<i32>,
    /// That the master does not answer is logged.
    missed: bool,
}

impl Registration {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, registered: Registered::default(), master: None, missed: false }
    }

    /// Keeps the master informed until shutdown; returns why if another node has the name.
    pub(super) async fn keep(&mut self, stop: &CancellationToken) -> Option<String> {
        let shared = self.shared.clone();
        let mut failures: u32 = 0;
        loop {
            let wait = match self.look(stop).await {
                Ok(()) => {
                    failures = 0;
                    self.say(MasterLink::Up);
                    MASTER_LOOK_INTERVAL
                }
                Err(Trouble::Replaced(reason)) => return Some(reason),
                Err(trouble) => {
                    failures = failures.saturating_add(1);
                    self.say(MasterLink::Waiting(trouble.to_string()));
                    BACKOFF.wait(failures, rand::random())
                }
            };
            tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                () = shared.changed.notified(), if failures == 0 => {}
                () = sleep(wait) => {}
            }
        }
    }

    /// One look at the master, and all calls that follow from it.
    async fn look(&mut self, stop: &CancellationToken) -> Result<(), Trouble> {
        let shared = self.shared.clone();
        let master = calls::pid(&shared).await?;
        if self.master.replace(master).is_some_and(|before| before != master) {
            tracing::info!(node = %shared.name, "the master was restarted; all is registered again");
            self.registered = Registered::default();
        }
        if !self.registered.is_empty() && !calls::is_known(&shared).await? {
            tracing::info!(node = %shared.name, "the master forgot the node; all is registered again");
            self.registered = Registered::default();
        }
        // One topic that the master does not want keeps no other from it.
        let (mut refused, mut first) = (BTreeSet::new(), None);
        loop {
            if stop.is_cancelled() {
                return Ok(());
            }
            let step = self.registered.next(&shared.topics(), &refused);
            let Some(step) = step else { return first.map_or(Ok(()), Err) };
            match (calls::take(&shared, &step).await, step.id()) {
                (Ok(()), _) => self.registered.done(&step),
                (Err(trouble @ Trouble::Refused { .. }), Some(id)) => {
                    refused.insert(id);
                    first.get_or_insert(trouble);
                }
                (Err(trouble), _) => return Err(trouble),
            }
        }
    }

    /// Tells the master that all of it ends, within a second.
    pub(super) async fn farewell(&self) {
        let steps: Vec<Step> = self.registered.all();
        if steps.is_empty() {
            return;
        }
        match timeout(UNREGISTER_TIMEOUT, calls::take_all(&self.shared, &steps)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::debug!(node = %self.shared.name, %error, "the node is not unregistered")
            }
            Err(_) => {
                tracing::debug!(node = %self.shared.name, "the master took too long to unregister the node")
            }
        }
    }

    fn say(&mut self, link: MasterLink) {
        let (node, master) = (&self.shared.name, self.shared.master.uri());
        match &link {
            MasterLink::Up if *self.shared.link.borrow() != link => {
                tracing::info!(%node, %master, "registered at the master");
                self.missed = false;
            }
            MasterLink::Waiting(reason) if !std::mem::replace(&mut self.missed, true) => {
                tracing::warn!(%node, %master, %reason, "the node is not registered; it waits for the master");
            }
            MasterLink::Up | MasterLink::Waiting(_) => {}
        }
        self.shared.link.send_if_modified(|known| {
            let news = *known != link;
            *known = link;
            news
        });
    }
}
