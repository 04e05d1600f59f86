//! The reading end of a mailbox: which subscription gets which update, and when.
//!
//! ```text
//!                                      ┌ state: latest per (subscription, key), due when its gate opens ┐
//!                                      │        or a queue of its own if `every_change` is set        │
//! take_in() ──▶ backlog ──evaluate()──▶┤ event: queue, never coalesced; what is lost becomes a Gap      ├──▶ drain()
//!                                      ├ bulk:  newest frame per (subscription, key)                    ┤
//!                                      └ stream: queue, a short one; what is lost becomes a Gap        ┘
//! ```
//!
//! Each class has a bound of its own, so a flood of one does not displace another. All methods take the time and never wait;
//! a long backlog is evaluated in turns, so that other tasks of the same worker go on in between.
//!
//! What is known of a topic is forgotten after it has gone ([`TopicIndex`]).

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::key_expression::KeyExpression;
use foldhash::HashMap;
use indexmap::IndexMap;

use super::counters::SinkCounters;
use super::follower::Follower;
use super::inbox::{Inbox, Lost, Newest};
use super::topic::TopicId;
use super::topic_index::TopicIndex;
use super::{Delivery, Gap, GapReason, MailboxLimits, Shared, Subscription, SubscriptionId, Viewer};
use crate::clock::Timestamp;
use crate::model::{Class, RobotId};

/// Updates that a queue keeps room for once it is read.
const KEPT: usize = 16;

/// Where something waits: a subscription, and the key.
type Slot = (SubscriptionId, TopicId);

struct Waiting {
    update: Arc<Shared>,
    /// Already delivered once and waiting to be repeated.
    again: bool,
}

/// An update whose views and conditions are not evaluated yet.
struct Unevaluated {
    update: Arc<Shared>,
    /// The subscriptions that selected its topic when it was taken in.
    by: Arc<Vec<SubscriptionId>>,
    /// How many of them are evaluated.
    evaluated: usize,
}

/// The subscriptions of one sink, and the updates that wait until they are due.
pub(super) struct Reader {
    limits: MailboxLimits,
    followers: HashMap<SubscriptionId, Follower>,
    /// Followers remember no other topics.
    topics: TopicIndex,
    backlog: VecDeque<Unevaluated>,
    state: IndexMap<Slot, Waiting>,
    bulk: IndexMap<Slot, Waiting>,
    events: Vec<(SubscriptionId, Arc<Shared>)>,
    changes: Vec<(SubscriptionId, Arc<Shared>)>,
    frames: Vec<(SubscriptionId, Arc<Shared>)>,
    gaps: IndexMap<(SubscriptionId, RobotId, GapReason), Gap>,
}

impl Reader {
    pub(super) fn new(limits: MailboxLimits, viewer: Option<Viewer>) -> Self {
        Self::of(limits, TopicIndex::new(viewer, limits.keys))
    }

    fn of(limits: MailboxLimits, topics: TopicIndex) -> Self {
        Self {
            limits,
            followers: HashMap::default(),
            topics,
            backlog: VecDeque::new(),
            state: IndexMap::new(),
            bulk: IndexMap::new(),
            events: Vec::new(),
            changes: Vec::new(),
            frames: Vec::new(),
            gaps: IndexMap::new(),
        }
    }

    pub(super) fn follow(&mut self, id: SubscriptionId, subscription: Arc<Subscription>) {
        self.topics.follow(id, &subscription);
        self.followers.insert(id, Follower::new(subscription));
    }

    /// Ends a subscription, and drops what waits of it; the one that ended.
    pub(super) fn unfollow(&mut self, id: SubscriptionId) -> Option<Arc<Subscription>> {
        let Follower { subscription, .. } = self.followers.remove(&id)?;
        self.topics.unfollow(id);
        self.state.retain(|(owner, _), _| *owner != id);
        self.bulk.retain(|(owner, _), _| *owner != id);
        self.events.retain(|(owner, _)| *owner != id);
        self.changes.retain(|(owner, _)| *owner != id);
        self.frames.retain(|(owner, _)| *owner != id);
        self.gaps.retain(|(owner, _, _), _| *owner != id);
        Some(subscription)
    }

    /// Ends every subscription; those that ended.
    pub(super) fn clear(&mut self) -> Vec<Arc<Subscription>> {
        let ended = Self::of(self.limits, self.topics.cleared());
        let followers = std::mem::replace(self, ended).followers;
        followers.into_values().map(|follower| follower.subscription).collect()
    }

