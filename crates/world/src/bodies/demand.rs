//! The demand for a robot's signals: others need not be measured.
//!
//! A state without subscribers is still published once a second, so that lists and late subscribers have a
//! value; a stream (picture, scan, sound, map) without subscribers is not computed.

use latimer_core::model::{Class, Kind, KindSet};

/// Steps between two publications of a state without subscribers: once a second.
const RESTING_PERIOD: u64 = 100;

/// The demand for the signals of one robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    kinds: KindSet,
    streams: u64,
}

impl Demand {
    /// Every kind, but no stream: for a world that is stepped by hand.
    pub const EVERY_KIND: Self = Self { kinds: KindSet::ALL, streams: 0 };

    /// Nothing.
    pub const NOTHING: Self = Self { kinds: KindSet::NONE, streams: 0 };

    /// Some kinds.
    pub const fn of(kinds: KindSet) -> Self {
        Self { kinds, streams: 0 }
    }

    /// The same with one more of the streams that the body lists.
    #[must_use]
    pub const fn with_stream(self, number: usize) -> Self {
        Self { streams: self.streams | 1 << number, ..self }
    }

    /// Whether a kind is subscribed to.
    pub const fn wants(self, kind: Kind) -> bool {
        self.kinds.contains(kind)
    }

    /// Whether one of the streams that the body lists is subscribed to.
    pub const fn wants_stream(self, number: usize) -> bool {
        self.streams >> number & 1 == 1
    }

    /// Whether a kind that is published every `steps` steps is published at this one.
    pub fn is_due(self, kind: Kind, tick: u64, steps: u64) -> bool {
        match (self.wants(kind), kind.class()) {
            (true, _) => tick.is_multiple_of(steps),
            (false, Class::Bulk | Class::Stream) => false,
            (false, Class::State | Class::Event) => tick.is_multiple_of(steps.max(RESTING_PERIOD)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_without_subscribers_are_published_rarely_and_streams_never() {
        let published =
            |demand: Demand, kind| (0..1_000).filter(|tick| demand.is_due(kind, *tick, 5)).count();
        let range: KindSet = [Kind::Range].into_iter().collect();
        assert_eq!(published(Demand::of(range), Kind::Range), 200);
        assert_eq!(published(Demand::of(range), Kind::Imu), 10);
        assert_eq!(published(Demand::of(range), Kind::Scan), 0);
        assert_eq!(published(Demand::EVERY_KIND, Kind::Scan), 200);
        let streams = Demand::NOTHING.with_stream(3);
        assert!(streams.wants_stream(3) && !streams.wants_stream(2));
    }
}
