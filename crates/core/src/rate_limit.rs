//! A rate limit: a bucket of messages or requests for each client, which refills with time.
//!
//! A flooding client is not refused and loses nothing: what it sends waits in its own socket. The log reports a client that
//! keeps flooding, because its own side may not notice.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::limits::{LOG_INTERVAL, RATE_LIMIT_BURST, RATE_LIMIT_REPORT_DELAY, RATE_LIMIT_TICK};
use crate::{Clock, Timestamp};

/// Number of buckets at which full ones are removed.
const MANY: usize = 1_024;

/// A bucket for each client that sent something recently.
///
/// ```
/// use latimer_core::{Clock, RateLimit};
///
/// let limit = RateLimit::<String>::new(Clock::system(), 10, "api.max_rate");
/// let waits = (0..100).filter_map(|_| limit.wait("ada")).count();
/// assert!(waits > 0, "ten a second and a burst pass, the others wait");
/// assert_eq!(limit.wait("bob"), None, "another client has a bucket of its own");
/// ```
#[derive(Debug)]
pub struct RateLimit<K> {
    clock: Clock,
    /// The key of the config.
    key: &'static str,
    /// Messages a second; 0 is no limit.
    rate: AtomicU32,
    buckets: Mutex<Buckets<K>>,
    slowed: AtomicU64,
}

#[derive(Debug)]
struct Buckets<K> {
    by_client: HashMap<K, Bucket>,
    tidy_at: usize,
    reported: Option<Timestamp>,
}

/// Stores when it will be full again, so it needs no timer.
#[derive(Debug)]
struct Bucket {
    full_at: Timestamp,
    /// Since when it has not been full.
    since: Timestamp,
    reported: bool,
}

/// The delay of a message that exceeds the rate.
struct Slowed {
    wait: Duration,
    report: bool,
}

impl<K: Clone + Debug + Eq + Hash> RateLimit<K> {
    /// `rate` messages a second for each client, as the config says at `key`; 0 is no limit.
    pub fn new(clock: Clock, rate: u32, key: &'static str) -> Self {
        let buckets = Buckets { by_client: HashMap::new(), tidy_at: 0, reported: None };
        Self {
            clock,
            key,
            rate: AtomicU32::new(rate),
            buckets: Mutex::new(buckets),
            slowed: AtomicU64::new(0),
        }
    }

    /// Counts a message of a client; returns the delay before it is read.
    pub fn wait<Q>(&self, client: &Q) -> Option<Duration>
    where
        K: Borrow<Q>,
        Q: Debug + Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let Slowed { wait, report } = self.count(client)?;
        self.slowed.fetch_add(1, Ordering::Relaxed);
        if report {
            tracing::warn!(
                ?client,
                max_rate = self.rate.load(Ordering::Relaxed),
                "a client sends faster than {} allows; it is read no faster, and nothing that it sends is lost",
                self.key
            );
        }
        Some(wait)
    }

    fn count<Q>(&self, client: &Q) -> Option<Slowed>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        // The time that refills one message.
        let each = Duration::from_secs(1).checked_div(self.rate.load(Ordering::Relaxed))?;
        let now = self.clock.now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = buckets.take(client, each, now);
        let wait = full_at
            .since(now)
            .checked_sub((each * RATE_LIMIT_BURST).max(RATE_LIMIT_TICK))
            .filter(|wait| !wait.is_zero())?;
        Some(Slowed { wait, report: buckets.is_report_due(client, now) })
    }

    /// Another rate from now on.
    pub fn set_rate(&self, rate: u32) {
        self.rate.store(rate, Ordering::Relaxed);
    }

    /// How many messages were delayed.
    pub fn slowed(&self) -> u64 {
        self.slowed.load(Ordering::Relaxed)
    }
}

impl Bucket {
    fn full(now: Timestamp) -> Self {
        Self { full_at: now, since: now, reported: false }
    }

    /// Takes a message out; returns when the bucket will be full again.
    fn take(&mut self, each: Duration, now: Timestamp) -> Timestamp {
        if self.full_at <= now {
            *self = Self::full(now);
        }
        self.full_at = self.full_at.after(each);
        self.full_at
    }
}

