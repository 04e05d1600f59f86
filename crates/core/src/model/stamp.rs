//! Two clocks: the robot's stamp of an event, and the gateway's time of reception.

use std::time::Duration;

use crate::clock::Timestamp;

/// Whose clock a stamp was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockSource {
    /// The robot's own wall clock, which may be wrong by hours.
    Robot,
    /// The gateway's clock, for a message that carries no time.
    Gateway,
}

/// When something happened, and by which clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The moment, as that clock showed it.
    pub at: Timestamp,
    /// Which clock that was.
    pub clock: ClockSource,
}

impl Stamp {
    /// A moment read from the robot's message.
    pub fn robot(at: Timestamp) -> Self {
        Self { at, clock: ClockSource::Robot }
    }

    /// The moment of arrival, for a message without a time of its own.
    pub fn gateway(at: Timestamp) -> Self {
        Self { at, clock: ClockSource::Gateway }
    }
}

/// The coarsest resolution that stamps are taken to have, nanoseconds.
const COARSEST_NS: i64 = 1_000_000_000;

/// How far a robot's clock is from the gateway's, measured from the messages themselves.
///
/// Every message arrives later than it was stamped, by an unknown but positive delay, so the
/// smallest `received - stamped` of a window is the best estimate: the way of its message is taken for none. A clock of whole seconds was anywhere within
/// the second that its stamp shows, so that the estimate is an interval as wide as the resolution, which the stamps show
/// themselves. Two windows are kept: the one being filled and the last full one, so that a drifting clock is followed.
#[derive(Clone, Debug)]
pub struct Skew {
    window: Duration,
    began: Option<Timestamp>,
    filling: Option<Lag>,
    full: Option<Lag>,
}

/// What the messages of a window show.
#[derive(Clone, Copy, Debug)]
struct Lag {
    /// The smallest `received - stamped`.
    least_ns: i64,
    /// The greatest power of ten that divides all stamps.
    resolution_ns: i64,
}

impl Lag {
    fn of(stamped: Timestamp, received: Timestamp) -> Self {
        let least_ns = received.as_nanos().saturating_sub(stamped.as_nanos());
        let mut resolution_ns = COARSEST_NS;
        while stamped.as_nanos() % resolution_ns != 0 {
            resolution_ns /= 10;
        }
        Self { least_ns, resolution_ns }
    }

    fn with(self, other: Self) -> Self {
        Self {
            least_ns: self.least_ns.min(other.least_ns),
            resolution_ns: self.resolution_ns.min(other.resolution_ns),
        }
    }
}

impl Default for Skew {
    fn default() -> Self {
        Self { window: Duration::from_secs(30), began: None, filling: None, full: None }
    }
}

impl Skew {
    /// Takes one message into account; stamps of the gateway's own clock are skipped.
    pub fn observe(&mut self, stamp: Stamp, received: Timestamp) {
        if stamp.clock == ClockSource::Gateway {
            return;
        }
        let lag = Lag::of(stamp.at, received);
        match self.began {
            Some(began) if received.since(began) < self.window => {
                self.filling = Some(self.filling.map_or(lag, |known| known.with(lag)));
            }
            _ => {
                self.full = self.filling.or(self.full);
                self.began = Some(received);
                self.filling = Some(lag);
            }
        }
    }

    /// Gateway clock minus robot clock in seconds, at least and at most; `None` until the robot gave a time.
    pub fn interval_s(&self) -> Option<(f64, f64)> {
        let Lag { least_ns, resolution_ns } = match (self.filling, self.full) {
            (Some(a), Some(b)) => a.with(b),
            (a, b) => a.or(b)?,
        };
        Some((least_ns.saturating_sub(resolution_ns) as f64 / 1e9, least_ns as f64 / 1e9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn takes_the_fastest_message_and_follows_drift() {
        let mut skew = Skew::default();
        assert_eq!(skew.interval_s(), None);
        for (sent, received) in [(1, 5_041), (101, 5_104), (201, 5_291)] {
            skew.observe(Stamp::robot(at(sent)), at(received));
        }
        assert_eq!(skew.interval_s(), Some((5.002, 5.003)));
        // The robot's clock was set right: after two windows nothing of the old skew is left.
        for minute in 1..4 {
            skew.observe(Stamp::robot(at(minute * 60_000 + 1)), at(minute * 60_000 + 3));
        }
        assert_eq!(skew.interval_s(), Some((0.001, 0.002)));
    }

    /// What is measured of a clock that is slow by `skew` ms and shows steps of `step` ms, by messages that take 0 or 5 ms.
    fn measured(skew_ms: i64, step_ms: i64) -> (f64, f64) {
        let mut skew = Skew::default();
        for sent in (0..20_000).step_by(370) {
            let shown = (sent - skew_ms).div_euclid(step_ms) * step_ms;
            skew.observe(Stamp::robot(at(shown)), at(sent + sent / 370 % 2 * 5));
        }
        skew.interval_s().unwrap()
    }

    #[test]
    fn a_clock_of_whole_seconds_has_an_interval_that_holds_the_skew() {
        for (skew_ms, step_ms) in [(0, 1_000), (400, 1_000), (-7_250, 1_000), (40, 100), (3, 1)] {
            let (least, most) = measured(skew_ms, step_ms);
            let skew_s = skew_ms as f64 / 1e3;
            assert!(least <= skew_s && skew_s <= most, "{skew_s} is not between {least} and {most}");
            let width = most - least - step_ms as f64 / 1e3;
            assert!(width.abs() < 1e-9, "as wide as a step");
        }
    }

    #[test]
    fn ignores_our_own_stamps() {
        let mut skew = Skew::default();
        skew.observe(Stamp::gateway(at(1)), at(9));
        assert_eq!(skew.interval_s(), None);
    }
}
