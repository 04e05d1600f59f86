//! What a simulator knows and answers, without any I/O: messages in, deeds out.

use std::collections::BTreeSet;
use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::model::{Arena, Realities};
use latimer_mqtt::Qos;

use super::complaints::Complaint;
use super::member::{Change, Members};
use super::queue::Queue;
use super::readings::{ALL, compass};
use super::schedule::Beat;
use crate::pera::config::{DefaultReality, Geometry, PeraConfig};
use crate::pera::geometry::{Scene, listing};
use crate::pera::map::{is_said_by_robot, realities_from_reality, robot_of};
use crate::pera::roster::SwarmId;
use crate::pera::topic::Reach;
use crate::pera::wire::arena::{Arena as ArenaMessage, Obstacle};
use crate::pera::wire::localization::Place;
use crate::pera::wire::management::{Coordinates, Discovery, Snapshot};
use crate::pera::wire::robot::{Coordinate, Order};
use crate::pera::wire::{Message, Number, Reality};

/// Where a robot is that does not say it.
const ORIGIN: Place = Place { x: 0.0, y: 0.0, heading: 0.0 };

/// Farther than this nobody is, centimetres; beyond, arithmetic is no use.
const FAR_CM: f64 = 500_000.0;

/// What the config says of it.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Whether it answers, and not only listens.
    pub(super) speaks: bool,
    pub(super) geometry: Geometry,
    pub(super) default_reality: DefaultReality,
    pub(super) max_robots: usize,
    pub(super) hears_itself: bool,
    pub(super) reply_qos: Qos,
    pub(super) heartbeat_s: f64,
    pub(super) prune_s: f64,
    /// Its own name among simulators.
    pub(super) uuid: String,
}

impl Settings {
    pub(super) fn of(config: &PeraConfig, uuid: String) -> Self {
        Self {
            speaks: config.simulator,
            geometry: config.geometry,
            default_reality: config.default_reality,
            max_robots: config.max_robots,
            hears_itself: config.hears_itself,
            reply_qos: match config.reply_qos {
                0 => Qos::AtMostOnce,
                1 => Qos::AtLeastOnce,
                _ => Qos::ExactlyOnce,
            },
            heartbeat_s: config.heartbeat_s,
            prune_s: config.prune_s,
            uuid,
        }
    }
}

/// What a robot wants to know.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
    Distance,
    Color,
    Proximity(Vec<Number>),
    Compass,
}

/// A reading that a robot waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) wish: Wish,
    pub(super) realities: Realities,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Deed {
    /// Publish a message, so surely, and kept or not.
    Say(Message, Qos, bool),
    /// A robot has come, or is of another reality now.
    Appear(SwarmId),
    /// A robot is elsewhere.
    Move(SwarmId),
    /// A robot is gone.
    Leave(SwarmId),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) settings: Settings,
    pub(super) members: Members,
    pub(super) requests: Queue<Request>,
    arena: Option<Arena>,
    scene: Scene,
    listed: Vec<Obstacle>,
    /// Whether the broker was reached, so that somebody may have been told of another arena.
    greeted: bool,
    /// Whether the broker is away, so that nobody can be heard.
    is_away: bool,
    /// Robots of this gateway, which may be no members because they know no place.
    own: BTreeSet<SwarmId>,
    heartbeat: Beat,
    roll: Beat,
    turned_away: Complaint,
    flooded: Complaint,
    unknown: Complaint,
    deeds: Vec<Deed>,
}

impl Engine {
    pub(super) fn new(settings: Settings) -> Self {
        Self {
            heartbeat: Beat::new(if settings.speaks { settings.heartbeat_s } else { 0.0 }),
            roll: Beat::for_silence(settings.prune_s),
            settings,
            members: Members::default(),
            requests: Queue::default(),
            arena: None,
            scene: Scene::default(),
            listed: Vec::new(),
            greeted: false,
            is_away: false,
            own: BTreeSet::new(),
            unknown: Complaint::default(),
            turned_away: Complaint::default(),
            flooded: Complaint::default(),
            deeds: Vec::new(),
        }
    }