impl<K: Eq + Hash> Buckets<K> {
    fn take<Q>(&mut self, client: &Q, each: Duration, now: Timestamp) -> Timestamp
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(bucket) = self.by_client.get_mut(client) {
            return bucket.take(each, now);
        }
        self.tidy(now);
        let mut bucket = Bucket::full(now);
        let full_at = bucket.take(each, now);
        self.by_client.insert(client.to_owned(), bucket);
        full_at
    }

    /// Whether the log shall report a slowed client now.
    fn is_report_due<Q>(&mut self, client: &Q, now: Timestamp) -> bool
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        if self.reported.is_some_and(|reported| now.since(reported) < LOG_INTERVAL) {
            return false;
        }
        let long =
            |bucket: &&mut Bucket| !bucket.reported && now.since(bucket.since) >= RATE_LIMIT_REPORT_DELAY;
        let Some(bucket) = self.by_client.get_mut(client).filter(long) else { return false };
        bucket.reported = true;
        self.reported = Some(now);
        true
    }

    /// Removes full buckets; a missing bucket counts as full.
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
        let rate_limit = RateLimit::<String>::new(Clock::system(), 1_000, "test");
        assert!((0..RATE_LIMIT_BURST).all(|_| rate_limit.wait("flood").is_none()));
        assert_eq!(rate_limit.wait("flood"), Some(Duration::from_millis(1)));
        assert_eq!(rate_limit.wait("flood"), Some(Duration::from_millis(2)));
        assert_eq!(rate_limit.wait("other"), None);
        assert_eq!(rate_limit.slowed(), 2);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(rate_limit.wait("flood"), None);
    }

    /// Clients publish as fast as the limit allows for so many seconds; returns how often each was reported.
    async fn flood<const N: usize>(
        rate_limit: &RateLimit<String>,
        clients: [&str; N],
        seconds: u64,
    ) -> [usize; N] {
        let end = rate_limit.clock.now().after(Duration::from_secs(seconds));
        let mut reports = [0; N];
        while rate_limit.clock.now() < end {
            for (client, reports) in clients.iter().zip(&mut reports) {
                let mut wait = Duration::ZERO;
                while wait < RATE_LIMIT_TICK {
                    let Some(slowed) = rate_limit.count(*client) else { continue };
                    *reports += usize::from(slowed.report);
                    wait = slowed.wait;
                }
            }
            tokio::time::advance(RATE_LIMIT_TICK).await;
        }
        reports
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_keeps_flooding_is_reported_once() {
        let rate_limit = RateLimit::<String>::new(Clock::system(), 1_000, "test");
        assert_eq!(flood(&rate_limit, ["short"], 1).await, [0]);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(flood(&rate_limit, ["long"], 120).await, [1]);
    }

    #[tokio::test(start_paused = true)]
    async fn flooding_clients_are_reported_one_after_the_other() {
        let rate_limit = RateLimit::<String>::new(Clock::system(), 1_000, "test");
        assert_eq!(flood(&rate_limit, ["a", "b", "c"], 12).await.iter().sum::<usize>(), 2);
        assert_eq!(flood(&rate_limit, ["a", "b", "c"], 60).await.iter().sum::<usize>(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn the_timer_does_not_limit_a_high_rate() {
        let rate_limit = RateLimit::<String>::new(Clock::system(), 1_000_000, "test");
        assert!((0..10_000).all(|_| rate_limit.wait("fast").is_none()));
        assert_eq!(rate_limit.wait("fast"), Some(Duration::from_micros(1)));
    }

    #[tokio::test(start_paused = true)]
    async fn disconnected_clients_take_no_memory() {
        let rate_limit = RateLimit::<String>::new(Clock::system(), 100, "test");
        for round in 0..100 {
            for client in 0..MANY {
                rate_limit.wait(format!("{round}-{client}").as_str());
            }
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        assert!(rate_limit.buckets.lock().unwrap().by_client.len() <= 2 * MANY);
    }

    #[tokio::test]
    async fn no_rate_is_no_limit() {
        let rate_limit = RateLimit::<String>::new(Clock::system(), 0, "test");
        assert!((0..10_000).all(|_| rate_limit.wait("x").is_none()));
    }
}
