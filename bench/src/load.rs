//! What subscribers write down, and what follows from it.

use std::collections::BTreeSet;
use std::ops::Range;

use latimer_core::Timestamp;

/// What one subscriber heard: when an event was made and when it was read.
#[derive(Debug, Default)]
pub(crate) struct Heard(Vec<(Timestamp, Timestamp)>);

impl Heard {
    /// Writes down one event.
    pub(crate) fn note(&mut self, created: Timestamp, read: Timestamp) {
        self.0.push((created, read));
    }

    /// All events: when each was made, and when it was read.
    pub(crate) fn into_events(self) -> impl Iterator<Item = (Timestamp, Timestamp)> {
        self.0.into_iter()
    }
}

/// The figures of one run.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// Events that the source made in the measured time.
    pub(crate) events: usize,
    /// Messages read by all subscribers, each second.
    pub(crate) delivered_per_s: f64,
    /// Messages that a subscriber did not get though others did.
    pub(crate) lost: usize,
    /// Half of the messages came within this, milliseconds.
    pub(crate) p50_ms: f64,
    /// 99 of 100 came within this, milliseconds.
    pub(crate) p99_ms: f64,
    /// The slowest, milliseconds.
    pub(crate) max_ms: f64,
    /// Memory of the server at the end, bytes.
    pub(crate) resident_bytes: u64,
}

impl Figures {
    /// Counts what was read within `measured`; events are those that were made then, and that anybody heard of.
    pub(crate) fn of(received: &[Heard], measured: &Range<Timestamp>, resident_bytes: u64) -> Self {
        let within = |one: &Heard| -> Vec<(Timestamp, Timestamp)> {
            one.0.iter().copied().filter(|(created, _)| measured.contains(created)).collect()
        };
        let read = received.iter().flat_map(|one| &one.0).filter(|(_, read)| measured.contains(read)).count();
        let received: Vec<_> = received.iter().map(within).collect();
        let events: BTreeSet<Timestamp> = received.iter().flatten().map(|(created, _)| *created).collect();
        let lost = received.iter().map(|one| {
            let distinct: BTreeSet<_> = one.iter().map(|(created, _)| created).collect();
            events.len() - distinct.len()
        });
        let lost = lost.sum();
        let mut latencies_ms: Vec<f64> = received
            .iter()
            .flatten()
            .map(|(created, read)| read.since(*created).as_secs_f64() * 1e3)
            .collect();
        latencies_ms.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (latencies_ms.len() as f64 * share) as usize;
            latencies_ms.get(index.min(latencies_ms.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
        };
        Self {
            events: events.len(),
            delivered_per_s: read as f64 / measured.end.since(measured.start).as_secs_f64(),
            lost,
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            max_ms: at(1.0),
            resident_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_nanos(ms * 1_000_000)
    }

    #[test]
    fn what_one_missed_and_another_heard_is_lost() {
        let mut received = [Heard::default(), Heard::default()];
        for i in 0..10 {
            received[0].note(at(i * 100), at(i * 100 + 1));
            if i != 3 {
                received[1].note(at(i * 100), at(i * 100 + 5));
            }
        }
        let figures = Figures::of(&received, &(at(100)..at(900)), 0);
        assert_eq!((figures.events, figures.lost), (8, 1));
        assert_eq!((figures.max_ms, figures.p50_ms), (5.0, 1.0));
        assert_eq!(figures.delivered_per_s, 15.0 / 0.8);
    }
}
