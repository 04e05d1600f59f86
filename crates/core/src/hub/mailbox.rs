//! A sink's mailbox: where updates wait until the sink reads them, bounded in every class.
//!
//! ```text
//!             ┌ state: latest per (subscription, key), due when its gate opens ┐
//!             │        or a queue of its own for who asked for every change    │
//! offer() ──▶ ┤ event: queue, never coalesced; what is lost becomes a Gap      ├──▶ drain()
//!             └ bulk:  newest frame per (subscription, key)                    ┘
//! ```
//!
//! Each class has room of its own, so a flood in one costs another nothing. All methods take the
//! time, hold the lock for a moment and never wait.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foldhash::HashMap;
use indexmap::IndexMap;
use tokio::sync::Notify;

use super::counters::SinkCounters;
use super::gate::Gate;
use super::{EndReason, Gap, GapReason, Pace, Shared, Subscription, SubscriptionId};
use crate::clock::Timestamp;
use crate::model::{Class, RobotId, Value};

/// How much a sink may leave unread.
#[derive(Clone, Copy, Debug)]
pub struct MailboxLimits {
    /// Events waiting, and the same again of states for who asked for every change.
    pub events: usize,
    /// Keys of state waiting, and the same again of bulk.
    pub keys: usize,
    /// How long a sink may leave what is due unread before it is given up.
    pub stall: Duration,
}

impl Default for MailboxLimits {
    fn default() -> Self {
        Self { events: 1024, keys: 4096, stall: Duration::from_secs(10) }
    }
}

/// What a sink receives.
#[derive(Clone, Debug)]
pub enum Delivery {
    /// An update of a subscription.
    Update(SubscriptionId, Arc<Shared>),
    /// Something is missing here.
    Gap(Gap),
    /// Nothing more will come.
    End(EndReason),
}

/// Identifies a topic in this process.
pub(super) type TopicId = u64;

/// Where something waits: a subscription, and the key if keys are kept apart.
type Slot = (SubscriptionId, Option<TopicId>);

struct Follower {
    subscription: Arc<Subscription>,
    /// For the whole subscription (`None`) or per key.
    gates: HashMap<Option<TopicId>, Gate>,
    /// Values last delivered per key, kept only if a condition asks for a change.
    last: HashMap<TopicId, Vec<Option<Value>>>,
    /// Sequence last delivered per key, so that a late joiner gets nothing twice.
    seen: HashMap<TopicId, u64>,
}

struct Waiting {
    topic: TopicId,
    update: Arc<Shared>,
    /// Already delivered once and waiting to be repeated.
    again: bool,
}

#[derive(Default)]
struct Inner {
    followers: HashMap<SubscriptionId, Follower>,
    state: IndexMap<Slot, Waiting>,
    bulk: IndexMap<Slot, Waiting>,
    events: Vec<(SubscriptionId, Arc<Shared>)>,
    changes: Vec<(SubscriptionId, Arc<Shared>)>,
    gaps: IndexMap<(SubscriptionId, RobotId, GapReason), Gap>,
    /// The sink waits for us, so nothing that waits is its fault.
    parked: bool,
    drained: Timestamp,
    ended: Option<EndReason>,
}

/// See the module.
pub(super) struct Mailbox {
    inner: Mutex<Inner>,
    pub(super) wake: Notify,
    pub(super) counters: SinkCounters,
    limits: MailboxLimits,
}

