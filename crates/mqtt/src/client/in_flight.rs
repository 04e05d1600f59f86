//! Messages in flight. When the broker has kept the session, the client library sends them again as the protocol has it;
//! otherwise they are published again.
//!
//! ```text
//!  handed ──sent with a number──▶ open[number] ──PUBACK or PUBCOMP──▶ done
//!     └──sent without (QoS 0)──▶ done
//!
//!  received of QoS 2 ──▶ incoming[number] ──PUBREL──▶ done
//!  received of QoS 1 ──▶ acknowledged, bounded ──the same again, marked as sent again──▶ left out
//! ```
//!
//! A broker sends a message of QoS 1 again, marked so and with its packet identifier, if a drop came before it had read PUBACK. It was
//! received already if the last message of this identifier has the same topic and payload.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::limits::MAX_REMEMBERED_ACKNOWLEDGEMENTS;
use crate::{Message, Qos};

/// The messages in flight.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    handed: VecDeque<Message>,
    /// How many of those the broker will confirm.
    handed_to_be_confirmed: usize,
    open: HashMap<u16, (u64, Message)>,
    sent: u64,
    incoming: HashSet<u16>,
    /// Packet identifiers of received messages of QoS 1, and fingerprints of those messages.
    acknowledged: VecDeque<(u16, u32)>,
}

/// What tells a received message from others of the same packet identifier.
pub(crate) fn fingerprint(topic: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = DefaultHasher::new();
    (topic, payload).hash(&mut hasher);
    hasher.finish() as u32
}

impl InFlight {
    /// Adds a message; the library sends in this order.
    pub(crate) fn handed(&mut self, message: Message) {
        self.handed_to_be_confirmed += usize::from(message.qos != Qos::AtMostOnce);
        self.handed.push_back(message);
    }

    /// How many the library has not sent.
    pub(crate) fn unsent(&self) -> usize {
        self.handed.len()
    }

    /// How many the broker has to confirm.
    pub(crate) fn to_be_confirmed(&self) -> usize {
        self.open.len() + self.handed_to_be_confirmed
    }

    /// The library sent the next one with this packet identifier, 0 for QoS 0, or one again.
    pub(crate) fn sent(&mut self, number: u16) {
        if self.open.contains_key(&number) {
            return;
        }
        let Some(message) = self.handed.pop_front() else { return };
        self.handed_to_be_confirmed -= usize::from(message.qos != Qos::AtMostOnce);
        if number != 0 {
            self.sent += 1;
            self.open.insert(number, (self.sent, message));
        }
    }

    /// The broker confirmed the message of this packet identifier.
    pub(crate) fn confirmed(&mut self, number: u16) {
        self.open.remove(&number);
    }

    /// A message of QoS 2 came with this packet identifier; whether it is no repetition.
    pub(crate) fn is_new(&mut self, number: u16) -> bool {
        self.incoming.insert(number)
    }

    /// The broker repeats the message of QoS 2 of this packet identifier no more.
    pub(crate) fn released(&mut self, number: u16) {
        self.incoming.remove(&number);
    }

    /// A message of QoS 1 came with this packet identifier; whether it is no repetition. Only one that the broker marks as sent again
    /// can be one.
    pub(crate) fn is_first(&mut self, number: u16, is_sent_again: bool, fingerprint: u32) -> bool {
        let last = || self.acknowledged.iter().rev().find(|(known, _)| *known == number);
        if is_sent_again && last().is_some_and(|(_, known)| *known == fingerprint) {
            return false;
        }
        if self.acknowledged.len() == MAX_REMEMBERED_ACKNOWLEDGEMENTS {
            self.acknowledged.pop_front();
        }
        self.acknowledged.push_back((number, fingerprint));
        true
    }

    /// How many are unconfirmed.
    pub(crate) fn len(&self) -> usize {
        self.handed.len() + self.open.len()
    }

    /// The session is gone: removes all messages, in the order in which they were handed over.
    pub(crate) fn unconfirmed(&mut self) -> Vec<Message> {
        self.incoming.clear();
        self.acknowledged.clear();
        self.handed_to_be_confirmed = 0;
        let mut open: Vec<_> = self.open.drain().map(|(_, sent)| sent).collect();
        open.sort_by_key(|(sent, _)| *sent);
        open.into_iter().map(|(_, message)| message).chain(self.handed.drain(..)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_is_not_confirmed_in_order() {
        let mut in_flight = InFlight::default();
        for (topic, qos) in [
            ("at-most-once", Qos::AtMostOnce),
            ("b", Qos::AtLeastOnce),
            ("confirmed", Qos::ExactlyOnce),
            ("d", Qos::ExactlyOnce),
            ("e", Qos::AtMostOnce),
        ] {
            in_flight.handed(Message::new(topic, "", qos));
        }
        for number in [0, 7, 8, 2] {
            in_flight.sent(number);
        }
        in_flight.confirmed(8);
        in_flight.confirmed(99);
        assert_eq!((in_flight.len(), in_flight.to_be_confirmed()), (3, 2));
        let topics: Vec<_> = in_flight.unconfirmed().into_iter().map(|message| message.topic).collect();
        assert_eq!(topics, ["b", "d", "e"]);
    }

    #[test]
    fn what_is_sent_or_received_again_in_a_kept_session_counts_once() {
        let mut in_flight = InFlight::default();
        for topic in ["a", "b"] {
            in_flight.handed(Message::new(topic, "", Qos::ExactlyOnce));
        }
        in_flight.sent(1);
        // After a drop the library sends both.
        in_flight.sent(1);
        in_flight.sent(2);
        assert_eq!((in_flight.unsent(), in_flight.len()), (0, 2));
        assert!(in_flight.is_new(7) && !in_flight.is_new(7));
        in_flight.released(7);
        assert!(in_flight.is_new(7));
        in_flight.unconfirmed();
        assert!(in_flight.is_new(7), "in another session numbers begin anew");
    }

    #[test]
    fn what_is_sent_again_at_qos_1_counts_once_unless_it_is_another() {
        let mut in_flight = InFlight::default();
        let [one, other] = [b"1", b"2"].map(|payload| fingerprint(b"a", payload));
        assert!(in_flight.is_first(7, false, one) && !in_flight.is_first(7, true, one));
        assert!(in_flight.is_first(7, true, other), "the identifier is used for another one");
        assert!(in_flight.is_first(7, false, other), "nobody sent it again");
        assert!(in_flight.is_first(8, true, one), "it was lost with the connection");
        for number in 0..2 * MAX_REMEMBERED_ACKNOWLEDGEMENTS {
            in_flight.is_first(number as u16, false, one);
        }
        assert_eq!(in_flight.acknowledged.len(), MAX_REMEMBERED_ACKNOWLEDGEMENTS);
        assert!(!in_flight.is_first(MAX_REMEMBERED_ACKNOWLEDGEMENTS as u16, true, one));
        in_flight.unconfirmed();
        assert!(
            in_flight.is_first(MAX_REMEMBERED_ACKNOWLEDGEMENTS as u16, true, one),
            "in another session numbers begin anew"
        );
    }
}
