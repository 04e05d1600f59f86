//! Received messages go into the engine: those of members at once, those of newcomers a little later.

use bytes::Bytes;
use latimer_core::Timestamp;
use latimer_mqtt::{LinkEvent, Message as Packet};

use super::arrivals::Arrival;
use super::task::Task;
use crate::pera::limits::OBSTACLES_DELAY;
use crate::pera::roster::SwarmId;
use crate::pera::topic::{Sensor, Topic};
use crate::pera::wire::{MAX_BYTES_OF_ONE, Message, ReadError};

impl Task {
    /// All messages of one turn.
    pub(super) fn receive_all(&mut self, incoming: impl Iterator<Item = LinkEvent>, now: Timestamp) {
        if self.welcome_at <= now {
            self.arrivals.welcome_some();
        }
        for incoming in incoming {
            self.receive(incoming, now);
        }
        while let Some(sent) = self.arrivals.next() {
            self.deal_with(sent, now);
        }
    }

    fn receive(&mut self, incoming: LinkEvent, now: Timestamp) {
        match incoming {
            LinkEvent::Message(packet) => self.read(packet, now),
            LinkEvent::Up => {
                self.it.joined_robots.set_link(None);
                self.it.engine.greet(now);
                self.introduce_at = Some(now.after(OBSTACLES_DELAY));
            }
            LinkEvent::Down(reason) => {
                self.it.engine.lose_broker();
                self.it.joined_robots.set_link(Some(reason.to_string()));
            }
            LinkEvent::Lost(lost) => {
                if let Some(count) = self.lost.due(now, lost.count) {
                    tracing::warn!(count, reason = %lost.reason, "messages of the swarm were lost");
                }
            }
        }
    }

    fn read(&mut self, packet: Packet, now: Timestamp) {
        let sent = packet.published_after(now);
        let Packet { topic, payload, retain, .. } = packet;
        let Some(topic) = self.it.channel.topic(&topic) else { return };
        match Message::read(&topic, &payload) {
            // Of a crowd each by itself, and nobody's with more around it than it says.
            Ok(Message::LocalizationUpdate(list)) if list.len() > 1 || payload.len() > MAX_BYTES_OF_ONE => {
                for it in list {
                    let message = Message::LocalizationUpdate(vec![it]);
                    let (_, payload) = message.write();
                    self.sort(Arrival::new(Ok(message), payload, retain, sent), now);
                }
            }
            read => self.sort(Arrival::new(read, payload, retain, sent), now),
        }
    }

    fn sort(&mut self, sent: Arrival, now: Timestamp) {
        let is_new = sent.read.as_ref().is_ok_and(|message| self.it.engine.is_brought_by(message));
        if let Some(sent) = self.arrivals.sort(sent, is_new) {
            self.deal_with(sent, now);
        }
    }

    fn deal_with(&mut self, Arrival { id, read, payload, kept, sent }: Arrival, now: Timestamp) {
        match read {
            Ok(message) => {
                let is_reachable = self.it.engine.receive(&message, kept, now);
                // So that the sender of a first message is a member already.
                self.do_deeds();
                if is_reachable && !kept {
                    self.it.joined_robots.receive(&message, &payload, &self.it.engine.members, sent);
                }
            }
            Err(error) => self.receive_malformed(id, &payload, &error, sent, now),
        }
    }

    /// A message that is none of its topic: a compass without a heading is a question, the rest is logged now and then.
    fn receive_malformed(
        &mut self,
        id: Option<SwarmId>,
        payload: &Bytes,
        error: &ReadError,
        sent: Timestamp,
        now: Timestamp,
    ) {
        match (&error.topic, id) {
            (Topic::Sensor(Sensor::Compass), Some(id)) => {
                return self.it.engine.receive_compass_query(id, now);
            }
            (topic, Some(id)) => self.it.joined_robots.queue_malformed(id, topic, payload, sent),
            (_, None) => {}
        }
        if let Some(count) = self.unreadable.due(now, 1) {
            tracing::warn!(%error, count, "a message of the swarm cannot be read");
        }
    }
}
