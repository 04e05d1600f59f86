//! The exchange of updates: sources publish on topics, sinks subscribe to them.
//!
//! ```text
//! publish ─▶ Topic (last value, routes) ─▶ Inbox ┆ Reader ─▶ Sink::receive
//! ```
//!
//! A publisher never waits: routes are a snapshot, inboxes are bounded and take pointers, and what a sink subscribed to
//! is looked at in its own task. A sink that does not read learns what it lost and is dropped in the end. The lists of topics and
//! demands are read without a lock. A change makes a new list, which shares what it leaves alone
//! with the one before, so that the ten thousandth robot comes as fast as the first.

mod condition;
mod counters;
mod demand;
mod filter;
mod follower;
mod gap;
mod gate;
mod inbox;
mod interest;
mod mailbox;
mod meter;
mod reader;
mod selection;
mod shared;
mod sink;
mod subscription;
mod topic;
mod topic_index;
mod view;
mod viewer;

use std::ops::Bound;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use crate::key_expression::{Key, KeyExpression};
use arc_swap::ArcSwap;
use foldhash::HashMap;
use rpds::RedBlackTreeMapSync;
use tokio::sync::watch;

pub use condition::{Condition, ConditionError, Operator};
pub use counters::SinkCounters;
pub(crate) use demand::DemandIndex;
pub use filter::Filter;
pub use gap::{EndReason, Gap, GapReason};
pub use mailbox::{Delivery, MailboxLimits, WakeUps};
pub use meter::{DialectTotals, ENCODE_BOUNDS, EncodeTimes};
pub use selection::{Selection, SelectionError};
pub use shared::{Encoding, Shared};
pub use sink::{Sink, SinkInfo, SinkReport};
pub use subscription::{DemandLevel, Pace, Subscription, SubscriptionId};
pub(crate) use topic::Topic;
pub use view::{ModelView, View, picked};
pub(crate) use viewer::Viewer;

use crate::clock::{Clock, Timestamp};
use crate::model::{Class, Kind, KindSet, PartName, RobotId, Update, key};
use interest::{Demand, Interests, Needs};
use mailbox::Mailbox;
use meter::Meter;

/// Topics by name; a change makes a new list, which shares what it leaves alone with the one before.
type Topics = RedBlackTreeMapSync<String, Arc<Topic>>;

/// A sink that has subscriptions.
struct Follower {
    mailbox: Arc<Mailbox>,
    info: Arc<SinkInfo>,
    subscriptions: usize,
}

/// What changes when topics and subscriptions come and go.
#[derive(Default)]
struct Changing {
    interests: Interests,
    /// By the address of their mailboxes.
    followers: HashMap<usize, Follower>,
}

/// Topics, those who follow them, and what they ask sources for.
pub(crate) struct Exchange {
    clock: Clock,
    topics: ArcSwap<Topics>,
    /// What sources are asked for.
    demand: ArcSwap<Vec<Demand>>,
    /// Who follows what. Its lock serialises changes of both lists, too.
    changing: Mutex<Changing>,
    /// Grows with each change of `demand`.
    generation: watch::Sender<u64>,
    meter: Arc<Meter>,
}

impl Exchange {
    pub(crate) fn new(clock: Clock) -> Self {
        Self {
            clock,
            topics: ArcSwap::default(),
            demand: ArcSwap::default(),
            changing: Mutex::default(),
            generation: watch::Sender::new(1),
            meter: Arc::new(Meter::new(clock)),
        }
    }

