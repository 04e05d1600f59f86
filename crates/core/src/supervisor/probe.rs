//! The wait for the next attempt at a peer, cut short when a peer that was away is back.
//!
//! ```text
//!            ┌─ accepts: the backoff runs on ──▶ due
//!  probe ──▶ ┤
//!            └─ away: no attempt ──probe──▶ … ──accepts──▶ back
//! ```

use std::time::Duration;

use super::policy::{AfterProbe, Reach, after_probe};
use crate::Clock;

/// A peer whose port can be tried cheaply.
pub trait Probe {
    /// Whether somebody accepts connections there; `None` if that cannot be found out or says nothing. Cancel safe, and takes
    /// seconds at most.
    fn probe(&mut self) -> impl Future<Output = Option<Reach>> + Send;
}

/// Why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The time has come.
    Due,
    /// The peer was away and accepts connections again.
    Back,
}

/// Waits for the next attempt: `wait`, but while the peer is away for as long as that lasts. Cancel safe.
pub async fn until_attempt(clock: Clock, wait: Duration, peer: &mut (impl Probe + Send)) -> Attempt {
    let due = clock.now().after(wait);
    let mut was_away = false;
    loop {
        let began = clock.now();
        let Some(found) = peer.probe().await else {
            clock.sleep_until(due).await;
            return Attempt::Due;
        };
        let AfterProbe::ProbeIn(pause) = after_probe(was_away, found, rand::random()) else {
            return Attempt::Back;
        };
        was_away |= found == Reach::Away;
        let again = began.after(pause);
        if !was_away && due <= again {
            clock.sleep_until(due).await;
            return Attempt::Due;
        }
        clock.sleep_until(again).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::Timestamp;
    use crate::limits::PROBE_INTERVAL_AWAY;

    /// Is away from one moment to another; an attempt at a peer that does not answer takes a while.
    struct Peer {
        clock: Clock,
        away: (Timestamp, Timestamp),
        silent_for: Duration,
        probes: Arc<Mutex<u32>>,
    }

    impl Probe for Peer {
        async fn probe(&mut self) -> Option<Reach> {
            *self.probes.lock().unwrap() += 1;
            let now = self.clock.now();
            if now < self.away.0 || now >= self.away.1 {
                return Some(Reach::Accepts);
            }
            self.clock.sleep(self.silent_for).await;
            Some(Reach::Away)
        }
    }

    const SECOND: Duration = Duration::from_secs(1);

    /// How long a wait is, why it ends, and how many probes it takes.
    async fn waited(wait: u32, away: (u32, u32), silent_for: Duration) -> (Duration, Attempt, u32) {
        let clock = Clock::starting_at(Timestamp::default());
        let (began, probes) = (clock.now(), Arc::new(Mutex::new(0)));
        let away = (began.after(SECOND * away.0), began.after(SECOND * away.1));
        let mut peer = Peer { clock, away, silent_for, probes: probes.clone() };
        let attempt = until_attempt(clock, SECOND * wait, &mut peer).await;
        let count = *probes.lock().unwrap();
        (clock.now().since(began), attempt, count)
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_is_back_is_tried_within_a_second_and_not_before() {
        // One that refuses at once, and one behind a cable that is out.
        for silent_for in [Duration::ZERO, Duration::from_millis(900)] {
            for gone in [1, 33, 3600] {
                let (waited, attempt, _) = waited(30, (0, gone), silent_for).await;
                let late = waited.checked_sub(SECOND * gone).expect("no attempt while it is away");
                assert!(attempt == Attempt::Back && late <= PROBE_INTERVAL_AWAY.max(silent_for), "{late:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_accepts_and_refuses_has_the_whole_backoff() {
        let (waited, attempt, probes) = waited(30, (0, 0), Duration::ZERO).await;
        assert_eq!((waited.as_secs(), attempt), (30, Attempt::Due));
        assert!((15..=31).contains(&probes), "{probes}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_goes_away_in_the_backoff_is_tried_when_it_is_back() {
        let (waited, attempt, _) = waited(30, (4, 8), Duration::ZERO).await;
        assert!(attempt == Attempt::Back && waited <= SECOND * 9, "{waited:?}");
    }
}
