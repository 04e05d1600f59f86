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

/// How far a robot's clock is from the gateway's, measured from the messages themselves.
///
/// Every message arrives later than it was stamped, by an unknown but positive delay, so the
/// smallest `received - stamped` of a window is the best estimate. Two windows are kept: the one
/// being filled and the last full one, so that a drifting clock is followed.
#[derive(Clone, Debug)]
pub struct Skew {
    window: Duration,
    began: Option<Timestamp>,
    filling_ns: Option<i64>,
    full_ns: Option<i64>,
}

impl Default for Skew {
    fn default() -> Self {
        Self { window: Duration::from_secs(30), began: None, filling_ns: None, full_ns: None }
    }
}

impl Skew {
    /// Takes one message into account; stamps of the gateway's own clock are skipped.
    pub fn observe(&mut self, stamp: Stamp, received: Timestamp) {
        if stamp.clock == ClockSource::Gateway {
            return;
        }
        let lag_ns = received.as_nanos().saturating_sub(stamp.at.as_nanos());
        match self.began {
            Some(began) if received.since(began) < self.window => {
                self.filling_ns = Some(self.filling_ns.map_or(lag_ns, |least| least.min(lag_ns)));
            }
            _ => {
                self.full_ns = self.filling_ns.or(self.full_ns);
                self.began = Some(received);
                self.filling_ns = Some(lag_ns);
            }
        }
    }

    /// Gateway clock minus robot clock in seconds; `None` until the robot gave a time.
    pub fn seconds(&self) -> Option<f64> {
        let least = match (self.filling_ns, self.full_ns) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b)?,
        };
        Some(least as f64 / 1e9)
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
        assert_eq!(skew.seconds(), None);
        for (sent, received) in [(0, 5_040), (100, 5_103), (200, 5_290)] {
            skew.observe(Stamp::robot(at(sent)), at(received));
        }
        assert_eq!(skew.seconds(), Some(5.003));
        // The robot's clock was set right: after two windows nothing of the old skew is left.
        for minute in 1..4 {
            skew.observe(Stamp::robot(at(minute * 60_000)), at(minute * 60_000 + 2));
        }
        assert_eq!(skew.seconds(), Some(0.002));
    }

    #[test]
    fn ignores_our_own_stamps() {
        let mut skew = Skew::default();
        skew.observe(Stamp::gateway(at(1)), at(9));
        assert_eq!(skew.seconds(), None);
    }
}
