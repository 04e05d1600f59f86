//! The topics that a reader has met, and which of its subscriptions select each.
//!
//! ```text
//!            first update                 at a look: gone       the inbox was taken once more, and is evaluated
//! unknown ────────────────▶ known ─────────────────────▶ leaving ────────────────────────────────────────▶ unknown
//!                             ▲                             │ something of it waits
//!                             └─────────────────────────────┘
//! ```
//!
//! Nobody reports to a reader that a robot has left. It looks which topics are gone when it knows twice as many as there were after the
//! look before, so a look costs each topic the same however many there are.

use std::sync::Arc;

use crate::key_expression::Key;
use foldhash::{HashMap, HashSet};

use super::follower::Follower;
use super::topic::{TopicId, TopicName};
use super::{Shared, Subscription, SubscriptionId, Viewer};
use crate::access::Grants;

/// A topic that was met, and the subscriptions that select it.
struct Known {
    topic: Arc<TopicName>,
    by: Arc<Vec<SubscriptionId>>,
}

/// Topics of one reader.
pub(super) struct TopicIndex {
    /// The client, if its roles limit what it sees, and the grants that `known` was made with.
    viewer: Option<(Viewer, Arc<Grants>)>,
    known: HashMap<TopicId, Known>,
    /// Fewer than these are never looked at.
    least: usize,
    /// How many are known at the next look.
    look_at: usize,
    leaving: Vec<TopicId>,
}

impl TopicIndex {
    /// For a reader of which so many keys may wait.
    pub(super) fn new(viewer: Option<Viewer>, keys: usize) -> Self {
        let viewer = viewer.map(|viewer| {
            let grants = viewer.caller.grants();
            (viewer, grants)
        });
        let least = 2 * keys;
        Self { viewer, known: HashMap::default(), least, look_at: least, leaving: Vec::new() }
    }

    /// The same without topics.
    pub(super) fn cleared(&mut self) -> Self {
        Self::new(self.viewer.take().map(|(viewer, _)| viewer), self.least / 2)
    }

    /// Whether the client sees anything below a key expression.
    pub(super) fn sees_below(&self, below: Key<'_>) -> bool {
        self.viewer.as_ref().is_none_or(|(viewer, _)| viewer.sees_below(below))
    }

    /// Adds a subscription.
    pub(super) fn follow(&mut self, id: SubscriptionId, subscription: &Subscription) {
        for known in self.known.values_mut() {
            if selects(&self.viewer, subscription, &known.topic) {
                Arc::make_mut(&mut known.by).push(id);
            }
        }
    }

    /// Takes out a subscription.
    pub(super) fn unfollow(&mut self, id: SubscriptionId) {
        for known in self.known.values_mut().filter(|known| known.by.contains(&id)) {
            Arc::make_mut(&mut known.by).retain(|by| *by != id);
        }
    }

    /// The subscriptions that select an update's topic, oldest first.
    pub(super) fn selecting(
        &mut self,
        followers: &HashMap<SubscriptionId, Follower>,
        update: &Shared,
    ) -> Arc<Vec<SubscriptionId>> {
        let Some((topic, _)) = update.topic() else { return Arc::default() };
        if let Some((viewer, grants)) = &mut self.viewer {
            let now = viewer.caller.grants();
            if !Arc::ptr_eq(grants, &now) {
                *grants = now;
                for known in self.known.values_mut() {
                    known.by = selecting(&self.viewer, followers, &known.topic);
                }
            }
        }
        let viewer = &self.viewer;
        let new = || Known { topic: topic.clone(), by: selecting(viewer, followers, topic) };
        self.known.entry(topic.id).or_insert_with(new).by.clone()
    }

    /// Topics to forget, which are no longer known here. Called when all that was taken in is evaluated, with the topics of which something
    /// waits: until it was called twice, updates of a topic that is gone may be in the inbox.
    pub(super) fn forget(&mut self, waiting: impl Iterator<Item = TopicId>) -> Vec<TopicId> {
        let mut left = std::mem::take(&mut self.leaving);
        if left.is_empty() {
            if self.known.len() < self.look_at {
                return left;
            }
            let gone = self.known.iter().filter(|(_, known)| known.topic.is_gone());
            self.leaving = gone.map(|(topic, _)| *topic).collect();
        } else {
            let waiting: HashSet<TopicId> = waiting.collect();
            left.retain(|topic| !waiting.contains(topic) && self.known.remove(topic).is_some());
        }
        if self.leaving.is_empty() {
            self.look_at = self.least.max(2 * self.known.len());
        }
        left
    }

    /// How many are known.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }
}

/// The subscriptions that select a topic, oldest first.
fn selecting(
    viewer: &Option<(Viewer, Arc<Grants>)>,
    followers: &HashMap<SubscriptionId, Follower>,
    topic: &TopicName,
) -> Arc<Vec<SubscriptionId>> {
    let selecting = followers.iter().filter(|(_, it)| selects(viewer, &it.subscription, topic));
    let mut by: Vec<_> = selecting.map(|(id, _)| *id).collect();
    by.sort();
    Arc::new(by)
}

/// Whether a subscription selects a topic that its reader may see and its view can express anything of.
fn selects(viewer: &Option<(Viewer, Arc<Grants>)>, subscription: &Subscription, topic: &TopicName) -> bool {
    viewer.as_ref().is_none_or(|(viewer, _)| viewer.sees(topic.key.as_key()))
        && subscription.select.includes(topic.key.as_key())
        && subscription.view.covers(topic.kind, topic.part.as_ref())
}
