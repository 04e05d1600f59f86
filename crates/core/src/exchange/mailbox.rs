//! A sink's mailbox: publishers leave pointers at one end, the sink's own task reads at the other.
//!
//! ```text
//! push() ──▶ Inbox ──drain()──▶ Reader: selections, views, conditions, intervals ──▶ deliveries
//! publisher's thread            the sink's task
//! ```
//!
//! Each end has a lock of its own, so what a reader has to look at keeps no publisher waiting. The inbox is emptied only
//! when all that was taken from it before is evaluated, so its bounds hold for the reader's backlog as well.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::counters::SinkCounters;
use super::inbox::Inbox;
use super::reader::Reader;
use super::{EndReason, Gap, Shared, Subscription, SubscriptionId, Viewer};
use crate::clock::Timestamp;
use crate::limits::{EVALUATIONS_PER_TURN, UNREAD_TIMEOUT};
use crate::model::RobotId;

/// How much a sink may leave unread.
#[derive(Clone, Copy, Debug)]
pub struct MailboxLimits {
    /// Events waiting, and as many states of subscriptions to every change.
    pub events: usize,
    /// Keys of state waiting, and the same again of bulk.
    pub keys: usize,
    /// Frames of streams waiting, evaluated or not.
    pub frames: usize,
    /// How long a sink may leave what is due unread before it is given up.
    pub disconnect_after: Duration,
}

