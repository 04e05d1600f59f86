//! What goes to one subscriber: messages that wait, and those that it has not acknowledged. Pure state.
//!
//! ```text
//!            ┌─ queue0 ──────────────────────────────▶ PUBLISH, QoS 0
//!  push ─────┤
//!            └─ queue ──▶ in flight ──▶ PUBLISH, QoS 1 ──PUBACK──▶ done
//!                             │
//!                             └──────▶ PUBLISH, QoS 2 ──PUBREC──▶ PUBREL ──PUBCOMP──▶ done
//! ```
//!
//! Messages of QoS 1 and 2 keep their order, also over a reconnect: what is in flight is sent again in the order in which it was
//! sent first, with the identifiers that it had, before anything that waits (MQTT-4.6.0). Messages of QoS 0 keep theirs.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use latimer_core::Timestamp;
use smallvec::SmallVec;

use super::message::Publication;
use super::wire::{Ack, AckKind, Reason, Version, encode};
use crate::Qos;
use crate::limits::RECEIVE_MAXIMUM;

/// Topics for which a client of MQTT 5 gets an alias; fewer if it says so.
const ALIASES: u16 = 32;

/// Bytes of a message's place in a queue.
const PLACE_BYTES: u64 = 96;

/// A message for one subscriber.
#[derive(Clone, Debug)]
pub(super) struct Delivery {
    pub(super) message: Arc<Publication>,
    /// What was published or what was granted, whichever is less.
    pub(super) qos: Qos,
    pub(super) retain: bool,
    /// Identifiers of the subscriptions that it matches, MQTT 5.
    pub(super) identifiers: SmallVec<[u32; 1]>,
}

impl Delivery {
    fn cost(&self) -> u64 {
        PLACE_BYTES + self.message.cost()
    }
}

/// A message that was sent and is not acknowledged.
#[derive(Debug)]
struct InFlight {
    packet: u16,
    /// `None` when PUBREC has come, and PUBCOMP is waited for.
    delivery: Option<Delivery>,
    /// On this connection.
    sent: bool,
}

/// What the client of a connection can take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    pub(super) version: Version,
    pub(super) receive_maximum: u16,
    pub(super) max_packet_bytes: u32,
    pub(super) topic_alias_maximum: u16,
}

/// Bounds of what waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) messages: usize,
    pub(super) bytes: u64,
    pub(super) qos0_messages: usize,
}

/// The messages of one subscriber.
#[derive(Debug)]
pub(super) struct Outbound {
    peer: Peer,
    queue0: VecDeque<Delivery>,
    queue: VecDeque<Delivery>,
    in_flight: VecDeque<InFlight>,
    last_packet: u16,
    /// Topics of which the client knows the alias.
    aliases: HashMap<Arc<str>, u16>,
    /// Bytes of `queue`, and of everything.
    queue_bytes: u64,
    bytes: u64,
}

impl Outbound {
    pub(super) fn new(peer: Peer) -> Self {
        Self {
            peer,
            queue0: VecDeque::new(),
            queue: VecDeque::new(),
            in_flight: VecDeque::new(),
            last_packet: 0,
            aliases: HashMap::new(),
            queue_bytes: 0,
            bytes: 0,
        }
    }

    /// The client is here, anew: what is in flight is to be sent again.
    pub(super) fn connected(&mut self, peer: Peer) {
        self.peer = peer;
        self.aliases.clear();
        self.in_flight.iter_mut().for_each(|it| it.sent = false);
    }

    /// The client is away, for which messages of QoS 0 do not wait.
    pub(super) fn disconnected(&mut self) {
        for delivery in std::mem::take(&mut self.queue0) {
            self.bytes -= delivery.cost();
        }
    }

    /// The version that the client speaks.
    pub(super) fn version(&self) -> Version {
        self.peer.version
    }

    /// Bytes that its messages would take if nobody else had them.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Messages of QoS 1 and 2 that wait.
    pub(super) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// All messages that wait.
    pub(super) fn queued(&self) -> usize {
        self.queue.len() + self.queue0.len()
    }