impl Mailbox {
    pub(super) fn new(limits: MailboxLimits, now: Timestamp) -> Self {
        let inner = Inner { drained: now, ..Inner::default() };
        Self { inner: Mutex::new(inner), wake: Notify::new(), counters: SinkCounters::default(), limits }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn follow(&self, id: SubscriptionId, subscription: Arc<Subscription>) {
        let follower = Follower {
            subscription,
            gates: HashMap::default(),
            last: HashMap::default(),
            seen: HashMap::default(),
        };
        self.lock().followers.insert(id, follower);
    }

    pub(super) fn unfollow(&self, id: SubscriptionId) {
        let mut inner = self.lock();
        inner.followers.remove(&id);
        inner.state.retain(|(owner, _), _| *owner != id);
        inner.bulk.retain(|(owner, _), _| *owner != id);
        inner.events.retain(|(owner, _)| *owner != id);
        inner.changes.retain(|(owner, _)| *owner != id);
        inner.gaps.retain(|(owner, _, _), _| *owner != id);
    }

    /// Takes an update that the subscription selects; conditions and intervals are applied here.
    pub(super) fn offer(&self, id: SubscriptionId, topic: TopicId, update: &Arc<Shared>, now: Timestamp) {
        let mut guard = self.lock();
        let inner = &mut *guard;
        if inner.ended.is_some() || self.gives_up(inner, now) {
            return;
        }
        let Some(follower) = inner.followers.get_mut(&id) else { return };
        if follower.seen.get(&topic).is_some_and(|seen| *seen >= update.sequence()) {
            return;
        }
        let subscription = follower.subscription.clone();
        if !subscription.view.knows(update) {
            return;
        }
        if !subscription.conditions.is_empty() {
            let values = subscription.values(update);
            let last = follower.last.get(&topic).map(Vec::as_slice);
            if !subscription.accepts(&values, last) {
                return;
            }
            follower.last.insert(topic, values);
        }
        let class = update.kind().class();
        let queue = match class {
            Class::Event => Some(&mut inner.events),
            Class::State if subscription.every_change => Some(&mut inner.changes),
            Class::State | Class::Bulk => None,
        };
        let lost = match queue {
            Some(queue) => {
                let scope = scope(&subscription, topic);
                let gate = follower.gates.entry(scope).or_default();
                if !gate.is_open(subscription.every, now) {
                    self.counters.debounced.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                gate.pass(now);
                follower.seen.insert(topic, update.sequence());
                if queue.len() < self.limits.events {
                    queue.push((id, update.clone()));
                    None
                } else {
                    Some(GapReason::QueueFull)
                }
            }
            None => {
                let pending = if class == Class::Bulk { &mut inner.bulk } else { &mut inner.state };
                let slot = (id, scope(&subscription, topic));
                let full = pending.len() >= self.limits.keys;
                match pending.get_mut(&slot) {
                    Some(waiting) => {
                        if waiting.topic == topic && waiting.update.sequence() >= update.sequence() {
                            return;
                        }
                        if !waiting.again {
                            self.counters.coalesced.fetch_add(1, Ordering::Relaxed);
                        }
                        *waiting = Waiting { topic, update: update.clone(), again: false };
                        None
                    }
                    None if full => Some(GapReason::TooManyKeys),
                    None => {
                        pending.insert(slot, Waiting { topic, update: update.clone(), again: false });
                        None
                    }
                }
            }
        };
        if let Some(reason) = lost {
            self.counters.lose(reason);
            let gap = gap(inner, id, &update.robot, reason, now);
            gap.kind.get_or_insert(update.kind());
            *gap.lost.get_or_insert(0) += 1;
        }
        let parked = inner.parked;
        drop(guard);
        if parked {
            self.wake.notify_one();
        }
    }

    /// Tells a subscription of a hole that its own slowness did not cause.
    pub(super) fn tell_link_gap(&self, id: SubscriptionId, robot: &RobotId, from: Timestamp, now: Timestamp) {
        let mut inner = self.lock();
        if inner.ended.is_none() && inner.followers.contains_key(&id) {
            let gap = gap(&mut inner, id, robot, GapReason::LinkLost, now);
            gap.from = gap.from.min(from);
        }
        drop(inner);
        self.wake.notify_one();
    }

    pub(super) fn end(&self, reason: EndReason) {
        self.lock().ended.get_or_insert(reason);
        self.wake.notify_one();
    }

    pub(super) fn ended(&self) -> Option<EndReason> {
        self.lock().ended.clone()
    }

    /// How many updates wait; those that were delivered and are repeated do not.
    pub(super) fn waiting(&self) -> usize {
        let inner = self.lock();
        let fresh = |pending: &IndexMap<Slot, Waiting>| pending.values().filter(|it| !it.again).count();
        inner.events.len() + inner.changes.len() + fresh(&inner.state) + fresh(&inner.bulk)
    }

    /// Marks that the sink waits (or no longer waits) for something to come.
    pub(super) fn park(&self, parked: bool, now: Timestamp) {
        let mut inner = self.lock();
        inner.parked = parked;
        inner.drained = now;
    }

    /// Moves all that is due into `out`; returns when something more is due, if anything waits.
    pub(super) fn drain(&self, now: Timestamp, out: &mut Vec<Delivery>) -> Option<Timestamp> {
        let mut guard = self.lock();
        let inner = &mut *guard;
        let before = out.len();
        inner.drained = now;
        if let Some(reason) = &inner.ended {
            out.push(Delivery::End(reason.clone()));
            return None;
        }
        let queued = inner.events.drain(..).chain(inner.changes.drain(..));
        out.extend(queued.map(|(id, update)| Delivery::Update(id, update)));
        let next_state = drain_due(&mut inner.state, &mut inner.followers, now, out);
        let next_bulk = drain_due(&mut inner.bulk, &mut inner.followers, now, out);
        self.counters.delivered.fetch_add((out.len() - before) as u64, Ordering::Relaxed);
        out.extend(inner.gaps.drain(..).map(|(_, gap)| Delivery::Gap(Gap { to: now, ..gap })));
        next_state.into_iter().chain(next_bulk).min()
    }

    /// Ends a sink that leaves what is due unread for too long.
    fn gives_up(&self, inner: &mut Inner, now: Timestamp) -> bool {
        let silent = now.since(inner.drained);
        if inner.parked || silent <= self.limits.stall {
            return false;
        }
        let nothing_waits = inner.events.is_empty() && inner.changes.is_empty();
        if nothing_waits && inner.state.is_empty() && inner.bulk.is_empty() {
            return false;
        }
        let lost = self.counters.lost.load(Ordering::Relaxed);
        inner.ended = Some(EndReason::TooSlow { silent, lost });
        inner.state.clear();
        inner.bulk.clear();
        inner.events = Vec::new();
        inner.changes = Vec::new();
        self.wake.notify_one();
        true
    }
}

/// What a subscription's interval applies to; without an interval keys never share a slot.
fn scope(subscription: &Subscription, topic: TopicId) -> Option<TopicId> {
    let shared = subscription.pace == Pace::PerSubscription && !subscription.every.is_zero();
    (!shared).then_some(topic)
}

fn gap<'a>(
    inner: &'a mut Inner,
    id: SubscriptionId,
    robot: &RobotId,
    reason: GapReason,
    now: Timestamp,
) -> &'a mut Gap {
    inner.gaps.entry((id, robot.clone(), reason)).or_insert_with(|| Gap {
        subscription: id,
        robot: robot.clone(),
        kind: None,
        lost: None,
        reason,
        from: now,
        to: now,
    })
}

fn drain_due(
    pending: &mut IndexMap<Slot, Waiting>,
    followers: &mut HashMap<SubscriptionId, Follower>,
    now: Timestamp,
    out: &mut Vec<Delivery>,
) -> Option<Timestamp> {
    let mut next: Option<Timestamp> = None;
    pending.retain(|(id, scope), waiting| {
        let Some(follower) = followers.get_mut(id) else { return false };
        let Subscription { every, repeat, .. } = *follower.subscription;
        let gate = follower.gates.entry(*scope).or_default();
        if !gate.is_open(every, now) {
            next = next.into_iter().chain(gate.opens(every)).min();
            return true;
        }
        gate.pass(now);
        follower.seen.insert(waiting.topic, waiting.update.sequence());
        out.push(Delivery::Update(*id, waiting.update.clone()));
        waiting.again = repeat && !every.is_zero();
        if waiting.again {
            next = next.into_iter().chain(gate.opens(every)).min();
        }
        waiting.again
    });
    next
}
