//! The exchange: sources publish updates and take commands, sinks subscribe.
//!
//! ```text
//! Source::publish ─▶ Topic (last value, routes) ─▶ Inbox ┆ Reader ─▶ Sink::receive
//! Source::next_command ◀── RobotEntry ◀── Hub::command
//! ```
//!
//! A publisher never waits: routes are a snapshot, inboxes are bounded and take pointers, and what a sink subscribed to
//! is looked at in its own task. A sink that does not read learns what it lost and is dropped in the end. The lists of topics, robots and
//! subscriptions are read without a lock. A change makes a new list, which shares what it leaves alone
//! with the one before, so that the ten thousandth robot comes as fast as the first.

mod adapt;
mod audit;
mod commands;
mod condition;
mod counters;
mod declared;
mod derived;
mod driver;
mod filter;
mod gap;
mod gate;
mod guard;
mod inbox;
mod interest;
mod mailbox;
mod meter;
mod navigation;
mod owner;
mod places;
mod policies;
mod population;
mod reader;
mod robots;
mod selection;
mod shared;
mod sink;
mod source;
mod subscription;
mod topic;
mod view;
mod viewer;

use std::fmt;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arc_swap::ArcSwap;
use foldhash::HashMap;
use rpds::RedBlackTreeMapSync;
use tokio::sync::{mpsc, watch};
use zenoh_keyexpr::keyexpr;

pub use audit::{CommandRecord, CommandTotal};
pub use commands::{CommandRequest, Validity};
pub use condition::{Condition, ConditionError, Operator};
pub use counters::SinkCounters;
pub(crate) use derived::{DemandIndex, DerivedTopic};
pub use driver::Driver;
pub use filter::Filter;
pub use gap::{EndReason, Gap, GapReason};
pub use mailbox::{Delivery, MailboxLimits, Wakes};
pub use meter::{DialectTotals, ENCODE_BOUNDS, EncodeTimes};
pub use navigation::{NavigationControl, NavigationRequest, NavigationRequests, NavigationTopics, PLANNED};
pub use owner::Keeper;
pub use policies::Policies;
pub use population::Population;
pub use robots::{RobotReport, Stay};
pub use selection::{Selection, SelectionError};
pub use shared::{Form, Shared};
pub use sink::{Sink, SinkInfo, SinkReport};
pub use source::{Origin, RobotInfo, Source};
pub use subscription::{DemandLevel, Pace, Subscription, SubscriptionId};
pub use view::{InFrameView, ModelView, View, picked};
use viewer::Viewer;

use crate::clock::{Clock, Timestamp};
use crate::derive::Vocabulary;
use crate::frames::FrameTree;
use crate::memory::Budget;
use crate::model::signal::Alerts;
use crate::model::{Class, Kind, KindSet, PartName, RobotId, RobotProfile, Update, key};
use crate::robot::Event;
use audit::Audit;
use declared::Declared;
use driver::Presence;
use guard::Watched;
use interest::{Demand, Interests, Needs};
use mailbox::Mailbox;
use meter::Meter;
use navigation::Navigated;
use owner::KeptRobots;
use robots::RobotEntry;
use topic::Topic;

/// The part of the alerts that are the gateway's own.
const GATEWAY: &str = "gateway";

/// Robots and topics by name; a change makes a new list, which shares what it leaves alone with the one before.
type Topics = RedBlackTreeMapSync<String, Arc<Topic>>;

/// A sink that has subscriptions.
struct Follower {
    mailbox: Arc<Mailbox>,
    info: Arc<SinkInfo>,
    subscriptions: usize,
}

struct HubInner {
    clock: Clock,
    robots: ArcSwap<RedBlackTreeMapSync<RobotId, Arc<RobotEntry>>>,
    topics: ArcSwap<Topics>,
    /// What sources are asked for.
    demand: ArcSwap<Vec<Demand>>,
    /// Who follows what. Its lock serialises changes of the three lists, too.
    changing: Mutex<Changing>,
    /// Grows with each change of `demand`.
    generation: watch::Sender<u64>,
    /// Grows with each command that waits for a robot.
    given: AtomicU64,
    /// Grows with each robot that goes.
    gone: AtomicU64,
    /// The gateway ends: no robot is set in motion any more.
    ends: AtomicBool,
    /// No robot is commanded at all, not even to stop.
    observes: AtomicBool,
    /// How many robots there are; notified at each change.
    population: watch::Sender<usize>,
    meter: Arc<Meter>,
    /// Who may move which robot.
    policies: ArcSwap<Policies>,
    presence: Presence,
    watched: Watched,
    kept: KeptRobots,
    audit: Arc<Audit>,
    memory: Budget,
    frames: ArcSwap<FrameTree>,
    vocabulary: ArcSwap<Vocabulary>,
    navigator: OnceLock<mpsc::Sender<NavigationRequest>>,
    navigated: Mutex<Vec<Navigated>>,
    declared: Declared,
}