    /// What is to be done by now.
    pub(super) fn take_deeds(&mut self) -> Vec<Deed> {
        std::mem::take(&mut self.deeds)
    }

    /// The arena, as it is now; those who show it are told if it is another one than before.
    pub(super) fn set_arena(&mut self, arena: Arena) {
        if self.arena.as_ref().is_some_and(|known| known.revision == arena.revision) {
            return;
        }
        let known: Vec<_> = self.arena.iter().flat_map(|known| &known.obstacles).zip(&self.listed).collect();
        let listed = arena.obstacles.iter().map(|it| match known.iter().find(|(before, _)| *before == it) {
            Some((_, listed)) => (*listed).clone(),
            None => listing::listed(it, &uuid::Uuid::new_v4().to_string()),
        });
        let listed: Vec<Obstacle> = listed.collect();
        let is_other = self.arena.as_ref().is_none_or(|known| known.bounds_cm != arena.bounds_cm);
        let changed = is_other || listed != self.listed;
        self.listed = listed;
        self.scene = Scene::new(&arena.obstacles);
        self.arena = Some(arena);
        if changed && self.greeted {
            self.tell_bounds();
            // The same way for both, so that neither overtakes the other.
            self.say(Message::ObstaclesDeleteAll, Qos::ExactlyOnce, false);
            self.say(Message::Obstacles(self.listed.clone()), Qos::ExactlyOnce, false);
        }
    }

    /// Whether the world has told of the arena.
    pub(super) fn knows_arena(&self) -> bool {
        self.arena.is_some()
    }

    /// The frame of the world that robots tell their places in.
    pub(super) fn frame(&self) -> Option<String> {
        self.arena.as_ref().and_then(|arena| arena.frame.clone())
    }

    /// The robots of this gateway.
    pub(super) fn set_own(&mut self, own: BTreeSet<SwarmId>) {
        self.own = own;
    }

    /// The broker is away.
    pub(super) fn lose_broker(&mut self) {
        self.is_away = true;
    }

    /// Says what is said when the broker is reached.
    pub(super) fn greet(&mut self, now: Timestamp) {
        if std::mem::take(&mut self.is_away) {
            self.members.forgive(now);
        }
        if !self.settings.speaks {
            return;
        }
        self.say(Message::Order(None, Order::Id), Qos::AtLeastOnce, false);
        self.say(Message::ObstaclesDeleteAll, Qos::ExactlyOnce, false);
        self.tell_bounds();
        // The documents recommend it, and robots that were there before answer.
        self.say(Message::LocalizationUpdateAsked, Qos::AtLeastOnce, false);
        self.greeted = true;
    }

    fn tell_bounds(&mut self) {
        let Some(arena) = &self.arena else { return };
        let [x_min, y_min, x_max, y_max] = arena.bounds_cm.map(Number);
        let units = arena.units.clone();
        let arena = ArenaMessage { xMin: x_min, xMax: x_max, yMin: y_min, yMax: y_max, units };
        self.say(Message::Arena(arena), Qos::AtMostOnce, true);
    }

    /// Says what is said a second later, when those who show the swarm have forgotten what they showed.
    pub(super) fn introduce(&mut self, now: Timestamp) {
        if !self.settings.speaks {
            return;
        }
        self.say(Message::Obstacles(self.listed.clone()), Qos::AtMostOnce, false);
        let discovery = Discovery { uuid: self.settings.uuid.clone(), timestamp: iso(now) };
        self.say(Message::Discovery(discovery), Qos::AtMostOnce, false);
    }

    /// When something is to be done even if nobody says anything.
    pub(super) fn next_beat(&mut self, now: Timestamp) -> Option<Timestamp> {
        [self.heartbeat.next(now), self.roll.next(now)].into_iter().flatten().min()
    }

