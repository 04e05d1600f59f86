//! The hub: robots by name, who may command them, and the exchange of what they publish.
//!
//! ```text
//! Source::publish ───────▶ Exchange (crate::exchange) ──▶ Sink::receive
//! Source::next_command ◀── CommandQueue ◀── the robot's owner (crate::robot) ◀── CommandClient::command
//! ```
//!
//! The list of robots is read without a lock. A change makes a new list, which shares what it leaves alone with the one before.

mod adapt;
mod audit;
mod command_client;
mod commands;
mod declared;
mod derived;
mod drive_ends;
mod guard;
mod in_frame;
mod navigation;
mod owner;
mod places;
mod policies;
mod population;
mod queue;
mod robots;
mod source;
mod trace;
mod viewer;

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use foldhash::HashMap;

pub use audit::{CommandRecord, CommandTotal};
pub use command_client::CommandClient;
pub(crate) use derived::DerivedTopic;
pub use in_frame::InFrameView;
pub use navigation::{NavigationControl, NavigationRequest, NavigationRequests, NavigationTopics, PLANNED};
pub use owner::Keeper;
pub use policies::Policies;
pub use population::Population;
pub use queue::{CommandRequest, Validity};
pub use robots::{Residency, RobotReport};
pub use source::{Origin, RobotInfo, Source};
pub use trace::{
    COMMAND_TARGET, CommandAnswer, CommandId, CommandStep, CommandSteps, Followed, InvalidCommandId, Station,
};

use crate::clock::Clock;
use crate::derive::Vocabulary;
pub use crate::exchange::{
    Condition, ConditionError, Delivery, DemandLevel, DialectTotals, ENCODE_BOUNDS, EncodeTimes, Encoding,
    EndReason, Filter, Gap, GapReason, MailboxLimits, ModelView, Operator, Pace, Selection, SelectionError,
    Shared, Sink, SinkCounters, SinkInfo, SinkReport, Subscription, SubscriptionId, View, WakeUps, picked,
};
use crate::exchange::{Exchange, Topic, Viewer};
use crate::frames::FrameTree;
use crate::memory::Budget;
use crate::model::signal::Alerts;
use crate::model::{Kind, PartName, RobotId, RobotProfile, Update};
use crate::robot::Event;
use crate::sessions::Sessions;
use commands::Commands;
use navigation::Navigator;
use owner::Owners;
use population::Robots;
use robots::RobotEntry;

/// The part of the alerts that are the gateway's own.
const GATEWAY: &str = "gateway";

