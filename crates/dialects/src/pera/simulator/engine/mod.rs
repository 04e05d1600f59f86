//! What a simulator knows and answers, without any I/O: messages in, effects out.

mod broadcast;
mod effect;
mod queries;
mod request;
mod robot_counts;
mod settings;
mod snapshot;

use std::time::Duration;

use latimer_core::Timestamp;
use latimer_mqtt::{FairQueue, Qos};
use latimer_simulator_api::Arena;

use super::creators::Creators;
use super::member::Members;
use super::schedule::Beat;
use crate::pera::geometry::{Scene, listing};
use crate::pera::messages::arena::{Arena as ArenaMessage, Obstacle};
use crate::pera::messages::management::Discovery;
use crate::pera::messages::robot::Order;
use crate::pera::roster::{Roster, SwarmId};
use crate::pera::wire::{Message, Number};
use crate::throttled_warning::ThrottledWarning;

use broadcast::{Broadcast, Broadcasts};
pub(super) use effect::Effect;
use request::Call;
pub(super) use request::{Request, Sense, Wish};
pub(super) use settings::Settings;
use snapshot::iso;

/// What a simulator knows and answers, without any I/O.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) settings: Settings,
    pub(super) members: Members,
    pub(super) requests: FairQueue<SwarmId, Request>,
    broadcasts: Broadcasts,
    arena: Option<Arena>,
    scene: Scene,
    listed: Vec<Obstacle>,
    /// Whether the broker was reached, so that another arena may have been published.
    greeted: bool,
    /// Whether the broker is away, so that no message can arrive.
    is_away: bool,
    /// The robots of this gateway, which may be no members because they know no place.
    roster: Roster,
    /// Who brings robots, if it can be known.
    pub(super) creators: Option<Creators>,
    heartbeat: Beat,
    roll: Beat,
    turned_away: ThrottledWarning,
    flooded: ThrottledWarning,
    unknown: ThrottledWarning,
    effects: Vec<Effect>,
}

impl Engine {
    pub(super) fn new(settings: Settings, roster: Roster) -> Self {
        Self {
            heartbeat: Beat::new(if settings.speaks { settings.heartbeat_s } else { 0.0 }),
            roll: Beat::for_silence(settings.prune_s),
            settings,
            members: Members::default(),
            requests: FairQueue::default(),
            broadcasts: Broadcasts::default(),
            arena: None,
            scene: Scene::default(),
            listed: Vec::new(),
            greeted: false,
            is_away: false,
            roster,
            creators: None,
            unknown: ThrottledWarning::default(),
            turned_away: ThrottledWarning::default(),
            flooded: ThrottledWarning::default(),
            effects: Vec::new(),
        }
    }

