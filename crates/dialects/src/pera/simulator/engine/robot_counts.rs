//! Who belongs to the swarm, and where each is.

use latimer_core::Timestamp;

use super::{Effect, Engine};
use crate::pera::map::{is_sent_by_robot, robot_of};
use crate::pera::messages::localization::Localization;
use crate::pera::messages::robot::Coordinate;
use crate::pera::roster::SwarmId;
use crate::pera::simulator::member::Change;
use crate::pera::wire::{Message, Number, Reality};

/// Where a robot is that does not say it.
const ORIGIN: Localization = Localization { x: 0.0, y: 0.0, heading: 0.0 };

/// Farther than this nobody is, centimetres; beyond, arithmetic is no use.
const FAR_CM: f64 = 500_000.0;

impl Engine {
    /// What an observer learns from others: who is there, and what a simulator elsewhere says.
    pub(super) fn notice(&mut self, message: &Message, now: Timestamp) {
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
            message if is_sent_by_robot(message) => {
                if let Some(id) = robot_of(message).filter(|id| self.members.get(*id).is_none()) {
                    self.admit(id, ORIGIN, None, now);
                }
            }
            _ => {}
        }
    }

    /// Whether a message of a robot brings it into the swarm.
    pub(in crate::pera::simulator) fn is_brought_by(&self, message: &Message) -> bool {
        let id = match message {
            Message::Create(it) => it.id,
            Message::Live(it) => it.id,
            Message::LocalizationUpdate(list) => match &list[..] {
                [it] => it.id,
                _ => return false,
            },
            _ => return false,
        };
        self.members.get(id).is_none() && self.members.len() < self.settings.max_robots && self.may_come(id)
    }

    /// Whether who brings a robot may bring one more.
    fn may_come(&self, id: SwarmId) -> bool {
        self.creators.as_ref().is_none_or(|creators| creators.has(id))
    }

    pub(super) fn create(&mut self, it: &Coordinate, now: Timestamp) {
        match self.members.get(it.id) {
            Some(_) => self.touch(it.id, now),
            None => self.announce(it, now),
        }
    }

    pub(super) fn live(&mut self, id: SwarmId, reality: Option<Reality>, now: Timestamp) {
        match self.members.get(id) {
            Some(_) => self.touch(id, now),
            None => self.admit(id, ORIGIN, reality, now),
        }
    }

    pub(super) fn update(&mut self, it: &Coordinate, now: Timestamp) {
        let Some(member) = self.members.get(it.id) else { return self.announce(it, now) };
        let reality = it.reality.unwrap_or(Reality::V);
        let Localization { x, y, heading } = member.place;
        let or = |number: Option<Number>, before: f64| number.map_or(before, |number| number.0);
        let place = Localization { x: or(it.x, x), y: or(it.y, y), heading: or(it.heading, heading) };
        if !is_somewhere(place) {
            return;
        }
        match self.members.put(it.id, place, reality, now) {
            Change::Moved => self.effects.push(Effect::Move(it.id)),
            Change::Turned => {
                self.effects.push(Effect::Leave(it.id));
                self.effects.push(Effect::Appear(it.id));
            }
            Change::None => {}
        }
    }

    /// Takes in a robot that says where it is. Without x, y and heading it is virtual and at the origin, whatever reality it
    /// says, as in the reference.
    fn announce(&mut self, it: &Coordinate, now: Timestamp) {
        match place(it) {
            Some(place) => self.admit(it.id, place, it.reality, now),
            None => self.admit(it.id, ORIGIN, None, now),
        }
    }

    fn admit(&mut self, id: SwarmId, place: Localization, reality: Option<Reality>, now: Timestamp) {
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
            self.forget(id);
            return;
        }
        if !self.may_come(id) {
            return;
        }
        self.members.add(id, place, reality.unwrap_or(Reality::V), now);
        self.effects.push(Effect::Appear(id));
    }

    fn forget(&self, id: SwarmId) {
        if let Some(creators) = &self.creators {
            creators.leave(id);
        }
    }

    pub(super) fn touch(&mut self, id: SwarmId, now: Timestamp) {
        if let Some(member) = self.members.get_mut(id) {
            member.incoming = now;
        }
    }

    pub(super) fn strike_off(&mut self, id: SwarmId) {
        if self.members.remove(id) {
            self.forget(id);
            self.effects.push(Effect::Leave(id));
            if self.settings.speaks {
                self.reply(Message::Delete(id));
            }
        }
    }
}

/// Where a robot says that it is; `None` if it leaves something out or is nowhere.
fn place(it: &Coordinate) -> Option<Localization> {
    let place = Localization { x: it.x?.0, y: it.y?.0, heading: it.heading?.0 };
    is_somewhere(place).then_some(place)
}

fn is_somewhere(Localization { x, y, heading }: Localization) -> bool {
    [x, y, heading].iter().all(|number| number.abs() <= FAR_CM)
}