    /// Adds a message; of too many the oldest are dropped, and how many is the answer.
    pub(super) fn push(&mut self, delivery: Delivery, bounds: Bounds) -> u64 {
        let cost = delivery.cost();
        self.bytes += cost;
        let mut dropped = 0;
        if delivery.qos == Qos::AtMostOnce {
            self.queue0.push_back(delivery);
            while self.queue0.len() > bounds.qos0_messages {
                dropped += self.drop_oldest(true);
            }
        } else {
            self.queue_bytes += cost;
            self.queue.push_back(delivery);
            let too_many = |it: &Self| it.queue.len() > bounds.messages || it.queue_bytes > bounds.bytes;
            while too_many(self) && self.queue.len() > 1 {
                dropped += self.drop_oldest(false);
            }
        }
        dropped
    }

    fn drop_oldest(&mut self, of_qos0: bool) -> u64 {
        let oldest = if of_qos0 { self.queue0.pop_front() } else { self.queue.pop_front() };
        let cost = oldest.as_ref().map_or(0, Delivery::cost);
        self.bytes -= cost;
        self.queue_bytes -= if of_qos0 { 0 } else { cost };
        u64::from(oldest.is_some())
    }

    /// Topics of what waits and of what is not acknowledged.
    pub(super) fn topics(&self) -> impl Iterator<Item = &Arc<str>> {
        let in_flight = self.in_flight.iter().filter_map(|it| it.delivery.as_ref());
        self.queue0.iter().chain(&self.queue).chain(in_flight).map(|it| &it.message.topic)
    }

    /// Drops what waits, and what would be sent again on the next connection, of topics that a client may not have any more.
    pub(super) fn retain(&mut self, may: impl Fn(&str) -> bool) {
        let may = |it: &Delivery| may(&it.message.topic);
        self.queue0.retain(&may);
        self.queue.retain(&may);
        self.in_flight.retain(|it| it.delivery.as_ref().is_none_or(&may));
        let cost = |queue: &VecDeque<Delivery>| queue.iter().map(Delivery::cost).sum::<u64>();
        self.queue_bytes = cost(&self.queue);
        let in_flight = self.in_flight.iter().filter_map(|it| it.delivery.as_ref()).map(Delivery::cost);
        self.bytes = self.queue_bytes + cost(&self.queue0) + in_flight.sum::<u64>();
    }

    /// Drops what waits.
    pub(super) fn clear(&mut self) {
        while self.drop_oldest(true) + self.drop_oldest(false) > 0 {}
    }

    /// An acknowledgement came; what is to be answered. One of a message that is not in flight is not an error: the client may have
    /// sent it before the connection broke, and again.
    pub(super) fn acknowledged(&mut self, ack: Ack) -> Option<Ack> {
        let at = self.in_flight.iter().position(|it| it.packet == ack.packet);
        let progress =
            at.and_then(|at| Some((at, self.in_flight.get(at)?.delivery.as_ref().map(|it| it.qos))));
        let is_done = match (ack.kind, progress) {
            (AckKind::Puback, Some((_, Some(Qos::AtLeastOnce)))) | (AckKind::Pubcomp, Some((_, None))) => {
                true
            }
            (AckKind::Pubrec, Some((_, Some(Qos::ExactlyOnce)))) => ack.reason.is_failure(),
            _ => false,
        };
        if is_done {
            let done = at.and_then(|at| self.in_flight.remove(at)).and_then(|it| it.delivery);
            self.bytes -= done.map_or(0, |it| it.cost());
            return None;
        }
        if ack.kind != AckKind::Pubrec || ack.reason.is_failure() {
            return None;
        }
        let reason = match progress {
            Some((at, Some(Qos::ExactlyOnce))) => {
                let received = self.in_flight.get_mut(at).and_then(|it| it.delivery.take());
                self.bytes -= received.map_or(0, |it| it.cost());
                Reason::SUCCESS
            }
            Some((_, None)) => Reason::SUCCESS,
            _ => Reason::PACKET_IDENTIFIER_NOT_FOUND,
        };
        Some(Ack { kind: AckKind::Pubrel, packet: ack.packet, reason })
    }