    /// What is to be done by now.
    pub(super) fn take_deeds(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The arena, as it is now; it is published if it changed.
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
            self.publish_bounds();
            // The same way for both, so that neither overtakes the other.
            self.publish(Message::ObstaclesDeleteAll, Qos::ExactlyOnce, false);
            self.publish(Message::Obstacles(self.listed.clone()), Qos::ExactlyOnce, false);
        }
    }

    /// Whether the world has described the arena.
    pub(super) fn knows_arena(&self) -> bool {
        self.arena.is_some()
    }

    /// The frame of the world that robots tell their places in.
    pub(super) fn frame(&self) -> Option<String> {
        self.arena.as_ref().and_then(|arena| arena.frame.clone())
    }

    /// The broker is away.
    pub(super) fn lose_broker(&mut self) {
        self.is_away = true;
    }

    /// Publishes the greeting when the broker is reached.
    pub(super) fn greet(&mut self, now: Timestamp) {
        if std::mem::take(&mut self.is_away) {
            self.members.forgive(now);
        }
        if !self.settings.speaks {
            return;
        }
        self.publish(Message::Order(None, Order::Id), Qos::AtLeastOnce, false);
        self.publish(Message::ObstaclesDeleteAll, Qos::ExactlyOnce, false);
        self.publish_bounds();
        // The documents recommend it, and robots that were there before answer.
        self.publish(Message::LocalizationUpdateAsked, Qos::AtLeastOnce, false);
        self.greeted = true;
    }

    fn publish_bounds(&mut self) {
        let Some(arena) = &self.arena else { return };
        let [x_min, y_min, x_max, y_max] = arena.bounds_cm.map(Number);
        let units = arena.units.clone();
        let arena = ArenaMessage { xMin: x_min, xMax: x_max, yMin: y_min, yMax: y_max, units };
        self.publish(Message::Arena(arena), Qos::AtMostOnce, true);
    }

    /// Publishes the rest a second later, when those who show the swarm have forgotten what they showed.
    pub(super) fn introduce(&mut self, now: Timestamp) {
        if !self.settings.speaks {
            return;
        }
        self.publish(Message::Obstacles(self.listed.clone()), Qos::AtMostOnce, false);
        let discovery = Discovery { uuid: self.settings.uuid.clone(), timestamp: iso(now) };
        self.publish(Message::Discovery(discovery), Qos::AtMostOnce, false);
    }

    /// When something is to be done even if nobody says anything.
    pub(super) fn next_beat(&mut self, now: Timestamp) -> Option<Timestamp> {
        [self.heartbeat.next(now), self.roll.next(now), self.broadcasts.next()].into_iter().flatten().min()
    }

    /// Calls the roll and strikes off the silent when it is time; a robot out of reach is not silent.
    pub(super) fn tick(&mut self, now: Timestamp) {
        let (calls, strikes) = (self.heartbeat.is_due(now), self.roll.is_due(now));
        if self.is_away {
            return;
        }
        self.broadcast_due(now);
        if calls {
            self.publish(Message::Order(None, Order::Id), Qos::AtLeastOnce, false);
        }
        if strikes {
            let most = Duration::try_from_secs_f64(self.settings.prune_s).unwrap_or(Duration::MAX);
            for id in self.members.silent(now, most) {
                self.strike_off(id);
            }
            if let Some(creators) = &self.creators {
                creators.tidy(|id| self.members.get(id).is_some());
            }
        }
    }

    /// Takes in a message; `kept` is one that the broker had kept. False if it is left out, so that nobody is to hear it.
    pub(super) fn receive(&mut self, message: &Message, kept: bool, now: Timestamp) -> bool {
        let is_change = !kept
            || matches!(
                message,
                Message::Create(_) | Message::LocalizationUpdate(_) | Message::ObstaclesAsked(_)
            );
        if !is_change {
            return true;
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
            _ if self.settings.speaks => return self.asked(message, now),
            _ => {}
        }
        true
    }

    /// Gives robots a body that have none, because somebody else was called so or served them.
    pub(super) fn appear_again(&mut self, is_missing: impl Fn(SwarmId) -> bool) {
        let missing = self.members.ids().filter(|id| is_missing(*id));
        self.effects.extend(missing.map(Effect::Appear));
    }

    /// A robot asks for its compass without telling what it shows.
    pub(super) fn receive_compass_query(&mut self, id: SwarmId, now: Timestamp) {
        self.wish(id, Wish::Compass, None, now);
    }

    /// What only a simulator answers; false if it is left out.
    fn asked(&mut self, message: &Message, now: Timestamp) -> bool {
        match message {
            Message::Localization(id) => self.inquire(*id, Request::Localization, now),
            Message::LocalizationDataAsked(reality) => self.asked_for(Broadcast::ServedIds(*reality), now),
            Message::CommOut(reach, it) => return self.call(*reach, it, now),
            Message::ObstaclesAsked(reality) => self.asked_for(Broadcast::Obstacles(*reality), now),
            Message::SnapshotAsked(id) => self.inquire(*id, Request::Snapshot, now),
            _ => {}
        }
        true
    }

    /// Remembers what is sent to a robot.
    pub(super) fn remember(&mut self, message: &Message) {
        if let Message::DistanceOf(id, reply) = message
            && let Some(member) = self.members.get_mut(*id)
        {
            member.distance = Some(reply.0);
        }
    }

    fn reply(&mut self, message: Message) {
        self.publish(message, self.settings.reply_qos, false);
    }

    fn publish(&mut self, message: Message, qos: Qos, keep: bool) {
        self.effects.push(Effect::Say(message, qos, keep));
    }
}
