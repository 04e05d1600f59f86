//! The gateway as robots of the swarm: any robot of the hub, at a broker as one of its own would be.
//!
//! ```text
//! hub ──updates──▶ Member ──map──▶ localization/update, sensor/*, output/neopixel, robot/log, comm/out/* ──▶ broker
//!  ▲                  │ asks, if `ask`                                                                         │
//!  │                  └──▶ PendingQueries: waits for sensor/+/{id} ◀───────────────────────────────────────────────────┤
//!  └──commands── robot/msg/*, comm/in/*, output/neopixel/{id} ◀──── ID?, sensor/+/{id}/?, localization/update/?┘
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `place` | who is served, under which number |
//! | `member` | one of them: what was published of it, what it reads |
//! | `query_queue` | the queries of others, which wait for their turn |
//! | `pending_query` | readings that a simulator shall add its own to |
//! | `orders` | commands on their way to robots |
//! | here | the link and the task that owns all of it |

mod body;
mod member;
mod orders;
mod pending_query;
mod place;
mod query_queue;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use latimer_core::hub::{Delivery, MailboxLimits, Shared, Sink};
use latimer_core::limits::UNREAD_TIMEOUT;
use latimer_core::{BrokerAddress, Clock, Hub, RobotId, Timestamp};
use latimer_listen::Trust;
use latimer_mqtt::{FairQueue, Link, LinkEvent, Login, Message as Published, Publisher, Qos};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::map::message_from_update;
use super::messages::robot::Order;
use super::messages::sensor::{ColorRequest, DistanceRequest};
use super::roster::{FIRST_FREE, Roster, SwarmId};
use super::topic::{Channel, Sensor};
use super::wire::Message;
use crate::contract::Translated;
use crate::pera::limits::{FACADE_KEEP_ALIVE_INTERVAL, PENDING_LOOK_INTERVAL};
use crate::throttled_warning::ThrottledWarning;
use member::Member;
use orders::Orders;
use pending_query::PendingQueries;
pub(super) use place::enlist;
use place::{ServedIds, numbers};
use query_queue::{QueryTarget, Request};

/// Most messages taken from the link at once.
const BATCH: usize = 256;
/// Most robots in one list of places, so that no broker finds it too big.
const LIST: usize = 500;

/// What may wait for the facade: some values of each of thousands of robots.
const LIMITS: MailboxLimits =
    MailboxLimits { events: 4_096, keys: 65_536, frames: 0, disconnect_after: UNREAD_TIMEOUT };

/// What a facade is made of.
pub(super) struct Settings {
    pub(super) broker: BrokerAddress,
    pub(super) trust: Trust,
    pub(super) channel: Channel,
    /// Robots to serve, with their numbers.
    pub(super) serve: Vec<(RobotId, SwarmId)>,
    /// Those of them that are bodies of programs.
    pub(super) bodies: BTreeSet<SwarmId>,
    /// Whether to serve every other robot, too.
    pub(super) serve_all: bool,
    /// The frame of places.
    pub(super) frame: String,
    /// How long to wait for a simulator's reading; they do not ask if not given.
    pub(super) ask: Option<Duration>,
}

/// The gateway as robots of the swarm.
pub(super) struct Facade {
    hub: Hub,
    clock: Clock,
    channel: Channel,
    places: ServedIds,
    bodies: BTreeSet<SwarmId>,
    members: BTreeMap<SwarmId, Member>,
    numbers: BTreeMap<RobotId, SwarmId>,
    sink: Sink,
    queries: Option<PendingQueries>,
    query_queue: FairQueue<QueryTarget, Request>,
    orders: Orders,
    publisher: Publisher,
    is_up: bool,
    odd: ThrottledWarning,
    lost: ThrottledWarning,
    flooded: ThrottledWarning,
    late: ThrottledWarning,
    /// Readings that were asked for before there was any, and until when they are waited for.
    awaited: Vec<(SwarmId, Sensor, Timestamp)>,
    /// The broker, for lists.
    peer: String,
    /// The frame of places.
    frame: String,
}

