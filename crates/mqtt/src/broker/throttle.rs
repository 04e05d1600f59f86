//! How fast a client is read: a bucket of messages that fills with time.
//!
//! Who floods is not refused and loses nothing: its packets wait in its own socket, and it feels that. Who goes on with it
//! is told of in the log, since its own side may not notice.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use latimer_core::{Clock, Timestamp};

/// A bucket holds so many messages, so that a few at once are no flood. What others wait for a flood that begins is as
/// long as it takes to deal with these.
const BURST: u32 = 20;

/// It holds what comes in so long a time, if that is more, since the timer's millisecond is the shortest wait.
const TICK: Duration = Duration::from_millis(10);

/// Buckets are looked through for full ones when there are so many.
const MANY: usize = 1_024;

/// Who is slowed for so long without a rest is told of.
const LONG: Duration = Duration::from_secs(1);

/// Between two lines of the log, of whomever they tell.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// A bucket for each client that published lately.
pub(super) struct Throttle {
    clock: Clock,
    /// Messages a second.
    rate: u32,
    /// What one takes; `None` is no limit.
    each: Option<Duration>,
    buckets: Mutex<Buckets>,
    slowed: AtomicU64,
}

#[derive(Default)]
struct Buckets {
    by_client: HashMap<String, Bucket>,
    tidy_at: usize,
    told: Option<Timestamp>,
}

/// When it will be full again; so it needs no timer.
struct Bucket {
    full_at: Timestamp,
    /// It was full before that.
    since: Timestamp,
    told: bool,
}

/// What is done with a message that comes too fast.
struct Slowed {
    wait: Duration,
    tell: bool,
}

impl Throttle {
    /// `rate` messages a second; 0 is no limit.
    pub(super) fn new(clock: Clock, rate: u32) -> Self {
        let each = Duration::from_secs(1).checked_div(rate);
        Self { clock, rate, each, buckets: Mutex::default(), slowed: AtomicU64::new(0) }
    }

    /// Counts a message of a client; it is to be read after this wait, if any.
    pub(super) fn wait(&self, client: &str) -> Option<Duration> {
        let Slowed { wait, tell } = self.count(client)?;
        self.slowed.fetch_add(1, Ordering::Relaxed);
        if tell {
            tracing::warn!(
                client,
                max_rate = self.rate,
                "a client publishes faster than broker.limits.max_rate; it is read no faster, and none of its messages is lost"
            );
        }
        Some(wait)
    }

    fn count(&self, client: &str) -> Option<Slowed> {
        let each = self.each?;
        let now = self.clock.now();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full_at = buckets.take(client, each, now);
        let wait = full_at.since(now).checked_sub((each * BURST).max(TICK)).filter(|wait| !wait.is_zero())?;
        Some(Slowed { wait, tell: buckets.is_to_be_told(client, now) })
    }

    /// How many messages were read later for it.
    pub(super) fn slowed(&self) -> u64 {
        self.slowed.load(Ordering::Relaxed)
    }
}

impl Bucket {
    fn full(now: Timestamp) -> Self {
        Self { full_at: now, since: now, told: false }
    }

    /// Takes a message out; says when it will be full again.
    fn take(&mut self, each: Duration, now: Timestamp) -> Timestamp {
        if self.full_at <= now {
            *self = Self::full(now);
        }
        self.full_at = self.full_at.after(each);
        self.full_at
    }
}

impl Buckets {
    fn take(&mut self, client: &str, each: Duration, now: Timestamp) -> Timestamp {
        if let Some(bucket) = self.by_client.get_mut(client) {
            return bucket.take(each, now);
        }
        self.tidy(now);
        let mut bucket = Bucket::full(now);
        let full_at = bucket.take(each, now);
        self.by_client.insert(client.to_owned(), bucket);
        full_at
    }

    /// Whether it is time to tell of a client that is slowed.
    fn is_to_be_told(&mut self, client: &str, now: Timestamp) -> bool {
        if self.told.is_some_and(|told| now.since(told) < TELL_EVERY) {
            return false;
        }
        let long = |bucket: &&mut Bucket| !bucket.told && now.since(bucket.since) >= LONG;
        let Some(bucket) = self.by_client.get_mut(client).filter(long) else { return false };
        bucket.told = true;
        self.told = Some(now);
        true
    }

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
        assert!((0..BURST).all(|_| throttle.wait("flood").is_none()));
        assert_eq!(throttle.wait("flood"), Some(Duration::from_millis(1)));
        assert_eq!(throttle.wait("flood"), Some(Duration::from_millis(2)));
        assert_eq!(throttle.wait("other"), None);
        assert_eq!(throttle.slowed(), 2);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(throttle.wait("flood"), None);
    }

    /// Clients publish as fast as they are let for so many seconds; how often each was told of.
    async fn flood<const N: usize>(throttle: &Throttle, clients: [&str; N], seconds: u64) -> [usize; N] {
        let end = throttle.clock.now().after(Duration::from_secs(seconds));
        let mut told = [0; N];
        while throttle.clock.now() < end {
            for (client, told) in clients.iter().zip(&mut told) {
                let mut wait = Duration::ZERO;
                while wait < TICK {
                    let Some(slowed) = throttle.count(client) else { continue };
                    *told += usize::from(slowed.tell);
                    wait = slowed.wait;
                }
            }
            tokio::time::advance(TICK).await;
        }
        told
    }

    #[tokio::test(start_paused = true)]
    async fn who_goes_on_with_a_flood_is_told_of_once() {
        let throttle = Throttle::new(Clock::system(), 1_000);
        assert_eq!(flood(&throttle, ["short"], 1).await, [0]);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(flood(&throttle, ["long"], 120).await, [1]);
    }

    #[tokio::test(start_paused = true)]
    async fn many_that_flood_are_told_of_one_after_the_other() {
        let throttle = Throttle::new(Clock::system(), 1_000);
        assert_eq!(flood(&throttle, ["a", "b", "c"], 12).await.iter().sum::<usize>(), 2);
        assert_eq!(flood(&throttle, ["a", "b", "c"], 60).await.iter().sum::<usize>(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_high_rate_is_not_held_up_by_the_timer() {
        let throttle = Throttle::new(Clock::system(), 1_000_000);
        assert!((0..10_000).all(|_| throttle.wait("fast").is_none()));
        assert_eq!(throttle.wait("fast"), Some(Duration::from_micros(1)));
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
