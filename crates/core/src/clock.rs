//! Where time comes from: every stamp and every timer asks a [`Clock`], so that tests pause it.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

use crate::limits::CLOCK_READ_TOLERANCE;

/// A moment in nanoseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From nanoseconds since the Unix epoch.
    pub const fn from_nanos(ns: i64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since the Unix epoch.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// Time elapsed since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// This moment plus a duration, held at the end of time.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:09}s", self.0.div_euclid(1_000_000_000), self.0.rem_euclid(1_000_000_000))
    }
}

/// The gateway's clock: wall time at the start, carried on by the monotonic clock.
///
/// It never goes backwards, so durations between two stamps are always real; a [`WallClock`](crate::WallClock) has what people read.
/// It runs on Tokio's timer, hence a paused runtime pauses it too.
///
/// ```
/// use std::time::Duration;
///
/// use latimer_core::{Clock, Timestamp};
///
/// let clock = Clock::starting_at(Timestamp::from_nanos(1_000));
/// let due = clock.now().after(Duration::from_secs(5));
/// assert!(due.since(clock.now()) <= Duration::from_secs(5));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    anchor: Timestamp,
    started: Instant,
}

impl Clock {
    /// A clock set to the machine's wall time now.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clocks")]
    pub fn system() -> Self {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { anchor: Timestamp::default().after(wall), started: Instant::now() }
    }

    /// A clock that starts at a given moment, for tests and replays.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clocks")]
    pub fn starting_at(anchor: Timestamp) -> Self {
        Self { anchor, started: Instant::now() }
    }

    /// The moment now.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clocks")]
    pub fn now(&self) -> Timestamp {
        self.anchor.after(Instant::now().saturating_duration_since(self.started))
    }

    /// The moment now, and what the machine's clock says, which may have been set since this one began.
    pub fn with_wall(&self) -> (Timestamp, Timestamp) {
        loop {
            let before = self.now();
            let wall = Self::system().anchor;
            let now = self.now();
            // Who is kept from running in between would take that for a step.
            if now.since(before) < CLOCK_READ_TOLERANCE {
                return (now, wall);
            }
        }
    }

    /// Waits until a moment; returns at once if it has passed.
    pub async fn sleep_until(&self, when: Timestamp) {
        tokio::time::sleep_until(self.started + when.since(self.anchor)).await;
    }

    /// Waits for a duration.
    pub async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn runs_on_the_paused_timer() {
        let clock = Clock::starting_at(Timestamp::from_nanos(1_000));
        assert_eq!(clock.now().as_nanos(), 1_000);
        let due = clock.now().after(Duration::from_secs(3_600));
        clock.sleep_until(due).await;
        assert!(clock.now() >= due);
    }

    #[test]
    fn arithmetic_saturates() {
        let end = Timestamp::from_nanos(i64::MAX);
        assert_eq!(end.after(Duration::from_secs(1)), end);
        assert_eq!(Timestamp::default().since(end), Duration::ZERO);
    }
}
