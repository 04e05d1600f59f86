//! Robots that appear and disappear, for sinks that keep lists of them.

use std::time::Duration;

use tokio::sync::watch;

use crate::clock::{Clock, Timestamp};

/// Least time between two looks, for each [`ROBOTS`] that there are: while a swarm of thousands appears, no sink looks
/// through all of it for each of them, and the looks take as little of the time as with few.
const REST: Duration = Duration::from_millis(50);

/// See [`REST`].
const ROBOTS: usize = 1_000;

fn rest(robots: usize) -> Duration {
    REST.saturating_mul(u32::try_from(robots.div_ceil(ROBOTS).max(1)).unwrap_or(u32::MAX))
}

/// Notifies when the population changed; see [`Hub::population`](super::Hub::population).
#[derive(Debug)]
pub struct Population {
    /// How many there are.
    robots: watch::Receiver<usize>,
    clock: Clock,
    /// The population changed since the last look.
    is_other: bool,
    rests_until: Option<Timestamp>,
}

impl Population {
    pub(super) fn new(robots: watch::Receiver<usize>, clock: Clock) -> Self {
        Self { robots, clock, is_other: true, rests_until: None }
    }

    /// Waits until a robot came or went since the last time; the first time is over at once. Cancel safe.
    pub async fn changed(&mut self) {
        if !self.is_other {
            if self.robots.changed().await.is_err() {
                // The hub is gone.
                return std::future::pending().await;
            }
            self.is_other = true;
        }
        if let Some(until) = self.rests_until {
            self.clock.sleep_until(until).await;
        }
        let rest = rest(*self.robots.borrow_and_update());
        self.is_other = false;
        self.rests_until = Some(self.clock.now().after(rest));
    }
}