impl Default for MailboxLimits {
    fn default() -> Self {
        Self { events: 1024, keys: 4096, frames: 16, disconnect_after: UNREAD_TIMEOUT }
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

/// Both ends of a sink's mailbox.
pub(super) struct Mailbox {
    inbox: Mutex<Inbox>,
    reader: Mutex<Reader>,
    pub(super) wake: Notify,
    pub(super) counters: SinkCounters,
    limits: MailboxLimits,
}

impl Mailbox {
    pub(super) fn new(limits: MailboxLimits, viewer: Option<Viewer>, now: Timestamp) -> Self {
        Self {
            inbox: Mutex::new(Inbox { drained: now, ..Inbox::default() }),
            reader: Mutex::new(Reader::new(limits, viewer)),
            wake: Notify::new(),
            counters: SinkCounters::default(),
            limits,
        }
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a subscription; what came before it is not for it.
    pub(super) fn follow(&self, id: SubscriptionId, subscription: Arc<Subscription>, now: Timestamp) {
        let mut reader = self.reader();
        // A client that subscribes again and again must not let the backlog grow.
        if reader.has_backlog() {
            reader.evaluate(usize::MAX, &self.counters);
        }
        let came = self.inbox().take();
        reader.take_in(came, now, &self.counters);
        reader.follow(id, subscription);
        self.inbox().unread = reader.is_waiting();
    }

    /// Ends a subscription; the one that ended.
    pub(super) fn unfollow(&self, id: SubscriptionId) -> Option<Arc<Subscription>> {
        self.reader().unfollow(id)
    }

    /// Ends every subscription; those that ended.
    pub(super) fn clear(&self) -> Vec<Arc<Subscription>> {
        self.reader().clear()
    }

    /// Every subscription, oldest first.
    pub(super) fn subscriptions(&self) -> Vec<(SubscriptionId, Arc<Subscription>)> {
        self.reader().subscriptions()
    }

    /// Takes a pointer to an update that the sink may want; never waits for the reader. Whether the reader must be woken.
    pub(super) fn push(&self, update: &Arc<Shared>, now: Timestamp) -> bool {
        let mut inbox = self.inbox();
        if inbox.ended.is_some() {
            return false;
        }
        let silent = now.since(inbox.drained);
        if !inbox.parked && silent > self.limits.disconnect_after && (inbox.unread || inbox.waiting() > 0) {
            let lost = self.counters.lost.load(Ordering::Relaxed);
            *inbox = Inbox {
                ended: Some(EndReason::TooSlow { silent, lost }),
                drained: inbox.drained,
                ..Inbox::default()
            };
            return true;
        }
        if let Some(reason) = inbox.push(update, &self.limits, now) {
            self.counters.lose(reason);
        }
        // Once is enough; from here on what waits is the reader's fault.
        let parked = std::mem::take(&mut inbox.parked);
        if parked {
            inbox.drained = now;
        }
        parked
    }

    /// Gives one subscription the value that a topic had before it.
    pub(super) fn offer_last(&self, id: SubscriptionId, last: &Arc<Shared>) {
        let mut reader = self.reader();
        reader.offer_last(id, last, &self.counters);
        self.inbox().unread = reader.is_waiting();
    }

    /// Reports that a robot is back that was silent since then.
    pub(super) fn report_silence(&self, robot: &RobotId, since: Timestamp) {
        let mut inbox = self.inbox();
        if inbox.ended.is_none() {
            let known = inbox.silences.entry(robot.clone()).or_insert(since);
            *known = since.min(*known);
        }
        drop(inbox);
        self.wake.notify_one();
    }

    pub(super) fn end(&self, reason: EndReason) {
        self.inbox().ended.get_or_insert(reason);
        self.wake.notify_one();
    }

    pub(super) fn ended(&self) -> Option<EndReason> {
        self.inbox().ended.clone()
    }

    /// Evaluates one turn of what came, so that the figures of a short backlog are right before it is read.
    pub(super) fn settle(&self, now: Timestamp) {
        let mut reader = self.reader();
        let came = if reader.has_backlog() { Inbox::default() } else { self.inbox().take() };
        if self.ended().is_some() {
            return reader.discard();
        }
        reader.take_in(came, now, &self.counters);
        reader.evaluate(EVALUATIONS_PER_TURN, &self.counters);
        self.inbox().unread = reader.is_waiting();
    }

    /// Whether the reader has taken updates in that it has not evaluated.
    pub(super) fn has_backlog(&self) -> bool {
        self.reader().has_backlog()
    }

    /// How many updates wait; those that were delivered and are repeated do not.
    pub(super) fn waiting(&self) -> usize {
        let waiting = self.reader().waiting();
        waiting + self.inbox().waiting()
    }

    /// Marks that the sink waits (or no longer waits) for something to come.
    pub(super) fn park(&self, parked: bool, now: Timestamp) {
        let mut inbox = self.inbox();
        inbox.parked = parked;
        inbox.drained = now;
    }

    /// Evaluates one turn of what came, and moves all that is due into `out`.
    pub(super) fn drain(&self, now: Timestamp, out: &mut Vec<Delivery>) -> Next {
        let mut reader = self.reader();
        let came = {
            let mut inbox = self.inbox();
            inbox.drained = now;
            if let Some(reason) = &inbox.ended {
                out.push(Delivery::End(reason.clone()));
                reader.discard();
                return Next::Due(None);
            }
            if reader.has_backlog() { Inbox::default() } else { inbox.take() }
        };
        reader.take_in(came, now, &self.counters);
        reader.evaluate(EVALUATIONS_PER_TURN, &self.counters);
        let due = reader.drain(now, out, &self.counters);
        self.inbox().unread = reader.is_waiting();
        if reader.has_backlog() { Next::Turn } else { Next::Due(due) }
    }
}

/// When there is more for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// At once: the backlog is not evaluated to its end.
    Turn,
    /// When something more is due, if anything waits.
    Due(Option<Timestamp>),
}

/// Readers that something came for, woken when this is dropped: on few cores one that is woken takes the processor
/// from its publisher, which should have finished by then.
#[derive(Default)]
#[must_use = "readers are woken when it is dropped"]
pub struct WakeUps(Vec<Arc<Mailbox>>);

impl WakeUps {
    pub(super) fn add(&mut self, mailbox: &Arc<Mailbox>) {
        self.0.push(mailbox.clone());
    }
}

impl Drop for WakeUps {
    fn drop(&mut self) {
        self.0.iter().for_each(|mailbox| mailbox.wake.notify_one());
    }
}

impl std::fmt::Debug for WakeUps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WakeUps").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use latimer_testing::rounds;

    use super::*;
    use crate::clock::Clock;
    use crate::hub::{Hub, Origin, RobotInfo, Source};
    use crate::model::Update;
    use crate::model::signal::Range;

    const LIMITS: MailboxLimits =
        MailboxLimits { events: 64, keys: 64, frames: 16, disconnect_after: Duration::from_secs(10) };

    /// Robots that are there at a time.
    const AT_ONCE: usize = 20;

    /// Topics of each: what it measures, and its link.
    const TOPICS: usize = 2;

    fn measured(source: &Source, hub: &Hub, distance_m: f64) {
        let now = hub.clock().now();
        source.publish(Update::now(source.robot(), now, Range::valid(distance_m).into()));
    }

    fn register(hub: &Hub, name: &str) -> Source {
        let robot = RobotId::new(name).unwrap();
        hub.register(RobotInfo::new(robot, "test", Origin::Simulated)).unwrap()
    }

    /// What a subscription got of ranges: whose, and how far.
    fn ranges(deliveries: &[Delivery], of: SubscriptionId) -> Vec<(RobotId, f64)> {
        let range = |delivery: &Delivery| match delivery {
            Delivery::Update(id, update) if *id == of => {
                Some((update.robot.clone(), update.signal.field("distance_m")?.as_f64()?))
            }
            _ => None,
        };
        deliveries.iter().filter_map(range).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn robots_that_come_and_go_leave_nothing_with_those_who_follow_all() {
        let hub = Hub::new(Clock::starting_at(Timestamp::default()));
        let sink = hub.sink("test", "all", LIMITS);
        let every = Duration::from_secs(1);
        let all = Subscription { every, ..Subscription::to("**".parse().unwrap()) };
        let filter = "distance_m delta".parse().unwrap();
        let changes = sink.subscribe(Subscription { filter, ..all.clone() });
        sink.subscribe(Subscription { repeat: true, ..all });
        let stays = register(&hub, "stays");
        let (mut there, mut out, mut got) = (VecDeque::new(), Vec::new(), Vec::new());
        let (robots, mut most) = (rounds(10_000), 0);
        for number in 0..robots {
            let source = register(&hub, &format!("robot-{number}"));
            measured(&source, &hub, 1.0);
            measured(&stays, &hub, f64::from(number / 4));
            there.push_back(source);
            if there.len() > AT_ONCE {
                there.pop_front();
            }
            tokio::time::advance(every / 4).await;
            sink.try_receive(&mut out);
            got.extend(ranges(&out, changes));
            out.clear();
            let (known, remembered) = sink.mailbox().reader().known();
            most = remembered.into_iter().fold(most.max(known), usize::max);
        }
        // Twice what may wait, and what comes until a look has ended.
        let bound = 2 * LIMITS.keys + TOPICS * AT_ONCE;
        assert!(most <= bound, "{most} topics are known, {bound} may be");
        assert_eq!(sink.counters().lost.load(Ordering::Relaxed), 0, "who has left takes no room of others");
        let (of_stays, of_others): (Vec<_>, Vec<_>) =
            got.into_iter().partition(|(robot, _)| robot.as_str() == "stays");
        assert_eq!(of_others.len(), robots as usize, "each robot's once");
        let distances: Vec<f64> = of_stays.into_iter().map(|(_, distance_m)| distance_m).collect();
        let changed: Vec<f64> = (0..robots.div_ceil(4)).map(f64::from).collect();
        assert_eq!(distances, changed, "each change once");
    }
}