/// What changes when robots, topics and subscriptions come and go.
#[derive(Default)]
struct Changing {
    interests: Interests,
    /// By the address of their mailboxes.
    followers: HashMap<usize, Follower>,
}

/// A robot of that name is there already.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is a robot {0} already; give each robot a name of its own")]
pub struct NameTaken(pub RobotId);

/// The exchange; cheap to clone, all clones are the same hub. A clone may show one client what it may see
/// ([`Hub::seen_by`]).
#[derive(Clone)]
pub struct Hub(Arc<HubInner>, Option<Viewer>);

impl Hub {
    /// An empty hub.
    pub fn new(clock: Clock) -> Self {
        Self(
            Arc::new(HubInner {
                clock,
                robots: ArcSwap::default(),
                topics: ArcSwap::default(),
                demand: ArcSwap::default(),
                changing: Mutex::default(),
                generation: watch::Sender::new(1),
                given: AtomicU64::new(0),
                gone: AtomicU64::new(0),
                ends: AtomicBool::new(false),
                observes: AtomicBool::new(false),
                population: watch::Sender::default(),
                meter: Arc::new(Meter::new(clock)),
                policies: ArcSwap::default(),
                presence: Presence::default(),
                watched: Watched::default(),
                kept: KeptRobots::default(),
                audit: Arc::default(),
                memory: Budget::new(clock),
                frames: ArcSwap::default(),
                vocabulary: ArcSwap::default(),
                navigator: OnceLock::new(),
                navigated: Mutex::default(),
                declared: Declared::default(),
            }),
            None,
        )
    }

    /// An empty hub by which no robot is commanded: neither by clients nor by what stops robots of its own accord.
    pub fn observing(clock: Clock) -> Self {
        let hub = Self::new(clock);
        hub.0.observes.store(true, Ordering::Release);
        hub
    }

    /// Tells this hub from others as long as it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The clock that stamps what comes in.
    pub fn clock(&self) -> Clock {
        self.0.clock
    }

    /// The memory that clients can fill.
    pub fn memory(&self) -> &Budget {
        &self.0.memory
    }

    /// Takes in a robot.
    pub fn register(&self, info: RobotInfo) -> Result<Source, NameTaken> {
        let policy = self.0.policies.load().get(&info.robot).clone();
        let navigated = self.navigated(&info.profile);
        let is_navigated = navigated.is_some();
        let info = RobotInfo { profile: navigated.unwrap_or_else(|| info.profile.clone()), ..info };
        let mut kept = self.0.kept.get(&info.robot);
        kept.may_move |= policy.stops_at_start && info.origin != Origin::Simulated;
        let entry = Arc::new(RobotEntry::new(info, policy.clone(), is_navigated, kept, self.0.clock));
        let robot = entry.info.robot.clone();
        {
            let _changing = self.0.changing();
            let robots = self.0.robots.load();
            if robots.contains_key(&robot) {
                return Err(NameTaken(robot));
            }
            self.0.robots.store(Arc::new(robots.insert(robot, entry.clone())));
        }
        self.0.population.send_modify(|robots| *robots += 1);
        // What it is held to shows, and it is watched if it has to be.
        self.0.step(&entry, Event::Policy(policy), self.0.clock.now());
        if entry.robot().latch().is_some() {
            self.0.publish_alerts(&entry);
        }
        let source = Source { hub: self.0.clone(), entry, topics: Mutex::new(HashMap::default()) };
        source.refresh_link();
        Ok(source)
    }

    /// Adds a client's sink.
    pub fn sink(&self, dialect: &'static str, peer: impl Into<String>, limits: MailboxLimits) -> Sink {
        self.add_sink(dialect, peer.into(), limits, false)
    }

    /// Adds the sink of a part of the gateway.
    pub fn internal_sink(
        &self,
        dialect: &'static str,
        part: impl Into<String>,
        limits: MailboxLimits,
    ) -> Sink {
        self.add_sink(dialect, part.into(), limits, true)
    }

    fn add_sink(
        &self,
        dialect: &'static str,
        peer: String,
        limits: MailboxLimits,
        is_internal: bool,
    ) -> Sink {
        let now = self.0.clock.now();
        let info = Arc::new(SinkInfo { dialect, peer, since: now, is_internal });
        let mailbox = Arc::new(Mailbox::new(limits, self.1.clone(), now));
        self.0.meter.enter(dialect, &mailbox);
        Sink { hub: self.0.clone(), mailbox, info, yielded: AtomicBool::new(false) }
    }