    pub(super) fn subscriptions(&self) -> Vec<(SubscriptionId, Arc<Subscription>)> {
        let mut all: Vec<_> =
            self.followers.iter().map(|(id, follower)| (*id, follower.subscription.clone())).collect();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    /// How many updates wait; those that were delivered and are repeated do not.
    pub(super) fn waiting(&self) -> usize {
        let fresh = |pending: &IndexMap<Slot, Waiting>| pending.values().filter(|it| !it.again).count();
        let queued = self.events.len() + self.changes.len() + self.frames.len();
        self.backlog.len() + queued + fresh(&self.state) + fresh(&self.bulk)
    }

    /// Whether anything waits, also what is repeated.
    pub(super) fn is_waiting(&self) -> bool {
        let queues = [&self.events, &self.changes, &self.frames];
        let latest = [&self.state, &self.bulk];
        self.has_backlog() || queues.iter().any(|it| !it.is_empty()) || latest.iter().any(|it| !it.is_empty())
    }

    /// Drops what is queued.
    pub(super) fn discard(&mut self) {
        (self.state, self.bulk) = (IndexMap::new(), IndexMap::new());
        (self.events, self.changes, self.frames) = (Vec::new(), Vec::new(), Vec::new());
        self.backlog = VecDeque::new();
    }

    /// Whether updates wait for [`Self::evaluate`].
    pub(super) fn has_backlog(&self) -> bool {
        !self.backlog.is_empty()
    }

    /// Puts what came behind the backlog; subscriptions that begin later do not get it.
    pub(super) fn take_in(&mut self, came: Inbox, now: Timestamp, counters: &SinkCounters) {
        let Inbox { events, states, frames, newest_states, newest_bulk, lost, silences, .. } = came;
        for update in events.into_iter().chain(states).chain(frames) {
            self.enqueue(update);
        }
        for Newest { update, skipped } in newest_states.into_values().chain(newest_bulk.into_values()) {
            counters.coalesced.fetch_add(skipped, Ordering::Relaxed);
            if skipped > 0 {
                self.report_skipped(&update, skipped, now);
            }
            self.enqueue(update);
        }
        for ((robot, kind, reason), Lost { count, since }) in lost {
            for id in self.touching(&format!("{robot}/{kind}/**")) {
                let gap = self.gap(id, &robot, reason, since);
                gap.kind.get_or_insert(kind);
                *gap.lost.get_or_insert(0) += count;
            }
        }
        for (robot, since) in silences {
            for id in self.touching(&format!("{robot}/**")) {
                let gap = self.gap(id, &robot, GapReason::LinkLost, now);
                gap.from = gap.from.min(since);
            }
        }
    }

    /// Subscriptions that select anything below a key expression.
    fn touching(&self, below: &str) -> Vec<SubscriptionId> {
        let Ok(below) = KeyExpression::new(below) else { return Vec::new() };
        if !self.topics.sees_below(below.as_key()) {
            return Vec::new();
        }
        let touches = |follower: &Follower| follower.subscription.select.touches(below.as_key());
        self.followers.iter().filter(|(_, it)| touches(it)).map(|(id, _)| *id).collect()
    }

    /// Reports skipped changes to subscriptions to every change.
    fn report_skipped(&mut self, update: &Shared, skipped: u64, now: Timestamp) {
        if update.kind().class() != Class::State {
            return;
        }
        for &id in self.topics.selecting(&self.followers, update).iter() {
            if self.followers.get(&id).is_some_and(|it| it.subscription.every_change) {
                let gap = self.gap(id, &update.robot, GapReason::QueueFull, now);
                gap.kind.get_or_insert(update.kind());
                *gap.lost.get_or_insert(0) += skipped;
            }
        }
    }

    fn enqueue(&mut self, update: Arc<Shared>) {
        let by = self.topics.selecting(&self.followers, &update);
        if !by.is_empty() {
            self.backlog.push_back(Unevaluated { update, by, evaluated: 0 });
        }
    }

    /// Offers updates of the backlog to at most `most` subscriptions, oldest update first.
    pub(super) fn evaluate(&mut self, mut most: usize, counters: &SinkCounters) {
        while most > 0
            && let Some(mut next) = self.backlog.pop_front()
        {
            let turn = next.by.iter().skip(next.evaluated).take(most);
            turn.for_each(|id| self.offer(*id, &next.update, counters));
            let evaluated = next.evaluated.saturating_add(most).min(next.by.len());
            most -= evaluated - next.evaluated;
            next.evaluated = evaluated;
            if evaluated < next.by.len() {
                self.backlog.push_front(next);
            }
        }
        if self.backlog.is_empty() {
            let waiting = self.state.keys().chain(self.bulk.keys()).map(|(_, topic)| *topic);
            for topic in self.topics.forget(waiting) {
                self.followers.values_mut().for_each(|follower| follower.forget(topic));
            }
        }
    }

    /// How many topics are known, and how many each subscription remembers.
    #[cfg(test)]
    pub(super) fn known(&self) -> (usize, Vec<usize>) {
        (self.topics.len(), self.followers.values().map(Follower::remembered).collect())
    }

    /// Gives a subscription the value that a topic had before it.
    pub(super) fn offer_last(&mut self, id: SubscriptionId, last: &Arc<Shared>, counters: &SinkCounters) {
        if self.topics.selecting(&self.followers, last).contains(&id) {
            self.offer(id, last, counters);
        }
    }

    /// Takes an update that the subscription selects; views, conditions and intervals are applied here.
    fn offer(&mut self, id: SubscriptionId, update: &Arc<Shared>, counters: &SinkCounters) {
        // Intervals between events count from when they were published, however late they are read.
        let Some((topic, now)) = update.topic().map(|(topic, published)| (topic.id, published)) else {
            return;
        };
        let Some(follower) = self.followers.get_mut(&id) else { return };
        let mut of_topic = follower.of_topic(topic);
        if !of_topic.takes(update) {
            return;
        }
        let class = update.kind().class();
        let queue = match class {
            Class::Event => Some((&mut self.events, self.limits.events)),
            Class::State if of_topic.subscription.every_change => {
                Some((&mut self.changes, self.limits.events))
            }
            Class::Stream => Some((&mut self.frames, self.limits.frames)),
            Class::State | Class::Bulk => None,
        };
        let lost = match queue {
            Some((queue, most)) => {
                if !of_topic.is_open(now) {
                    counters.debounced.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                of_topic.pass(update, now);
                if queue.len() < most {
                    queue.push((id, update.clone()));
                    None
                } else {
                    Some(GapReason::QueueFull)
                }
            }
            None => {
                let pending = if class == Class::Bulk { &mut self.bulk } else { &mut self.state };
                let slot = (id, topic);
                let full = pending.len() >= self.limits.keys;
                match pending.get_mut(&slot) {
                    Some(waiting) => {
                        if waiting.update.sequence() >= update.sequence() {
                            return;
                        }
                        if !waiting.again {
                            counters.coalesced.fetch_add(1, Ordering::Relaxed);
                        }
                        *waiting = Waiting { update: update.clone(), again: false };
                        None
                    }
                    None if full => Some(GapReason::TooManyKeys),
                    None => {
                        pending.insert(slot, Waiting { update: update.clone(), again: false });
                        None
                    }
                }
            }
        };
        if let Some(reason) = lost {
            counters.lose(reason);
            let gap = self.gap(id, &update.robot, reason, now);
            gap.kind.get_or_insert(update.kind());
            *gap.lost.get_or_insert(0) += 1;
        }
    }

    fn gap(&mut self, id: SubscriptionId, robot: &RobotId, reason: GapReason, from: Timestamp) -> &mut Gap {
        self.gaps.entry((id, robot.clone(), reason)).or_insert_with(|| Gap {
            subscription: id,
            robot: robot.clone(),
            kind: None,
            lost: None,
            reason,
            from,
            to: from,
        })
    }

    /// Moves all that is due into `out`; returns when something more is due, if anything waits.
    pub(super) fn drain(
        &mut self,
        now: Timestamp,
        out: &mut Vec<Delivery>,
        counters: &SinkCounters,
    ) -> Option<Timestamp> {
        let before = out.len();
        let queued = self.events.drain(..).chain(self.changes.drain(..)).chain(self.frames.drain(..));
        out.extend(queued.map(|(id, update)| Delivery::Update(id, update)));
        // A reader that was behind once does not keep the room for that.
        for queue in [&mut self.events, &mut self.changes, &mut self.frames] {
            queue.shrink_to(KEPT);
        }
        if self.backlog.is_empty() {
            self.backlog.shrink_to(KEPT);
        }
        let next_state = drain_due(&mut self.state, &mut self.followers, now, out);
        let next_bulk = drain_due(&mut self.bulk, &mut self.followers, now, out);
        counters.delivered.fetch_add((out.len() - before) as u64, Ordering::Relaxed);
        out.extend(self.gaps.drain(..).map(|(_, gap)| Delivery::Gap(Gap { to: now, ..gap })));
        next_state.into_iter().chain(next_bulk).min()
    }
}

/// Moves what is due into `out`, what has waited longest first: keys that share an interval take turns.
fn drain_due(
    pending: &mut IndexMap<Slot, Waiting>,
    followers: &mut HashMap<SubscriptionId, Follower>,
    now: Timestamp,
    out: &mut Vec<Delivery>,
) -> Option<Timestamp> {
    let mut next: Option<Timestamp> = None;
    pending.retain(|(id, topic), waiting| {
        let is_gone = |update: &Shared| update.topic().is_some_and(|(topic, _)| topic.is_gone());
        if waiting.again && is_gone(&waiting.update) {
            return false;
        }
        let Some(follower) = followers.get_mut(id) else { return false };
        let mut of_topic = follower.of_topic(*topic);
        if !of_topic.is_open(now) {
            next = next.into_iter().chain(of_topic.opens()).min();
            return true;
        }
        of_topic.pass(&waiting.update, now);
        out.push(Delivery::Update(*id, waiting.update.clone()));
        let Subscription { every, repeat, .. } = *of_topic.subscription;
        waiting.again = repeat && !every.is_zero();
        if waiting.again {
            next = next.into_iter().chain(of_topic.opens()).min();
        }
        waiting.again
    });
    next
}
