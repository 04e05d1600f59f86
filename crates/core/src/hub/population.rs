//! Robots that come and go, for those who keep lists of them.

use std::time::Duration;

use tokio::sync::watch;

use crate::clock::{Clock, Timestamp};

/// Least time between two looks: while a swarm of thousands comes, nobody looks through all of it for each of them.
const REST: Duration = Duration::from_millis(50);

/// Tells when to look who is there; see [`Hub::population`](super::Hub::population).
#[derive(Debug)]
pub struct Population {
    changes: watch::Receiver<u64>,
    clock: Clock,
    /// Somebody came or went since the last look.
    is_other: bool,
    rests_until: Option<Timestamp>,
}

impl Population {
    pub(super) fn new(changes: watch::Receiver<u64>, clock: Clock) -> Self {
        Self { changes, clock, is_other: true, rests_until: None }
    }

    /// Waits until a robot came or went since the last time; the first time is over at once. Cancel safe.
    pub async fn changed(&mut self) {
        if !self.is_other {
            if self.changes.changed().await.is_err() {
                // The hub is gone, so nobody comes any more.
                return std::future::pending().await;
            }
            self.is_other = true;
        }
        if let Some(until) = self.rests_until {
            self.clock.sleep_until(until).await;
        }
        self.changes.mark_unchanged();
        self.is_other = false;
        self.rests_until = Some(self.clock.now().after(REST));
    }
}
