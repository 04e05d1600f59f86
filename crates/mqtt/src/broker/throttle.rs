//! How fast a client is read: a bucket of messages that fills with time.
//!
//! Who floods is not refused and loses nothing: its packets wait in its own socket, and it feels that.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use latimer_core::{Clock, Timestamp};

/// A bucket holds what comes in so long a time, so that a burst is no flood.
const BURST: Duration = Duration::from_millis(100);

/// Buckets are looked through for full ones when there are so many.
const MANY: usize = 1_024;

/// A bucket for each client that published lately.
pub(super) struct Throttle {
    clock: Clock,
    rate: u32,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    by_client: HashMap<String, Bucket>,
    tidy_at: usize,
}

/// When it will be full again; so it needs no timer.
struct Bucket {
    full_at: Timestamp,
}

impl Throttle {
    /// `rate` messages a second; 0 is no limit.
    pub(super) fn new(clock: Clock, rate: u32) -> Self {
        Self { clock, rate, buckets: Mutex::default() }
    }

    /// Counts a message of a client; it is to be read after this wait, if any.
    pub(super) fn wait(&self, client: &str) -> Option<Duration> {
        if self.rate == 0 {
            return None;
        }
        let now = self.clock.now();
        let each = Duration::from_secs(1) / self.rate;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = match buckets.by_client.get_mut(client) {
            Some(bucket) => {
                bucket.full_at = bucket.full_at.max(now).after(each);
                bucket.full_at
            }
            None => {
                buckets.tidy(now);
                let full_at = now.after(each);
                buckets.by_client.insert(client.to_owned(), Bucket { full_at });
                full_at
            }
        };
        let missing = full_at.since(now);
        (missing > BURST).then(|| missing - BURST)
    }
}

impl Buckets {
    /// A full bucket is as good as none.
    fn tidy(&mut self, now: Timestamp) {
        if self.by_client.len() < self.tidy_at.max(MANY) {
            return;
        }
        self.by_client.retain(|_, bucket| bucket.full_at > now);
        self.tidy_at = self.by_client.len().saturating_mul(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_passes_and_a_flood_is_slowed_to_the_rate() {
        let throttle = Throttle::new(Clock::system(), 1_000);
        assert!((0..100).all(|_| throttle.wait("flood").is_none()));
        assert_eq!(throttle.wait("flood"), Some(Duration::from_millis(1)));
        assert_eq!(throttle.wait("flood"), Some(Duration::from_millis(2)));
        assert_eq!(throttle.wait("other"), None);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(throttle.wait("flood"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn clients_that_are_gone_take_no_room() {
        let throttle = Throttle::new(Clock::system(), 100);
        for round in 0..100 {
            for client in 0..MANY {
                throttle.wait(&format!("{round}-{client}"));
            }
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert!(throttle.buckets.lock().unwrap().by_client.len() <= 2 * MANY);
    }

    #[tokio::test]
    async fn no_rate_is_no_limit() {
        let throttle = Throttle::new(Clock::system(), 0);
        assert!((0..10_000).all(|_| throttle.wait("x").is_none()));
    }
}