    /// Writes packets until about `most` bytes are there or nothing more may be sent; how many messages that was.
    pub(super) fn write(&mut self, out: &mut BytesMut, most: usize, now: Timestamp) -> u64 {
        let window = usize::from(self.peer.receive_maximum.min(RECEIVE_MAXIMUM));
        let (mut written, peer) = (0, self.peer);
        let mut open = self.in_flight.iter().filter(|it| it.sent).count();
        for it in self.in_flight.iter_mut().filter(|it| !it.sent) {
            if open >= window || out.len() >= most {
                break;
            }
            match &it.delivery {
                Some(delivery) => {
                    packet_of(delivery, it.packet, true, now, None).write(out, peer.version);
                    written += 1;
                }
                None => {
                    let release = Ack { kind: AckKind::Pubrel, packet: it.packet, reason: Reason::SUCCESS };
                    encode::ack(out, peer.version, release);
                }
            }
            (it.sent, open) = (true, open + 1);
        }
        while out.len() < most
            && let Some(delivery) = self.queue0.pop_front()
        {
            self.bytes -= delivery.cost();
            written += u64::from(self.send(out, &delivery, 0, now));
        }
        while out.len() < most
            && self.in_flight.len() < window
            && let Some(delivery) = self.queue.pop_front()
        {
            self.queue_bytes -= delivery.cost();
            let packet = self.next_packet();
            if self.send(out, &delivery, packet, now) {
                self.in_flight.push_back(InFlight { packet, delivery: Some(delivery), sent: true });
                written += 1;
            } else {
                self.bytes -= delivery.cost();
            }
        }
        written
    }

    /// Writes a message for the first time; not if it has expired, or if the client takes no packet of its size.
    fn send(&mut self, out: &mut BytesMut, delivery: &Delivery, packet: u16, now: Timestamp) -> bool {
        if delivery.message.expires.is_some_and(|at| at <= now) {
            return false;
        }
        let alias = self.alias(&delivery.message.topic);
        let packet = packet_of(delivery, packet, false, now, alias);
        let fits = packet.size(self.peer.version) <= self.peer.max_packet_bytes as usize;
        if fits {
            packet.write(out, self.peer.version);
        } else if let Some((alias, false)) = alias {
            // The client has not learned it.
            self.aliases.retain(|_, known| *known != alias);
        }
        fits
    }

    /// The alias of a topic, and whether the client knows it already.
    fn alias(&mut self, topic: &Arc<str>) -> Option<(u16, bool)> {
        if let Some(alias) = self.aliases.get(topic) {
            return Some((*alias, true));
        }
        let next = self.aliases.len() as u16 + 1;
        if next > self.peer.topic_alias_maximum.min(ALIASES) {
            return None;
        }
        self.aliases.insert(topic.clone(), next);
        Some((next, false))
    }

    fn next_packet(&mut self) -> u16 {
        loop {
            self.last_packet = self.last_packet.checked_add(1).unwrap_or(1);
            if self.in_flight.iter().all(|it| it.packet != self.last_packet) {
                return self.last_packet;
            }
        }
    }
}

fn packet_of(
    delivery: &Delivery,
    packet: u16,
    dup: bool,
    now: Timestamp,
    alias: Option<(u16, bool)>,
) -> encode::Delivery<'_> {
    let Delivery { message, qos, retain, identifiers } = delivery;
    let left = |at: Timestamp| at.since(now).max(Duration::from_secs(1)).as_secs_f64().ceil() as u32;
    encode::Delivery {
        dup,
        qos: *qos,
        retain: *retain,
        topic: if alias.is_some_and(|(_, is_known)| is_known) { "" } else { &message.topic },
        packet,
        payload: &message.payload,
        alias: alias.map(|(alias, _)| alias),
        expiry_s: message.expires.map(left),
        identifiers,
        passed_on: &message.passed_on,
    }
}

#[cfg(test)]
mod tests;