/// Runs until the token is cancelled.
pub(super) async fn run(settings: Settings, hub: Hub, roster: Roster, stop: CancellationToken) {
    let clock = hub.clock();
    // Or what the broker says of answers would stand behind a flood.
    let login = login(&settings);
    let (subscriber, _, subscribing) = Link::new(login.clone(), clock, stop.clone());
    let (sender, publisher, sending) = Link::new(login.publishing(), clock, stop.clone());
    let tasks = TaskTracker::new();
    tasks.spawn(subscribing);
    tasks.spawn(sending);
    tasks.close();
    let peer = settings.broker.to_string();
    let mut facade = Facade {
        clock,
        channel: settings.channel,
        places: ServedIds::new(settings.serve, settings.serve_all, roster),
        bodies: settings.bodies,
        members: BTreeMap::new(),
        numbers: BTreeMap::new(),
        sink: hub.internal_sink(super::NAME, peer.clone(), LIMITS),
        queries: settings.ask.map(PendingQueries::new),
        query_queue: FairQueue::default(),
        orders: Orders::new(&hub),
        publisher,
        is_up: false,
        odd: ThrottledWarning::default(),
        lost: ThrottledWarning::default(),
        flooded: ThrottledWarning::default(),
        late: ThrottledWarning::default(),
        awaited: Vec::new(),
        hub,
        peer,
        frame: settings.frame,
    };
    facade.serve(subscriber, sender, &stop).await;
    tasks.wait().await;
}

/// What robots listen to; where all are served, what any robot listens to.
fn login(settings: &Settings) -> Login {
    let mut filters = vec!["robot/msg/broadcast".to_owned(), "localization/update/?".to_owned()];
    let all = ["robot/msg/+", "sensor/+/+", "sensor/+/+/?", "comm/in/+/+", "output/neopixel/+"];
    if settings.serve_all {
        // Those of a broadcast are among them.
        filters.remove(0);
        filters.extend(all.map(str::to_owned));
    } else {
        for (_, id) in &settings.serve {
            let own = [
                format!("robot/msg/{id}"),
                format!("sensor/+/{id}"),
                format!("sensor/+/{id}/?"),
                format!("comm/in/+/{id}"),
                format!("output/neopixel/{id}"),
            ];
            filters.extend(own);
        }
    }
    if !settings.bodies.is_empty() {
        let programs = ["localization", "localization/update", "sensor/distance", "sensor/color"];
        filters.extend(programs.map(str::to_owned));
    }
    let join = |filter: String| (settings.channel.join(&filter), Qos::AtLeastOnce);
    Login {
        address: settings.broker.clone(),
        client_id: format!("latimer-pera-robots-{:08x}", rand::random::<u32>()),
        subscriptions: filters.into_iter().map(join).collect(),
        will: None,
        keep_alive: FACADE_KEEP_ALIVE_INTERVAL,
        trust: settings.trust.clone(),
    }
}

