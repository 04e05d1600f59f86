//! What the machine's clock said at moments of the gateway's, for people to read.
//!
//! The machine's clock is set while the gateway runs: by NTP some time after the boot, or after the machine has slept. [`Clock`] is not, so
//! that durations are real. How far the two are apart is looked at each second; a moment is shown by how far that was then, so that
//! a stamp stays as it was written. Messages of dialects have stamps by [`Clock`], as those of a robot that nobody sets while it drives.

use std::future::Future;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use crate::limits::{WALL_CLOCK_LOOK_INTERVAL, WALL_CLOCK_MAX_STEPS, WALL_CLOCK_MIN_STEP};
use crate::{Clock, Timestamp};

/// How far the machine's clock was from the gateway's, and since when.
///
/// ```
/// use latimer_core::{Timestamp, WallClock};
///
/// let (at, wall) = (|s: i64| Timestamp::from_nanos(s * 1_000_000_000), WallClock::new());
/// wall.look(|| (at(10), at(3_610)));
/// assert_eq!(wall.at(at(9)), at(9), "as it was before the clock was set");
/// assert_eq!(wall.at(at(11)), at(3_611));
/// ```
#[derive(Debug, Default)]
pub struct WallClock(RwLock<Vec<Step>>);

/// The machine's clock was set.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// When that was found, by the gateway's clock.
    found: Timestamp,
    /// How far it is ahead since then, nanoseconds.
    ahead_ns: i64,
}

impl WallClock {
    /// One that agrees with the gateway's.
    pub const fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }

    /// What the machine's clock said at a moment of the gateway's.
    pub fn at(&self, moment: Timestamp) -> Timestamp {
        let steps = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let step = steps.iter().rev().find(|step| step.found < moment);
        Timestamp::from_nanos(moment.as_nanos().saturating_add(step.map_or(0, |step| step.ahead_ns)))
    }

    /// Takes in what both clocks say, the gateway's first; by how many nanoseconds the machine's was set, if it was.
    pub fn look(&self, read: impl FnOnce() -> (Timestamp, Timestamp)) -> Option<i64> {
        let mut steps = self.0.write().unwrap_or_else(PoisonError::into_inner);
        // Read under the lock: every moment that was shown without this step is before it.
        let (found, wall) = read();
        let ahead_ns = wall.as_nanos().saturating_sub(found.as_nanos());
        let step_ns = ahead_ns.saturating_sub(steps.last().map_or(0, |step| step.ahead_ns));
        if u128::from(step_ns.unsigned_abs()) < WALL_CLOCK_MIN_STEP.as_nanos() {
            return None;
        }
        if steps.len() == WALL_CLOCK_MAX_STEPS {
            steps.remove(0);
        }
        steps.push(Step { found, ahead_ns });
        Some(step_ns)
    }

    /// Looks each second until `shutdown`.
    pub async fn follow(&self, clock: Clock, shutdown: impl Future<Output = ()>) {
        let looks = async {
            loop {
                if let Some(step_ns) = self.look(|| clock.with_wall()) {
                    let seconds = Duration::from_nanos(step_ns.unsigned_abs()).as_secs_f64();
                    let way = if step_ns > 0 { "forward" } else { "back" };
                    tracing::info!(
                        seconds,
                        "the machine's clock was set {way}; stamps follow it from now on"
                    );
                }
                clock.sleep(WALL_CLOCK_LOOK_INTERVAL).await;
            }
        };
        tokio::select! {
            () = looks => {}
            () = shutdown => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_nanos(seconds * 1_000_000_000)
    }

    #[test]
    fn a_stamp_follows_the_machine_s_clock_and_stays_as_it_was_written() {
        let wall = WallClock::new();
        assert_eq!(wall.at(at(10)), at(10));
        assert_eq!(wall.look(|| (at(20), Timestamp::from_nanos(at(20).as_nanos() + 99_000_000))), None);
        assert_eq!(wall.at(at(21)), at(21), "slewing is no step");
        let written = wall.at(at(29));
        // By NTP, an hour forward; then by a person, half an hour back.
        assert_eq!(wall.look(|| (at(30), at(3_630))), Some(at(3_600).as_nanos()));
        assert_eq!(wall.look(|| (at(31), at(3_631))), None);
        let later = wall.at(at(35));
        assert_eq!(wall.look(|| (at(40), at(1_840))), Some(-at(1_800).as_nanos()));
        assert_eq!(wall.at(at(41)), at(1_841));
        assert_eq!((wall.at(at(29)), wall.at(at(30))), (written, at(30)));
        assert_eq!((later, wall.at(at(35))), (at(3_635), later));
        // Durations are by the gateway's clock.
        assert_eq!(at(41).since(at(29)), Duration::from_secs(12));
    }

    #[test]
    fn steps_without_end_take_no_memory() {
        let wall = WallClock::new();
        for second in 0..10_000 {
            wall.look(|| (at(second), at(2 * second + 7)));
        }
        assert_eq!(wall.0.read().unwrap().len(), WALL_CLOCK_MAX_STEPS);
        assert_eq!(wall.at(at(20_000)), at(20_000 + 9_999 + 7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_was_not_set_at_the_start_is_followed() {
        // A board without a battery for its clock begins in 1970.
        let (clock, wall) = (Clock::starting_at(at(0)), WallClock::new());
        let before = clock.now();
        clock.sleep(WALL_CLOCK_LOOK_INTERVAL / 2).await;
        wall.follow(clock, clock.sleep(3 * WALL_CLOCK_LOOK_INTERVAL)).await;
        assert_eq!(wall.at(before), before);
        let apart = Clock::system().now().as_nanos() - wall.at(clock.now()).as_nanos();
        // Under a paused timer the machine's clock goes on alone.
        assert!(Duration::from_nanos(apart.unsigned_abs()) < Duration::from_secs(3_600), "{apart}");
    }
}
