//! Totals by dialect: what its sinks got, missed and lost, and what it costs to encode for them.
//!
//! A sink counts for itself. What it counted is added to its dialect's total when it goes, so that
//! totals never fall and publishing stays as fast.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use super::EndReason;
use super::counters::SinkCounters;
use super::mailbox::Mailbox;
use crate::clock::{Clock, Timestamp};

/// Upper bounds of the first [`EncodeTimes::counts`]; the last one has none.
pub const ENCODE_BOUNDS: [Duration; 11] = [
    Duration::from_micros(5),
    Duration::from_micros(10),
    Duration::from_micros(25),
    Duration::from_micros(50),
    Duration::from_micros(100),
    Duration::from_micros(250),
    Duration::from_micros(500),
    Duration::from_millis(1),
    Duration::from_millis(5),
    Duration::from_millis(25),
    Duration::from_millis(100),
];

/// What the sinks of one dialect got, those that are gone included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialectTotals {
    /// The dialect or service, e.g. `api`.
    pub dialect: &'static str,
    /// Sinks there are now.
    pub sinks: usize,
    /// Updates that wait in their mailboxes now.
    pub waiting: usize,
    /// Updates handed over.
    pub delivered: u64,
    /// States and frames replaced by newer ones before they were read.
    pub coalesced: u64,
    /// Events held back by a subscription's interval, as it asked.
    pub debounced: u64,
    /// Updates lost because a queue was full.
    pub lost_queue_full: u64,
    /// Updates lost because more keys changed than a mailbox holds.
    pub lost_too_many_keys: u64,
    /// Sinks that were let go because they did not read.
    pub ended_too_slow: u64,
    /// How long encoding took.
    pub encodes: EncodeTimes,
}

/// How long it took to derive the forms of updates; a form made of another counts that one's time too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodeTimes {
    /// How many took at most as long as the bound of the same place in [`ENCODE_BOUNDS`] and longer
    /// than the one before; the last are those above all bounds.
    pub counts: [u64; ENCODE_BOUNDS.len() + 1],
    /// All of them together.
    pub sum: Duration,
}

/// The sinks of a dialect that are there, and the figures of those that went.
#[derive(Default)]
struct Members {
    present: Vec<Arc<Mailbox>>,
    gone: DialectTotals,
}

#[derive(Default)]
struct EncodeMeter {
    counts: [AtomicU64; ENCODE_BOUNDS.len() + 1],
    nanos: AtomicU64,
}

/// Counts by dialect.
pub(super) struct Meter {
    clock: Clock,
    members: Mutex<BTreeMap<&'static str, Members>>,
    /// Few dialects, so that looking one up is comparing a few short words.
    encodes: ArcSwap<Vec<(&'static str, Arc<EncodeMeter>)>>,
}

impl Meter {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, members: Mutex::default(), encodes: ArcSwap::default() }
    }

    fn members(&self) -> MutexGuard<'_, BTreeMap<&'static str, Members>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A sink comes.
    pub(super) fn enter(&self, dialect: &'static str, mailbox: &Arc<Mailbox>) {
        self.members().entry(dialect).or_default().present.push(mailbox.clone());
    }

    /// A sink goes; what it counted stays.
    pub(super) fn leave(&self, dialect: &'static str, mailbox: &Arc<Mailbox>) {
        let mut members = self.members();
        let Some(Members { present, gone }) = members.get_mut(dialect) else { return };
        if let Some(at) = present.iter().position(|known| Arc::ptr_eq(known, mailbox)) {
            present.swap_remove(at);
            gone.add(mailbox);
        }
    }

    /// Something was encoded for a dialect.
    pub(super) fn encoded(&self, dialect: &'static str, since: Timestamp) {
        let took = self.clock.now().since(since);
        let known = self.encodes.load();
        match known.iter().find(|(known, _)| *known == dialect) {
            Some((_, meter)) => meter.count(took),
            None => self.add_dialect(dialect).count(took),
        }
    }

    fn add_dialect(&self, dialect: &'static str) -> Arc<EncodeMeter> {
        let _changing = self.members();
        let mut encodes = Vec::clone(&self.encodes.load());
        if let Some((_, meter)) = encodes.iter().find(|(known, _)| *known == dialect) {
            return meter.clone();
        }
        let meter = Arc::new(EncodeMeter::default());
        encodes.push((dialect, meter.clone()));
        self.encodes.store(Arc::new(encodes));
        meter
    }

    /// The totals, by dialect.
    pub(super) fn totals(&self) -> Vec<DialectTotals> {
        // Conditions may encode for a dialect that is new here, which takes the same lock.
        let present: Vec<_> = self.members().values().flat_map(|it| it.present.clone()).collect();
        present.iter().for_each(|mailbox| mailbox.settle(self.clock.now()));
        let mut totals: BTreeMap<&'static str, DialectTotals> = BTreeMap::new();
        for (dialect, Members { present, gone }) in &*self.members() {
            let mut sum = DialectTotals { sinks: present.len(), ..gone.clone() };
            for mailbox in present {
                sum.add(mailbox);
                sum.waiting += mailbox.waiting();
            }
            totals.insert(dialect, sum);
        }
        for (dialect, meter) in self.encodes.load().iter() {
            totals.entry(dialect).or_default().encodes = meter.times();
        }
        totals.into_iter().map(|(dialect, totals)| DialectTotals { dialect, ..totals }).collect()
    }
}

impl DialectTotals {
    fn add(&mut self, mailbox: &Mailbox) {
        let SinkCounters { delivered, coalesced, debounced, lost: _, queue_full, too_many_keys } =
            &mailbox.counters;
        self.delivered += delivered.load(Ordering::Relaxed);
        self.coalesced += coalesced.load(Ordering::Relaxed);
        self.debounced += debounced.load(Ordering::Relaxed);
        self.lost_queue_full += queue_full.load(Ordering::Relaxed);
        self.lost_too_many_keys += too_many_keys.load(Ordering::Relaxed);
        self.ended_too_slow += u64::from(matches!(mailbox.ended(), Some(EndReason::TooSlow { .. })));
    }
}

impl EncodeMeter {
    fn count(&self, took: Duration) {
        let place = ENCODE_BOUNDS.partition_point(|bound| *bound < took);
        self.counts[place].fetch_add(1, Ordering::Relaxed);
        self.nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn times(&self) -> EncodeTimes {
        EncodeTimes {
            counts: std::array::from_fn(|place| self.counts[place].load(Ordering::Relaxed)),
            sum: Duration::from_nanos(self.nanos.load(Ordering::Relaxed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_counts_below_the_first_bound_that_it_keeps() {
        let meter = EncodeMeter::default();
        for micros in [0, 5, 6, 1_000_000] {
            meter.count(Duration::from_micros(micros));
        }
        let EncodeTimes { counts, sum } = meter.times();
        assert_eq!((counts[0], counts[1], counts[ENCODE_BOUNDS.len()]), (2, 1, 1));
        assert_eq!(sum, Duration::from_micros(1_000_011));
    }
}