impl Facade {
    async fn serve(&mut self, mut subscriber: Link, mut sender: Link, stop: &CancellationToken) {
        let mut population = self.hub.population();
        let mut tick = tokio::time::interval(PENDING_LOOK_INTERVAL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let (mut incoming, mut deliveries) = (Vec::new(), Vec::new());
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                count = subscriber.next_many(&mut incoming, BATCH) => {
                    if count == 0 {
                        return;
                    }
                    incoming.drain(..).for_each(|incoming| self.receive(incoming));
                }
                () = self.sink.receive(&mut deliveries) => self.publish_deliveries(&mut deliveries),
                () = population.changed() => self.gather(),
                refusal = self.orders.refused() => {
                    let (id, reason) = refusal;
                    self.ask(QueryTarget::One(id), Request::Note(reason));
                }
                Some(LinkEvent::Lost(lost)) = sender.next() => self.receive(LinkEvent::Lost(lost)),
                () = self.query_queue.ready(&self.publisher) => {}
                _ = tick.tick() => self.give_up(),
            }
            self.take_turn();
        }
    }

    /// Takes in robots that came, and lets go of those that went.
    fn gather(&mut self) {
        let change = self.places.look(&self.hub);
        for id in change.gone {
            if let Some(member) = self.members.remove(&id) {
                self.numbers.remove(&member.robot);
                member.leave(&self.sink);
            }
        }
        if !change.new.is_empty() {
            tracing::info!(numbers = numbers(&change.new), "robots are served in the swarm");
        }
        for (id, report) in change.new {
            let member = Member::new(id, &report, &self.frame, self.bodies.contains(&id), &self.sink);
            self.numbers.insert(member.robot.clone(), id);
            self.members.insert(id, member);
            self.announce(id);
        }
    }

    /// Introduces a robot, as robots do when they start; those who know no place wait until they do.
    fn announce(&mut self, id: SwarmId) {
        let Some(member) = self.members.get_mut(&id).filter(|_| self.is_up) else { return };
        // A program introduces its body itself.
        let Some(introduction) = member.introduction(&self.hub).filter(|_| member.body.is_none()) else {
            return;
        };
        member.is_introduced = true;
        let asked = std::mem::take(&mut member.is_missed).then(|| Message::Live(member.live()));
        introduction.iter().chain(&asked).for_each(|message| self.publish(message));
    }

    /// Passes on what robots say.
    fn publish_deliveries(&mut self, deliveries: &mut Vec<Delivery>) {
        let now = self.clock.now();
        let mut places = Vec::new();
        for delivery in deliveries.drain(..) {
            let (id, update) = match delivery {
                Delivery::Update(id, update) => (id, update),
                Delivery::Gap(_) => continue,
                Delivery::End(reason) => {
                    tracing::warn!(?reason, "the robots of the swarm fell behind; they begin anew");
                    self.begin_anew();
                    return;
                }
            };
            let member = self.numbers.get(&update.robot).and_then(|id| self.members.get_mut(id));
            let Some(member) = member.filter(|it| it.body.is_none()) else { continue };
            let Some(message) = member.changes(&self.hub, id, &update, now) else { continue };
            let (id, is_introduced) = (member.id, member.is_introduced);
            match message {
                Message::LocalizationUpdate(_) if !is_introduced => self.announce(id),
                Message::LocalizationUpdate(list) => places.extend(list),
                message => {
                    let sent = match &mut self.queries {
                        Some(queries) => queries.ask(message, now),
                        None => Some(message),
                    };
                    sent.iter().for_each(|message| self.publish(message));
                }
            }
        }
        for list in places.chunks(LIST) {
            self.publish(&Message::LocalizationUpdate(list.to_vec()));
        }
    }

    /// A new sink in the place of one that was given up.
    fn begin_anew(&mut self) {
        self.sink = self.hub.internal_sink(super::NAME, self.peer.clone(), LIMITS);
        self.members.values_mut().for_each(|member| member.follow(&self.sink));
    }

    fn receive(&mut self, incoming: LinkEvent) {
        match incoming {
            LinkEvent::Up => {
                self.is_up = true;
                self.orders.set_connected(&self.hub, true);
                let all: Vec<SwarmId> = self.members.keys().copied().collect();
                all.into_iter().for_each(|id| self.announce(id));
            }
            LinkEvent::Down(_) => {
                self.is_up = false;
                self.orders.set_connected(&self.hub, false);
            }
            LinkEvent::Lost(lost) => {
                if let Some(count) = self.lost.due(self.clock.now(), lost.count) {
                    tracing::warn!(count, reason = %lost.reason, "messages of the swarm did not get through");
                }
            }
            LinkEvent::Message(published) => self.take(&published),
        }
    }

    fn take(&mut self, published: &Published) {
        let Some(topic) = self.channel.topic(&published.topic) else { return };
        // Where all are served, the messages to others arrive as well.
        if topic.robot().is_some_and(|id| !self.members.contains_key(&id)) {
            return;
        }
        let message = match Message::read(&topic, &published.payload) {
            Ok(message) => message,
            Err(error) => {
                if let Some(count) = self.odd.due(self.clock.now(), 1) {
                    tracing::warn!(%error, count, "a message to a robot of the swarm is not understood");
                }
                return;
            }
        };
        match &message {
            Message::Order(Some(id), Order::Id) => {
                self.ask(QueryTarget::One(*id), Request::Whether([*id].into()))
            }
            Message::Order(None, Order::Id) => {
                self.ask(QueryTarget::AllWhether, Request::Whether(self.members.keys().copied().collect()));
            }
            Message::Order(Some(id), Order::Other(text)) if self.members.contains_key(id) => {
                let shown: String = text.chars().take(40).collect();
                let note = format!("{shown}: unknown; send START, STOP, RESET, MODE or ID?");
                self.ask(QueryTarget::One(*id), Request::Note(note));
            }
            Message::LocalizationUpdateAsked => {
                self.ask(QueryTarget::AllWhere, Request::Where(self.members.keys().copied().collect()));
            }
            Message::LocalizationUpdate(places) => {
                let placed = places.iter().filter_map(|place| {
                    let member = self.members.get_mut(&place.id)?;
                    Some((place.id, member.robot.clone(), member.goal(&self.hub, place)?))
                });
                let placed: Vec<_> = placed.collect();
                placed.into_iter().for_each(|(id, robot, goal)| self.drive(id, &robot, goal, published));
            }
            Message::Distance(DistanceRequest { id, .. }) => {
                self.ask_body(*id, Request::Sensed(Sensor::Distance))
            }
            Message::Color(ColorRequest { id, .. }) => self.ask_body(*id, Request::Sensed(Sensor::Color)),
            Message::Localization(id) => self.ask_body(*id, Request::Located),
            Message::SensorAsked(sensor, id) => self.ask(QueryTarget::One(*id), Request::Reading(*sensor)),
            Message::DistanceOf(id, _) | Message::ColorOf(id, _) if self.members.contains_key(id) => {
                let now = self.clock.now();
                if let Some(log) = self.queries.as_mut().and_then(|queries| queries.receive(&message, now)) {
                    self.publish(&Message::Log(log));
                }
            }
            _ => self.obey(&message, published),
        }
    }

    /// A program asks something of its body.
    fn ask_body(&mut self, id: SwarmId, request: Request) {
        if self.members.get(&id).is_some_and(|member| member.body.is_some()) {
            self.ask(QueryTarget::One(id), request);
        }
    }

    fn give_up(&mut self) {
        let now = self.clock.now();
        if let Some(queries) = &mut self.queries {
            queries.expire(now);
        }
        self.answer_late(now);
    }

    /// The link counts and logs what it does not take.
    fn publish(&self, message: &Message) {
        let (topic, payload) = message.write();
        let _ = self.publisher.publish(Published::new(self.channel.join(&topic), payload, Qos::AtLeastOnce));
    }
}

/// An update as one of the swarm would tell it. Robots without a number go by the first that is given to such.
pub(super) fn translate(
    hub: &Hub,
    update: &Shared,
    number: Option<SwarmId>,
    frame: &str,
) -> Option<Translated> {
    if let Some(native) = update.native.as_ref().filter(|native| native.dialect == super::NAME) {
        let topic = native.topic.to_string().into();
        return Some(Translated { topic, payload: native.payload.clone() });
    }
    let id = number.unwrap_or(FIRST_FREE);
    let reality = hub.robot(&update.robot).map(|report| place::reality_of(&report));
    let (topic, payload) = message_from_update(id, &*place::in_arena(hub, frame, update)?, reality)?.write();
    Some(Translated { topic: topic.into(), payload })
}