    fn changing(&self) -> std::sync::MutexGuard<'_, Changing> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A sink of a client or, an internal one, of a part of the gateway.
    pub(crate) fn sink(
        self: &Arc<Self>,
        (dialect, peer): (&'static str, String),
        limits: MailboxLimits,
        viewer: Option<Viewer>,
        is_internal: bool,
    ) -> Sink {
        let now = self.clock.now();
        let info = Arc::new(SinkInfo { dialect, peer, since: now, is_internal });
        let mailbox = Arc::new(Mailbox::new(limits, viewer, now));
        self.meter.enter(dialect, &mailbox);
        Sink::new(self.clone(), mailbox, info)
    }

    /// Sinks with at least one subscription, oldest first.
    pub(crate) fn sinks(&self) -> Vec<SinkReport> {
        let followers: Vec<_> = {
            let changing = self.changing();
            changing.followers.values().map(|it| (it.mailbox.clone(), it.info.clone())).collect()
        };
        let mut reports: Vec<_> = followers
            .iter()
            .filter_map(|(mailbox, info)| {
                let subscriptions = mailbox.subscriptions();
                let (first, _) = subscriptions.first()?;
                Some((*first, SinkReport::of(mailbox, info, &subscriptions, self.clock.now())))
            })
            .collect();
        reports.sort_by_key(|(first, _)| *first);
        reports.into_iter().map(|(_, report)| report).collect()
    }

    /// What the sinks of each dialect got since the start, by the dialect's name.
    pub(crate) fn totals(&self) -> Vec<DialectTotals> {
        self.meter.totals()
    }

    /// The topic of a robot's kind, or of one part of it, if it was published on.
    pub(crate) fn topic(&self, robot: &RobotId, kind: Kind, part: Option<&PartName>) -> Option<Arc<Topic>> {
        self.topics.load().get(&key(robot, kind, part)).cloned()
    }

    /// The topics whose keys are `prefix` or below it.
    pub(crate) fn topics_below(&self, prefix: &str) -> Vec<Arc<Topic>> {
        let topics = self.topics.load();
        let below = topics.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        let below = below.take_while(|(key, _)| key.starts_with(prefix));
        let own = below.filter(|(key, _)| matches!(key.as_bytes().get(prefix.len()), None | Some(b'/')));
        own.map(|(_, topic)| topic.clone()).collect()
    }

    /// A new topic; `None` if its name cannot be a key. One that is there under that name is replaced.
    pub(crate) fn add_topic(
        &self,
        robot: &RobotId,
        kind: Kind,
        part: Option<&PartName>,
    ) -> Option<Arc<Topic>> {
        let name = KeyExpression::new(key(robot, kind, part)).ok()?;
        let topic = Arc::new(Topic::new(name, kind, part.cloned()));
        let changing = self.changing();
        changing.interests.route(&topic);
        let before = self.topics.load();
        if let Some(replaced) = before.get(topic.name.key.as_str()) {
            replaced.name.set_gone();
        }
        self.topics.store(Arc::new(before.insert(topic.name.key.to_string(), topic.clone())));
        Some(topic)
    }

    /// Whether a topic is the one of its name.
    pub(crate) fn has_topic(&self, topic: &Topic) -> bool {
        let topics = self.topics.load();
        topics.get(topic.name.key.as_str()).is_some_and(|known| known.name.id == topic.name.id)
    }

    /// Takes out topics, unless others have taken their places.
    pub(crate) fn remove_topics<'a>(&self, topics: impl Iterator<Item = &'a Topic>) {
        let _changing = self.changing();
        let mut left = Topics::clone(&self.topics.load());
        for topic in topics {
            topic.name.set_gone();
            if left.get(topic.name.key.as_str()).is_some_and(|known| known.name.id == topic.name.id) {
                left.remove_mut(topic.name.key.as_str());
            }
        }
        self.topics.store(Arc::new(left));
    }

    /// Delivers an update to all subscribers. Never waits.
    pub(crate) fn publish(&self, topic: &Topic, update: Update, wakes: &mut WakeUps) {
        let sequence = topic.published.fetch_add(1, Ordering::Relaxed) + 1;
        let now = self.clock.now();
        let update = Shared::of_topic(update, sequence, topic.name.clone(), now, self.meter.clone());
        let update = Arc::new(update);
        // The last value is stored before the routes are read, and a new subscriber is in the
        // routes before it reads the last value: it cannot fall between.
        topic.last.store(Some(update.clone()));
        topic.for_each_mailbox(|mailbox| {
            if mailbox.push(&update, now) {
                wakes.add(mailbox);
            }
        });
    }

    fn follow(&self, id: SubscriptionId, subscription: &Arc<Subscription>, sink: &Sink) {
        let (mailbox, info) = (sink.mailbox(), sink.info());
        mailbox.follow(id, subscription.clone(), self.clock.now());
        {
            let mut changing = self.changing();
            let (select, demand) = (&subscription.select, Needs::of(subscription));
            let new = || Follower { mailbox: mailbox.clone(), info: info.clone(), subscriptions: 0 };
            let follower = changing.followers.entry(Arc::as_ptr(mailbox).addr()).or_insert_with(new);
            follower.subscriptions += 1;
            if changing.interests.add(mailbox, select, demand, &self.topics.load()) {
                self.notify_demand(&changing);
            }
        }
        if subscription.initial {
            self.offer_last(id, subscription, mailbox);
        }
        // The sink may be waiting already, in another task.
        mailbox.wake.notify_one();
    }

