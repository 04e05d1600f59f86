//! What the events of a client's connections mean for the messages in flight.

use std::sync::{Mutex, MutexGuard, PoisonError};

use latimer_core::Timestamp;
use rumqttc::{Event, Outgoing, Packet, QoS};
use tokio::sync::Notify;

use super::in_flight::{InFlight, fingerprint};
use super::open::message_from_publish;
use super::{MAX_HANDED, Outbox};
use crate::Message;

/// The messages in flight, over all connections of a client.
#[derive(Debug)]
pub(super) struct Flow {
    /// Messages that the broker has not confirmed, at most.
    most: usize,
    in_flight: Mutex<InFlight>,
    changed: Notify,
}

impl Flow {
    pub(super) fn new(most: u16) -> Self {
        Self { most: most.into(), in_flight: Mutex::default(), changed: Notify::new() }
    }

    fn in_flight(&self) -> MutexGuard<'_, InFlight> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update<T>(&self, outbox: &Outbox, update: impl FnOnce(&mut InFlight) -> T) -> T {
        let mut in_flight = self.in_flight();
        let done = update(&mut in_flight);
        let unconfirmed = in_flight.len();
        drop(in_flight);
        outbox.set_in_flight(unconfirmed);
        self.changed.notify_one();
        done
    }

    /// Takes note of an event; the message that it brings, if it brings one for the first time, and since when that may have
    /// waited at the broker.
    pub(super) fn observe(
        &self,
        event: Event,
        queued_since: Option<Timestamp>,
        outbox: &Outbox,
    ) -> Option<Message> {
        match event {
            Event::Incoming(Packet::Publish(publish)) => {
                let is_new = match publish.qos {
                    QoS::AtMostOnce => true,
                    QoS::AtLeastOnce => {
                        let fingerprint = fingerprint(&publish.topic, &publish.payload);
                        self.in_flight().is_first(publish.pkid, publish.dup, fingerprint)
                    }
                    QoS::ExactlyOnce => self.in_flight().is_new(publish.pkid),
                };
                return is_new.then(|| message_from_publish(publish, queued_since)).flatten();
            }
            Event::Incoming(Packet::PubRel(known)) => self.in_flight().released(known.pkid),
            Event::Incoming(Packet::PubAck(known)) => self.update(outbox, |it| it.confirmed(known.pkid)),
            Event::Incoming(Packet::PubComp(known)) => self.update(outbox, |it| it.confirmed(known.pkid)),
            Event::Outgoing(Outgoing::Publish(number)) => self.update(outbox, |it| it.sent(number)),
            _ => {}
        }
        None
    }

    /// A message was handed over to the library.
    pub(super) fn handed(&self, message: Message, outbox: &Outbox) {
        self.update(outbox, |it| it.handed(message));
    }

    /// The broker has no session of this client: what is in flight is to be published again.
    pub(super) fn begin_anew(&self, outbox: &Outbox) {
        outbox.put_back(self.in_flight().unconfirmed());
    }

    /// Waits until another message may be handed over; for one task. Cancel safe.
    ///
    /// The library gets none that it could not send at once: after two drops in a row those would stand before the messages that are to
    /// be sent again, and it would send none of either.
    pub(super) async fn room(&self) {
        let has_room = |it: &InFlight| it.unsent() < MAX_HANDED && it.to_be_confirmed() < self.most;
        while !has_room(&self.in_flight()) {
            self.changed.notified().await;
        }
    }

    /// Waits until all messages are confirmed; for one task. Cancel safe.
    pub(super) async fn settled(&self) {
        while self.in_flight().len() > 0 {
            self.changed.notified().await;
        }
    }
}
