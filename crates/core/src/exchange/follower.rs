//! A subscription of a reader, and what it remembers of each topic.

use std::sync::Arc;

use foldhash::HashMap;

use super::gate::Gate;
use super::topic::TopicId;
use super::{Pace, Shared, Subscription};
use crate::clock::Timestamp;
use crate::model::Value;

/// A subscription, and what it was delivered last.
pub(super) struct Follower {
    pub(super) subscription: Arc<Subscription>,
    /// Of an interval that applies to the whole subscription.
    gate: Gate,
    topics: HashMap<TopicId, Remembered>,
}

/// What is remembered of a topic.
#[derive(Default)]
struct Remembered {
    /// Of an interval that applies to each key.
    gate: Gate,
    /// Values last delivered, kept only if a condition asks for a change.
    last: Option<Vec<Option<Value>>>,
    /// Sequence last delivered, so that a late joiner gets nothing twice; the first one is 1.
    seen: u64,
}

/// A topic as a subscription knows it.
pub(super) struct OfTopic<'a> {
    pub(super) subscription: &'a Subscription,
    gate: &'a mut Gate,
    last: &'a mut Option<Vec<Option<Value>>>,
    seen: &'a mut u64,
}

impl Follower {
    pub(super) fn new(subscription: Arc<Subscription>) -> Self {
        Self { subscription, gate: Gate::default(), topics: HashMap::default() }
    }

    /// What it knows of a topic: one look for all that an update needs.
    pub(super) fn of_topic(&mut self, topic: TopicId) -> OfTopic<'_> {
        let Self { subscription, gate: shared, topics } = self;
        let Remembered { gate: own, last, seen } = topics.entry(topic).or_default();
        // Without an interval keys never share a gate.
        let is_shared = subscription.pace == Pace::PerSubscription && !subscription.every.is_zero();
        OfTopic { subscription, gate: if is_shared { shared } else { own }, last, seen }
    }

    /// Forgets a topic.
    pub(super) fn forget(&mut self, topic: TopicId) {
        self.topics.remove(&topic);
    }

    /// How many topics it remembers.
    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.topics.len()
    }
}

impl OfTopic<'_> {
    /// Whether an update is newer than what was delivered, can be expressed and fulfils the conditions, which compare with its values from
    /// now on.
    pub(super) fn takes(&mut self, update: &Shared) -> bool {
        if *self.seen >= update.sequence() || !self.subscription.view.knows(update) {
            return false;
        }
        let filter = &self.subscription.filter;
        if filter.conditions().is_empty() {
            return true;
        }
        let values = self.subscription.values(update);
        let holds = filter.holds(&values, self.last.as_deref());
        if holds {
            *self.last = Some(values);
        }
        holds
    }

    /// Whether something may pass now.
    pub(super) fn is_open(&self, now: Timestamp) -> bool {
        self.gate.is_open(self.subscription.every, now)
    }

    /// When something may pass again; `None` if it always may.
    pub(super) fn opens(&self) -> Option<Timestamp> {
        self.gate.opens(self.subscription.every)
    }

    /// An update passes.
    pub(super) fn pass(&mut self, update: &Shared, now: Timestamp) {
        self.gate.pass(now);
        *self.seen = update.sequence();
    }
}