    /// Calls the roll and strikes off the silent when it is time; nobody is silent who cannot be heard.
    pub(super) fn tick(&mut self, now: Timestamp) {
        let (calls, strikes) = (self.heartbeat.is_due(now), self.roll.is_due(now));
        if self.is_away {
            return;
        }
        if calls {
            self.say(Message::Order(None, Order::Id), Qos::AtLeastOnce, false);
        }
        if strikes {
            let most = Duration::try_from_secs_f64(self.settings.prune_s).unwrap_or(Duration::MAX);
            for id in self.members.silent(now, most) {
                self.strike_off(id);
            }
        }
    }

    fn strike_off(&mut self, id: SwarmId) {
        if self.members.remove(id) {
            self.deeds.push(Deed::Leave(id));
            if self.settings.speaks {
                self.reply(Message::Delete(id));
            }
        }
    }

    /// Takes in a message; `kept` is one that the broker had kept.
    pub(super) fn hear(&mut self, message: &Message, kept: bool, now: Timestamp) {
        let is_news = !kept
            || matches!(
                message,
                Message::Create(_) | Message::LocalizationUpdate(_) | Message::ObstaclesAsked(_)
            );
        if !is_news {
            return;
        }
        if !self.settings.speaks {
            self.notice(message, now);
        }
        match message {
            Message::Create(it) => self.create(it, now),
            Message::Live(it) => self.live(it.id, it.reality, now),
            Message::LocalizationUpdate(list) => {
                for it in list {
                    self.update(it, now);
                }
            }
            Message::Log(it) => self.touch(it.id, now),
            Message::Neopixel(it) => self.touch(it.id, now),
            Message::Distance(it) => self.wish(it.id, Wish::Distance, it.reality, now),
            Message::Color(it) => self.wish(it.id, Wish::Color, it.reality, now),
            Message::Proximity(it) => {
                let angles = it.angles.clone().unwrap_or_else(|| vec![Number(0.0)]);
                if let Some(member) = self.members.get_mut(it.id) {
                    member.angles.clone_from(&angles);
                }
                self.wish(it.id, Wish::Proximity(angles), it.reality, now);
            }
            Message::Compass(it) => self.wish(it.id, Wish::Compass, None, now),
            _ if self.settings.speaks => self.asked(message, now),
            _ => {}
        }
    }

    /// Gives robots a body that have none, because somebody else was called so or served them.
    pub(super) fn appear_again(&mut self, is_missing: impl Fn(SwarmId) -> bool) {
        let missing = self.members.ids().filter(|id| is_missing(*id));
        self.deeds.extend(missing.map(Deed::Appear));
    }

    /// A robot asks for its compass without telling what it shows.
    pub(super) fn hear_compass_asked(&mut self, id: SwarmId, now: Timestamp) {
        self.wish(id, Wish::Compass, None, now);
    }

    /// What only a simulator answers.
    fn asked(&mut self, message: &Message, now: Timestamp) {
        match message {
            Message::Localization(id) => {
                if let Some(member) = self.members.get(*id) {
                    self.reply(Message::LocalizationOf(*id, member.place));
                }
            }
            Message::LocalizationDataAsked(reality) => {
                self.reply(Message::LocalizationData(self.members.coordinates(*reality)));
            }
            Message::CommOut(reach, it) => {
                self.touch(it.id, now);
                let most_cm = it.dist.map(|dist| dist.0);
                let itself = self.settings.hears_itself && *reach == Reach::Simple;
                if itself && self.members.get(it.id).is_some() {
                    self.reply(Message::CommIn(*reach, it.id, it.msg.clone()));
                }
                for other in self.members.reached(it.id, *reach, most_cm) {
                    self.reply(Message::CommIn(*reach, other, it.msg.clone()));
                }
            }
            Message::ObstaclesAsked(reality) => {
                let counts = |it: &&Obstacle| *reality == Reality::M || it.reality == Some(*reality);
                let listed = self.listed.iter().filter(counts).cloned().collect();
                self.say(Message::Obstacles(listed), self.settings.reply_qos, true);
            }
            Message::SnapshotAsked(id) => self.snapshot(*id),
            _ => {}
        }
    }

