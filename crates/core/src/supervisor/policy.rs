//! When to try again: a pure function, so that it is tested without sockets and without waiting.

use std::time::Duration;

use crate::limits::{PROBE_INTERVAL_AWAY, PROBE_INTERVAL_REFUSING};

/// How patience grows with each failure in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// Wait after the first failure.
    pub first: Duration,
    /// Longest wait.
    pub cap: Duration,
    /// A session that lived this long was healthy: the next wait starts over.
    pub healthy: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(250),
            cap: Duration::from_secs(30),
            healthy: Duration::from_secs(10),
        }
    }
}

/// What the end of a session means for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// Trying again may help: the robot is off, the network is down.
    Retry,
    /// The way to the robot is there and the robot is not: looking again is cheap.
    Away,
    /// Trying again cannot help: the peer is no such robot.
    Stop,
}

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Try again after a wait.
    RetryIn(Duration),
    /// Do not try again.
    Stop,
}

/// What a cheap attempt to connect found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Nobody accepts connections.
    Away,
    /// Somebody accepts connections, which says nothing of a session.
    Accepts,
}

/// What to do after a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterProbe {
    /// The peer is back: try a session now.
    Attempt,
    /// Probe again so long after this probe began.
    ProbeIn(Duration),
}

/// Longest wait after a session that found the way and no robot.
pub const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Decides from how a session ended, how long it lived and how many failed in a row before it.
///
/// Returns the decision and the new number of failures in a row. `dice` in 0..1 spreads the waits
/// between half and whole, so that many sessions do not all come back at once.
pub fn next(backoff: &Backoff, failures: u32, ended: Disposition, lived: Duration, dice: f64) -> (Next, u32) {
    match ended {
        Disposition::Stop => return (Next::Stop, failures),
        Disposition::Away => return (Next::RetryIn(spread(LOOK_AGAIN, dice)), 0),
        Disposition::Retry => {}
    }
    let failures = if lived >= backoff.healthy { 0 } else { failures };
    let doubled = backoff.first.saturating_mul(2_u32.saturating_pow(failures.min(20)));
    (Next::RetryIn(spread(doubled.min(backoff.cap), dice)), failures.saturating_add(1))
}

/// Decides after a probe, from what it found and whether one before it found nobody.
///
/// A peer that was away and accepts connections is tried at once. One that accepted them all the time refuses sessions for another
/// reason, and has the backoff.
pub fn after_probe(was_away: bool, found: Reach, dice: f64) -> AfterProbe {
    match found {
        Reach::Accepts if was_away => AfterProbe::Attempt,
        Reach::Accepts => AfterProbe::ProbeIn(spread(PROBE_INTERVAL_REFUSING, dice)),
        Reach::Away => AfterProbe::ProbeIn(spread(PROBE_INTERVAL_AWAY, dice)),
    }
}

/// Between half of a wait and all of it.
fn spread(wait: Duration, dice: f64) -> Duration {
    wait.mul_f64(0.5 + dice.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff {
        first: Duration::from_millis(100),
        cap: Duration::from_secs(5),
        healthy: Duration::from_secs(10),
    };

    fn waits(lives: &[u64]) -> Vec<u128> {
        let mut failures = 0;
        let wait = |lived: &u64| {
            let (next, now) = next(&BACKOFF, failures, Disposition::Retry, Duration::from_secs(*lived), 1.0);
            failures = now;
            match next {
                Next::RetryIn(wait) => wait.as_millis(),
                Next::Stop => u128::MAX,
            }
        };
        lives.iter().map(wait).collect()
    }

    #[test]
    fn doubles_up_to_the_cap() {
        assert_eq!(waits(&[0; 8]), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(waits(&[0; 64]).last(), Some(&5000));
    }

    #[test]
    fn starts_over_after_a_healthy_spell() {
        assert_eq!(waits(&[0, 0, 0, 60, 0]), [100, 200, 400, 100, 200]);
    }

    #[test]
    fn jitter_stays_between_half_and_whole() {
        for dice in [0.0, 0.3, 1.0, 7.0, -3.0] {
            let (next, _) = next(&BACKOFF, 2, Disposition::Retry, Duration::ZERO, dice);
            let Next::RetryIn(wait) = next else { panic!("stopped") };
            assert!((200..=400).contains(&wait.as_millis()), "{wait:?}");
        }
    }

    #[test]
    fn a_robot_that_is_not_there_is_looked_for_again_soon_however_often_it_was_missed() {
        for failures in [0, 20] {
            let after = next(&BACKOFF, failures, Disposition::Away, Duration::ZERO, 1.0);
            assert_eq!(after, (Next::RetryIn(LOOK_AGAIN), 0));
        }
    }

    #[test]
    fn only_a_peer_that_was_away_is_tried_as_soon_as_it_accepts_connections() {
        assert_eq!(after_probe(true, Reach::Accepts, 0.5), AfterProbe::Attempt);
        assert_eq!(after_probe(false, Reach::Accepts, 1.0), AfterProbe::ProbeIn(PROBE_INTERVAL_REFUSING));
        for was_away in [true, false] {
            let away = |dice| after_probe(was_away, Reach::Away, dice);
            assert_eq!(away(0.0), AfterProbe::ProbeIn(PROBE_INTERVAL_AWAY / 2));
            assert_eq!(away(9.0), AfterProbe::ProbeIn(PROBE_INTERVAL_AWAY));
        }
    }

    #[test]
    fn stops_when_trying_cannot_help() {
        assert_eq!(next(&BACKOFF, 3, Disposition::Stop, Duration::ZERO, 0.5), (Next::Stop, 3));
    }
}