struct HubInner {
    clock: Clock,
    memory: Budget,
    exchange: Arc<Exchange>,
    sessions: Sessions,
    robots: Robots,
    owners: Owners,
    commands: Commands,
    navigator: Navigator,
    frames: ArcSwap<FrameTree>,
    vocabulary: ArcSwap<Vocabulary>,
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
                memory: Budget::new(clock),
                exchange: Arc::new(Exchange::new(clock)),
                sessions: Sessions::new(clock),
                robots: Robots::default(),
                owners: Owners::default(),
                commands: Commands::default(),
                navigator: Navigator::default(),
                frames: ArcSwap::default(),
                vocabulary: ArcSwap::default(),
            }),
            None,
        )
    }

    /// An empty hub by which no robot is commanded: neither by clients nor by what stops robots of its own accord.
    pub fn observing(clock: Clock) -> Self {
        let hub = Self::new(clock);
        hub.0.commands.observes.store(true, Ordering::Release);
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

    /// What clients have open.
    pub fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// Takes in a robot.
    pub fn register(&self, info: RobotInfo) -> Result<Source, NameTaken> {
        let policy = self.0.owners.policies.load().get(&info.robot).clone();
        let navigated = self.navigated(&info.profile);
        let is_navigated = navigated.is_some();
        let info = RobotInfo { profile: navigated.unwrap_or_else(|| info.profile.clone()), ..info };
        let mut kept = self.0.owners.kept.get(&info.robot);
        kept.may_move |= policy.stops_at_start && info.origin != Origin::Simulated;
        let entry = Arc::new(RobotEntry::new(info, policy.clone(), is_navigated, kept, self.0.clock));
        self.0.robots.add(&entry)?;
        // What it is held to shows, and it is watched if it has to be. Policies that were set while it came hold for it, too.
        let policy = self.0.owners.policies.load().get(&entry.info.robot).clone();
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
        self.0.exchange.sink((dialect, peer), limits, self.1.clone(), is_internal)
    }

    /// All robots, by name.
    pub fn robots(&self) -> Vec<RobotReport> {
        let robots = self.0.robots.all();
        let known = robots.values().filter(|entry| self.shows(&entry.info.robot));
        known.map(|entry| entry.report(self.0.clock.now())).collect()
    }

    /// One robot.
    pub fn robot(&self, robot: &RobotId) -> Option<RobotReport> {
        let robots = self.0.robots.all();
        robots.get(robot).filter(|_| self.shows(robot)).map(|entry| entry.report(self.0.clock.now()))
    }

    /// What a robot has and can; nothing is declared of one that is not there.
    pub fn profile(&self, robot: &RobotId) -> Arc<RobotProfile> {
        self.0.robots.all().get(robot).map_or_else(Arc::default, |entry| entry.info.profile.clone())
    }

    /// The family of a robot that is there.
    pub fn family(&self, robot: &RobotId) -> Option<&'static str> {
        self.0.robots.all().get(robot).map(|entry| entry.info.family)
    }

    /// Whether a robot is there.
    pub fn has(&self, robot: &RobotId) -> bool {
        self.0.robots.all().contains_key(robot) && self.shows(robot)
    }

    /// Tells whether it is the same robot of that name as before; `None` if it is not there.
    pub fn stay(&self, robot: &RobotId) -> Option<Residency> {
        self.0.robots.all().get(robot).map(|entry| Residency(Arc::downgrade(entry)))
    }

    /// How many robots went so far: a list of robots is current while this stays the same.
    pub fn robots_gone(&self) -> u64 {
        self.0.robots.gone()
    }

    /// Tells when robots come or go.
    pub fn population(&self) -> Population {
        self.0.robots.population(self.0.clock)
    }

    /// The last update of a kind, or of one part of it.
    ///
    /// ```
    /// use latimer_core::hub::{Origin, RobotInfo};
    /// use latimer_core::model::{Kind, signal::Range};
    /// use latimer_core::{Clock, Hub, RobotId, Update, Value};
    ///
    /// # let hub = Hub::new(Clock::system());
    /// # let robot: RobotId = "rover-1".parse()?;
    /// let source = hub.register(RobotInfo::new(robot.clone(), "rover", Origin::Simulated))?;
    /// for distance_m in [0.5, 0.4] {
    ///     source.publish(Update::now(&robot, hub.clock().now(), Range::valid(distance_m).into()));
    /// }
    /// let last = hub.last(&robot, Kind::Range, None).ok_or("none yet")?;
    /// assert_eq!(last.signal.field("distance_m"), Some(Value::Float(0.4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn last(&self, robot: &RobotId, kind: Kind, part: Option<&PartName>) -> Option<Arc<Shared>> {
        let topic = self.0.exchange.topic(robot, kind, part)?;
        if self.shows_topic(&topic) { topic.last() } else { None }
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
        let topics = self.0.exchange.topics_below(prefix).into_iter();
        topics.filter(|topic| self.shows_topic(topic)).filter_map(|topic| topic.last()).collect()
    }

    /// Whether one part of a kind is subscribed to at full rate.
    pub fn is_watched(&self, robot: &RobotId, kind: Kind, part: &PartName) -> bool {
        self.0.exchange.is_watched(robot, kind, part)
    }

    /// Sinks with at least one subscription, oldest first; only who may see every robot is shown any.
    pub fn sinks(&self) -> Vec<SinkReport> {
        if self.shows_all() { self.0.exchange.sinks() } else { Vec::new() }
    }

    /// What the sinks of each dialect got since the start, by the dialect's name.
    pub fn totals(&self) -> Vec<DialectTotals> {
        self.0.exchange.totals()
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("robots", &self.0.robots.all().size()).finish_non_exhaustive()
    }
}

impl HubInner {
    /// Publishes what the gateway itself finds wrong with a robot, beside what the robot publishes.
    fn publish_alerts(&self, entry: &RobotEntry) {
        let part = PartName::of(GATEWAY);
        let _telling = entry.telling.lock().unwrap_or_else(PoisonError::into_inner);
        let alerts = Alerts { active: entry.robot().alerts() };
        let topic = entry
            .alerts_topic
            .get_or_init(|| self.exchange.add_topic(&entry.info.robot, Kind::Alerts, Some(&part)));
        let Some(topic) = topic else { return };
        let update =
            Update { part: Some(part), ..Update::now(&entry.info.robot, self.clock.now(), alerts.into()) };
        self.exchange.publish(topic, update, &mut WakeUps::default());
    }

    /// Takes out a robot and the topics that it has published on.
    fn remove<'a>(&self, entry: &'a RobotEntry, published: impl Iterator<Item = &'a Topic>) {
        self.robots.remove(&entry.info.robot);
        let alerts = entry.alerts_topic.get().into_iter().flatten().map(|topic| &**topic);
        self.exchange.remove_topics(published.chain(alerts));
    }
}