    /// What an observer learns from others: who is there, and what a simulator elsewhere says.
    fn notice(&mut self, message: &Message, now: Timestamp) {
        match message {
            Message::LocalizationData(list) => {
                for it in list {
                    self.update(it, now);
                }
            }
            Message::LocalizationOf(id, place) => {
                let [x, y, heading] = [place.x, place.y, place.heading].map(|it| Some(Number(it)));
                let reality = self.members.get(*id).map(|member| member.reality);
                self.update(&Coordinate { id: *id, x, y, heading, reality }, now);
            }
            Message::Delete(id) => self.strike_off(*id),
            message if is_said_by_robot(message) => {
                if let Some(id) = robot_of(message).filter(|id| self.members.get(*id).is_none()) {
                    self.admit(id, ORIGIN, None, now);
                }
            }
            _ => {}
        }
    }

    fn create(&mut self, it: &Coordinate, now: Timestamp) {
        if self.members.get(it.id).is_some() {
            return self.touch(it.id, now);
        }
        // Who says half of where it is, is where who says nothing is.
        let place = place(it).unwrap_or(ORIGIN);
        self.admit(it.id, place, it.reality, now);
    }

    fn live(&mut self, id: SwarmId, reality: Option<Reality>, now: Timestamp) {
        match self.members.get(id) {
            Some(_) => self.touch(id, now),
            None => self.admit(id, ORIGIN, reality, now),
        }
    }

    fn update(&mut self, it: &Coordinate, now: Timestamp) {
        let reality = it.reality.unwrap_or(Reality::V);
        let Some(member) = self.members.get(it.id) else {
            return self.admit(it.id, place(it).unwrap_or(ORIGIN), Some(reality), now);
        };
        let Place { x, y, heading } = member.place;
        let or = |number: Option<Number>, before: f64| number.map_or(before, |number| number.0);
        let place = Place { x: or(it.x, x), y: or(it.y, y), heading: or(it.heading, heading) };
        if !is_somewhere(place) {
            return;
        }
        match self.members.put(it.id, place, reality, now) {
            Change::Moved => self.deeds.push(Deed::Move(it.id)),
            Change::Turned => {
                self.deeds.push(Deed::Leave(it.id));
                self.deeds.push(Deed::Appear(it.id));
            }
            Change::None => {}
        }
    }

    fn admit(&mut self, id: SwarmId, place: Place, reality: Option<Reality>, now: Timestamp) {
        if self.members.len() >= self.settings.max_robots {
            if let Some(count) = self.turned_away.due(now, 1) {
                let most = self.settings.max_robots;
                tracing::warn!(
                    id,
                    most,
                    count,
                    "the swarm is full; the robot gets no answers (pera.max_robots)"
                );
            }
            return;
        }
        self.members.add(id, place, reality.unwrap_or(Reality::V), now);
        self.deeds.push(Deed::Appear(id));
    }

    fn touch(&mut self, id: SwarmId, now: Timestamp) {
        if let Some(member) = self.members.get_mut(id) {
            member.heard = now;
        }
    }