    /// All robots, by name.
    pub fn robots(&self) -> Vec<RobotReport> {
        let robots = self.0.robots.load();
        let known = robots.values().filter(|entry| self.shows(&entry.info.robot));
        known.map(|entry| entry.report(self.0.clock.now())).collect()
    }

    /// One robot.
    pub fn robot(&self, robot: &RobotId) -> Option<RobotReport> {
        let robots = self.0.robots.load();
        robots.get(robot).filter(|_| self.shows(robot)).map(|entry| entry.report(self.0.clock.now()))
    }

    /// What a robot has and can; nothing is declared of one that is not there.
    pub fn profile(&self, robot: &RobotId) -> Arc<RobotProfile> {
        self.0.robots.load().get(robot).map_or_else(Arc::default, |entry| entry.info.profile.clone())
    }

    /// The family of a robot that is there.
    pub fn family(&self, robot: &RobotId) -> Option<&'static str> {
        self.0.robots.load().get(robot).map(|entry| entry.info.family)
    }

    /// Whether a robot is there.
    pub fn has(&self, robot: &RobotId) -> bool {
        self.0.robots.load().contains_key(robot) && self.shows(robot)
    }

    /// Tells whether it is the same robot of that name as before; `None` if it is not there.
    pub fn stay(&self, robot: &RobotId) -> Option<Stay> {
        self.0.robots.load().get(robot).map(|entry| Stay(Arc::downgrade(entry)))
    }

    /// How many robots went so far: a list of robots is current while this stays the same.
    pub fn robots_gone(&self) -> u64 {
        self.0.gone.load(Ordering::Acquire)
    }

    /// Tells when robots come or go.
    pub fn population(&self) -> Population {
        Population::new(self.0.population.subscribe(), self.0.clock)
    }

    /// The last update of a kind, or of one part of it.
    pub fn last(&self, robot: &RobotId, kind: Kind, part: Option<&PartName>) -> Option<Arc<Shared>> {
        let topics = self.0.topics.load();
        let topic = topics.get(&key(robot, kind, part))?;
        if self.shows_topic(topic) { topic.last.load_full() } else { None }
    }

    /// The last updates of all parts of a kind.
    pub fn last_of_parts(&self, robot: &RobotId, kind: Kind) -> Vec<Arc<Shared>> {
        self.last_below(&format!("{robot}/{kind}"))
    }

    /// The last updates of a robot.
    pub fn last_of_robot(&self, robot: &RobotId) -> Vec<Arc<Shared>> {
        self.last_below(robot.as_str())
    }

    fn last_below(&self, prefix: &str) -> Vec<Arc<Shared>> {
        let topics = self.0.topics.load();
        let below = topics.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        let below = below.take_while(|(key, _)| key.starts_with(prefix));
        let own = below.filter(|(key, _)| matches!(key.as_bytes().get(prefix.len()), None | Some(b'/')));
        own.filter(|(_, topic)| self.shows_topic(topic))
            .filter_map(|(_, topic)| topic.last.load_full())
            .collect()
    }

    /// Whether one part of a kind is subscribed to at full rate.
    pub fn is_watched(&self, robot: &RobotId, kind: Kind, part: &PartName) -> bool {
        let Ok(key) = zenoh_keyexpr::OwnedKeyExpr::new(key(robot, kind, Some(part))) else { return false };
        self.0.demand.load().iter().any(|it| it.full && it.expression.intersects(&key))
    }

    /// Sinks with at least one subscription, oldest first; only who may see every robot is shown any.
    pub fn sinks(&self) -> Vec<SinkReport> {
        if !self.shows_all() {
            return Vec::new();
        }
        let followers: Vec<_> = {
            let changing = self.0.changing();
            changing.followers.values().map(|it| (it.mailbox.clone(), it.info.clone())).collect()
        };
        let mut reports: Vec<_> = followers
            .iter()
            .filter_map(|(mailbox, info)| {
                let subscriptions = mailbox.subscriptions();
                let (first, _) = subscriptions.first()?;
                Some((*first, SinkReport::of(mailbox, info, &subscriptions, self.0.clock.now())))
            })
            .collect();
        reports.sort_by_key(|(first, _)| *first);
        reports.into_iter().map(|(_, report)| report).collect()
    }

    /// What the sinks of each dialect got since the start, by the dialect's name.
    pub fn totals(&self) -> Vec<DialectTotals> {
        self.0.meter.totals()
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("robots", &self.0.robots.load().size()).finish_non_exhaustive()
    }
}

