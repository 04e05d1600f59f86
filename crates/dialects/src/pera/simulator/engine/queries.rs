//! What robots ask for: it waits for its turn, and what is known here answers it.

use std::collections::VecDeque;
use std::sync::Arc;

use latimer_core::Timestamp;
use latimer_core::model::Realities;

use super::{Call, Engine, Request, Sense, Wish};
use crate::pera::config::DefaultReality;
use crate::pera::messages::comm::CommOut;
use crate::pera::roster::SwarmId;
use crate::pera::simulator::readings::{ALL, compass};
use crate::pera::topic::Reach;
use crate::pera::wire::{Message, Reality};

impl Engine {
    /// A robot wants to know a reading.
    pub(super) fn wish(&mut self, id: SwarmId, wish: Wish, asked: Option<Reality>, now: Timestamp) {
        let reality = match self.members.get_mut(id) {
            Some(member) => {
                member.incoming = now;
                member.reality
            }
            None if self.roster.robot(id).is_some() => Reality::V,
            None if self.settings.speaks => return self.wonder(id, now),
            None => return,
        };
        if !self.settings.speaks {
            return;
        }
        let realities = match (asked, self.settings.default_reality, reality) {
            (Some(asked), ..) => asked.realities(),
            (None, DefaultReality::Virtual, _) | (None, DefaultReality::Reference, Reality::R) => {
                Realities::Virtual
            }
            (None, DefaultReality::Reference, _) => ALL,
        };
        self.wait(id, now, |_| Some(Request::Sense(Sense { wish, realities })));
    }

    /// Somebody wants to know something of a robot; of one that nobody knows there is no answer.
    pub(super) fn inquire(&mut self, id: SwarmId, request: Request, now: Timestamp) {
        if self.members.get(id).is_some() {
            self.wait(id, now, |_| Some(request));
        }
    }

    /// A robot says something; those within reach now are to hear it. False if it says so much that it is left out.
    pub(super) fn call(&mut self, reach: Reach, it: &CommOut, now: Timestamp) -> bool {
        if self.members.get(it.id).is_none() {
            return true;
        }
        self.touch(it.id, now);
        self.wait(it.id, now, |engine| {
            let itself = (engine.settings.hears_itself && reach == Reach::Simple).then_some(it.id);
            let others = engine.members.reached(it.id, reach, it.dist.map(|dist| dist.0));
            let to: VecDeque<_> = itself.into_iter().chain(others).collect();
            (!to.is_empty()).then(|| Request::Call(Call { reach, text: Arc::from(&it.msg[..]), to }))
        })
    }

    /// Has a request wait, if there is one; false if there is no room for any.
    fn wait(&mut self, id: SwarmId, now: Timestamp, request: impl FnOnce(&Self) -> Option<Request>) -> bool {
        if self.requests.has_room_for(&id) {
            return request(self).is_none_or(|request| self.requests.push(id, request));
        }
        if let Some(count) = self.flooded.due(now, 1) {
            tracing::warn!(
                id,
                count,
                "a robot asks faster than it is answered; its newest requests are left out"
            );
        }
        false
    }

    /// Somebody asks whom nobody knows, and gets no answer.
    fn wonder(&mut self, id: SwarmId, now: Timestamp) {
        if let Some(count) = self.unknown.due(now, 1) {
            let advice = "let it send robot/create, robot/live or localization/update first";
            tracing::warn!(id, count, advice, "a robot asks that nobody knows, and gets no answer");
        }
    }

    /// The answer by what is known here, readings by the reference's arithmetic; `None` if the robot is gone.
    pub(in crate::pera::simulator) fn reckoned(&self, id: SwarmId, request: &Request) -> Option<Message> {
        let sense = match request {
            Request::Sense(sense) => sense,
            Request::Localization => return Some(Message::LocalizationOf(id, self.members.get(id)?.place)),
            Request::Snapshot => return self.snapshot(id),
            Request::Call(Call { reach, text, to }) => {
                return Some(Message::CommIn(*reach, *to.front()?, text.to_string()));
            }
        };
        let place = self.members.get(id)?.place;
        let crowd = self.members.crowd();
        Some(match &sense.wish {
            Wish::Distance => Message::DistanceOf(id, self.scene.distance(place, crowd)),
            Wish::Color => Message::ColorOf(id, self.scene.color(place)),
            Wish::Proximity(angles) => Message::ProximityOf(id, self.scene.proximity(place, crowd, angles)),
            Wish::Compass => compass(id, place.heading),
        })
    }
}