    fn wish(&mut self, id: SwarmId, wish: Wish, asked: Option<Reality>, now: Timestamp) {
        let reality = match self.members.get_mut(id) {
            Some(member) => {
                member.heard = now;
                member.reality
            }
            None if self.own.contains(&id) => Reality::V,
            None if self.settings.speaks => return self.wonder(id, now),
            None => return,
        };
        if !self.settings.speaks {
            return;
        }
        let realities = match (asked, self.settings.default_reality, reality) {
            (Some(asked), ..) => realities_from_reality(asked),
            (None, DefaultReality::Virtual, _) | (None, DefaultReality::Reference, Reality::R) => {
                Realities::Virtual
            }
            (None, DefaultReality::Reference, _) => ALL,
        };
        if !self.requests.push(id, Request { wish, realities })
            && let Some(count) = self.flooded.due(now, 1)
        {
            tracing::warn!(
                id,
                count,
                "a robot asks faster than it is answered; its newest requests are left out"
            );
        }
    }

    /// Somebody asks whom nobody knows, and gets no answer.
    fn wonder(&mut self, id: SwarmId, now: Timestamp) {
        if let Some(count) = self.unknown.due(now, 1) {
            let advice = "let it send robot/create, robot/live or localization/update first";
            tracing::warn!(id, count, advice, "a robot asks that nobody knows, and gets no answer");
        }
    }

    /// The answer by the reference's arithmetic; `None` if the robot is gone.
    pub(super) fn reckoned(&self, id: SwarmId, request: &Request) -> Option<Message> {
        let place = self.members.get(id)?.place;
        let crowd = self.members.crowd();
        Some(match &request.wish {
            Wish::Distance => Message::DistanceOf(id, self.scene.distance(place, crowd)),
            Wish::Color => Message::ColorOf(id, self.scene.color(place)),
            Wish::Proximity(angles) => Message::ProximityOf(id, self.scene.proximity(place, crowd, angles)),
            Wish::Compass => compass(id, place.heading),
        })
    }

    /// Remembers what a robot is told.
    pub(super) fn remember(&mut self, message: &Message) {
        if let Message::DistanceOf(id, reply) = message
            && let Some(member) = self.members.get_mut(*id)
        {
            member.distance = Some(reply.0);
        }
    }

    fn snapshot(&mut self, id: SwarmId) {
        let Some(member) = self.members.get(id) else { return };
        let pretty = |number: f64| Number((number * 100.0).round() / 100.0);
        let Place { x, y, heading } = member.place;
        let mut data = serde_json::Map::new();
        if let Some(distance) =
            member.distance.and_then(|distance| serde_json::to_value(Number(distance)).ok())
        {
            data.insert("distance".to_owned(), distance);
        }
        let live = iso(member.heard);
        let snapshot = Snapshot {
            id,
            reality: Some(member.reality),
            coordinates: Coordinates { x: pretty(x), y: pretty(y), heading: pretty(heading) },
            live: unpadded(live.get(11..19).unwrap_or_default()),
            data,
        };
        self.reply(Message::Snapshot(snapshot));
    }

    fn reply(&mut self, message: Message) {
        self.say(message, self.settings.reply_qos, false);
    }

    fn say(&mut self, message: Message, qos: Qos, keep: bool) {
        self.deeds.push(Deed::Say(message, qos, keep));
    }
}

/// Where a robot says that it is; `None` if it leaves something out or is nowhere.
fn place(it: &Coordinate) -> Option<Place> {
    let place = Place { x: it.x?.0, y: it.y?.0, heading: it.heading?.0 };
    is_somewhere(place).then_some(place)
}

fn is_somewhere(Place { x, y, heading }: Place) -> bool {
    [x, y, heading].iter().all(|number| number.abs() <= FAR_CM)
}

/// `01:02:03` as `1:2:3`, as the reference writes it.
fn unpadded(time: &str) -> String {
    let parts = time.split(':').map(|part| match part.strip_prefix('0') {
        Some(digit) if !digit.is_empty() => digit,
        _ => part,
    });
    parts.collect::<Vec<_>>().join(":")
}

/// A moment as `2026-01-31T12:34:56.789Z`.
fn iso(at: Timestamp) -> String {
    let time = jiff::Timestamp::from_nanosecond(i128::from(at.as_nanos())).unwrap_or_default();
    format!("{time:.3}")
}