impl HubInner {
    fn changing(&self) -> std::sync::MutexGuard<'_, Changing> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_topic(&self, topic: Topic) -> Arc<Topic> {
        let topic = Arc::new(topic);
        let changing = self.changing();
        changing.interests.route(&topic);
        let topics = self.topics.load().insert(topic.name.key.to_string(), topic.clone());
        self.topics.store(Arc::new(topics));
        topic
    }

    /// Whether a topic is the one of its name.
    fn has_topic(&self, topic: &Arc<Topic>) -> bool {
        self.topics.load().get(topic.name.key.as_str()).is_some_and(|known| Arc::ptr_eq(known, topic))
    }

    /// Takes out a topic, unless another one has taken its place.
    fn remove_topic(&self, topic: &Arc<Topic>) {
        let _changing = self.changing();
        if self.has_topic(topic) {
            self.topics.store(Arc::new(self.topics.load().remove(topic.name.key.as_str())));
        }
    }

    fn publish(&self, topic: &Topic, update: Update, wakes: &mut Wakes) {
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
        let mailbox = &sink.mailbox;
        mailbox.follow(id, subscription.clone(), self.clock.now());
        {
            let mut changing = self.changing();
            let (select, demand) = (&subscription.select, Needs::of(subscription));
            let new = || Follower { mailbox: mailbox.clone(), info: sink.info.clone(), subscriptions: 0 };
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
        self.generation.send_modify(|generation| *generation += 1);
    }

    fn wants(&self, key: &keyexpr) -> bool {
        self.demand.load().iter().any(|it| it.expression.intersects(key))
    }

    /// Whether an expression is exactly this key.
    fn names(&self, key: &keyexpr) -> bool {
        self.demand.load().iter().any(|it| it.full && *it.expression == *key)
    }

    /// The kinds of a robot that may be subscribed to at full rate; never too few, sometimes too many.
    fn wanted(&self, robot: &RobotId) -> KindSet {
        let Ok(below) = zenoh_keyexpr::OwnedKeyExpr::new(format!("{robot}/**")) else { return KindSet::NONE };
        let demand = self.demand.load();
        let closely = demand.iter().filter(|it| it.full && it.expression.intersects(&below));
        closely.fold(KindSet::NONE, |kinds, it| kinds.or(it.kinds))
    }

    fn report_link_gap(&self, robot: &RobotId, since: Timestamp) {
        let Ok(below) = zenoh_keyexpr::OwnedKeyExpr::new(format!("{robot}/**")) else { return };
        let followers = self.changing().interests.followers(&below);
        followers.iter().for_each(|mailbox| mailbox.report_silence(robot, since));
    }

    /// Publishes what the gateway itself finds wrong with a robot, beside what the robot publishes.
    fn publish_alerts(&self, entry: &RobotEntry) {
        let part = PartName::of(GATEWAY);
        let _telling = entry.telling.lock().unwrap_or_else(PoisonError::into_inner);
        let alerts = Alerts { active: entry.robot().alerts() };
        let topic = entry.alerts_topic.get_or_init(|| {
            let name = key(&entry.info.robot, Kind::Alerts, Some(&part));
            let name = zenoh_keyexpr::OwnedKeyExpr::new(name).ok()?;
            Some(self.add_topic(Topic::new(name, Kind::Alerts, Some(part.clone()))))
        });
        let Some(topic) = topic else { return };
        let update =
            Update { part: Some(part), ..Update::now(&entry.info.robot, self.clock.now(), alerts.into()) };
        self.publish(topic, update, &mut Wakes::default());
    }

    /// Takes out a robot and the topics that it has published on.
    fn remove<'a>(&self, entry: &'a RobotEntry, published: impl Iterator<Item = &'a Topic>) {
        {
            let _changing = self.changing();
            self.robots.store(Arc::new(self.robots.load().remove(&entry.info.robot)));
            let mut topics = Topics::clone(&self.topics.load());
            let alerts = entry.alerts_topic.get().into_iter().flatten().map(|topic| &**topic);
            for topic in published.chain(alerts) {
                topics.remove_mut(topic.name.key.as_str());
            }
            self.topics.store(Arc::new(topics));
        }
        self.gone.fetch_add(1, Ordering::Release);
        self.population.send_modify(|robots| *robots = robots.saturating_sub(1));
    }
}

/// The topics that are there and that a selection includes.
fn select_topics<'a>(topics: &'a Topics, select: &'a Selection) -> impl Iterator<Item = &'a Arc<Topic>> {
    let includes = |topic: &&Arc<Topic>| select.includes(&topic.name.key);
    let below = select.expressions().iter().flat_map(|expression| interest::below(topics, expression));
    // One that two expressions include comes twice; the reader's sequence numbers take care of that.
    below.filter(includes)
}