    /// Gives a new subscription the states and frames that there are; events and streams from before are over.
    fn offer_last(&self, id: SubscriptionId, subscription: &Subscription, mailbox: &Mailbox) {
        for topic in select_topics(&self.topics.load(), &subscription.select) {
            if matches!(topic.name.kind.class(), Class::State | Class::Bulk)
                && let Some(last) = topic.last.load_full()
            {
                mailbox.offer_last(id, &last);
            }
        }
    }

    fn unfollow(&self, id: SubscriptionId, mailbox: &Arc<Mailbox>) {
        self.forget(mailbox.unfollow(id).as_slice(), mailbox);
    }

    /// Takes out subscriptions that a mailbox has no more.
    fn forget(&self, ended: &[Arc<Subscription>], mailbox: &Arc<Mailbox>) {
        let mut changing = self.changing();
        let mut changed = false;
        for subscription in ended {
            let (select, demand) = (&subscription.select, Needs::of(subscription));
            changed |= changing.interests.remove(mailbox, select, demand, &self.topics.load());
        }
        if changed {
            self.notify_demand(&changing);
        }
        let address = Arc::as_ptr(mailbox).addr();
        if let Some(follower) = changing.followers.get_mut(&address) {
            follower.subscriptions = follower.subscriptions.saturating_sub(ended.len());
            if follower.subscriptions == 0 {
                changing.followers.remove(&address);
            }
        }
    }

    fn notify_demand(&self, changing: &Changing) {
        self.demand.store(Arc::new(changing.interests.demand()));
        self.look_again();
    }

    /// Has sources look again at what they are asked for.
    pub(crate) fn look_again(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }

    /// A number that grows with each change of what sources are asked for.
    pub(crate) fn demand_changes(&self) -> watch::Receiver<u64> {
        self.generation.subscribe()
    }

    /// That number now.
    pub(crate) fn demand_number(&self) -> u64 {
        *self.generation.borrow()
    }

    /// Whether a kind of a robot, or one part of it, is subscribed to.
    pub(crate) fn wants(&self, robot: &RobotId, kind: Kind, part: Option<&PartName>) -> bool {
        let below = match part {
            Some(part) => key(robot, kind, Some(part)),
            None => format!("{robot}/{kind}/**"),
        };
        let Ok(below) = KeyExpression::new(below) else { return false };
        self.demand.load().iter().any(|it| it.expression.intersects(below.as_key()))
    }

    /// Whether one part of a kind is subscribed to at full rate.
    pub(crate) fn is_watched(&self, robot: &RobotId, kind: Kind, part: &PartName) -> bool {
        self.closely(robot, kind, part, |it, key| it.intersects(key))
    }

    /// Whether a subscription at full rate names one part itself, and not only more than it.
    pub(crate) fn is_named(&self, robot: &RobotId, kind: Kind, part: &PartName) -> bool {
        self.closely(robot, kind, part, |it, key| it == key)
    }

    fn closely(
        &self,
        robot: &RobotId,
        kind: Kind,
        part: &PartName,
        matches: impl Fn(Key<'_>, Key<'_>) -> bool,
    ) -> bool {
        let Ok(key) = KeyExpression::new(key(robot, kind, Some(part))) else { return false };
        self.demand.load().iter().any(|it| it.full && matches(it.expression.as_key(), key.as_key()))
    }

    /// The kinds of a robot that may be subscribed to at full rate; never too few, sometimes too many.
    pub(crate) fn wanted(&self, robot: &RobotId) -> KindSet {
        let Ok(below) = KeyExpression::new(format!("{robot}/**")) else { return KindSet::NONE };
        let demand = self.demand.load();
        let closely = demand.iter().filter(|it| it.full && it.expression.intersects(below.as_key()));
        closely.fold(KindSet::NONE, |kinds, it| kinds.or(it.kinds))
    }

    /// Tells all who follow a robot that it was silent since then, and is back.
    pub(crate) fn report_link_gap(&self, robot: &RobotId, since: Timestamp) {
        let Ok(below) = KeyExpression::new(format!("{robot}/**")) else { return };
        let followers = self.changing().interests.followers(below.as_key());
        followers.iter().for_each(|mailbox| mailbox.report_silence(robot, since));
    }
}

/// The topics that are there and that a selection includes.
fn select_topics<'a>(topics: &'a Topics, select: &'a Selection) -> impl Iterator<Item = &'a Arc<Topic>> {
    let includes = |topic: &&Arc<Topic>| select.includes(topic.name.key.as_key());
    let below =
        select.expressions().iter().flat_map(|expression| interest::below(topics, expression.as_key()));
    // One that two expressions include comes twice; the reader's sequence numbers take care of that.
    below.filter(includes)
}
