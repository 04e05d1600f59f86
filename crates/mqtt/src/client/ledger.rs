//! What was handed to the client library and is not confirmed: it is published again when the connection drops.
//!
//! ```text
//!  handed ──sent with a number──▶ open[number] ──PUBACK or PUBCOMP──▶ done
//!     └──sent without (QoS 0)──▶ done
//! ```

use std::collections::{HashMap, VecDeque};

use crate::Message;

/// Every message from when it is handed over until the broker has confirmed it.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    handed: VecDeque<Message>,
    open: HashMap<u16, (u64, Message)>,
    sent: u64,
}

impl Ledger {
    /// A message was handed over; the library sends in this order.
    pub(crate) fn handed(&mut self, message: Message) {
        self.handed.push_back(message);
    }

    /// The library wrote the next one, under this number; 0 if it is not confirmed.
    pub(crate) fn sent(&mut self, number: u16) {
        let Some(message) = self.handed.pop_front() else { return };
        if number != 0 {
            self.sent += 1;
            self.open.insert(number, (self.sent, message));
        }
    }

    /// The broker has the message of this number.
    pub(crate) fn confirmed(&mut self, number: u16) {
        self.open.remove(&number);
    }

    /// How many are unconfirmed.
    pub(crate) fn len(&self) -> usize {
        self.handed.len() + self.open.len()
    }

    /// All that is not confirmed, in the order in which it was handed over.
    pub(crate) fn unconfirmed(&mut self) -> Vec<Message> {
        let mut open: Vec<_> = self.open.drain().map(|(_, sent)| sent).collect();
        open.sort_by_key(|(sent, _)| *sent);
        open.into_iter().map(|(_, message)| message).chain(self.handed.drain(..)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Qos;

    #[test]
    fn keeps_what_is_not_confirmed_in_order() {
        let mut ledger = Ledger::default();
        for (topic, qos) in [
            ("at-most-once", Qos::AtMostOnce),
            ("b", Qos::AtLeastOnce),
            ("confirmed", Qos::ExactlyOnce),
            ("d", Qos::ExactlyOnce),
            ("e", Qos::AtMostOnce),
        ] {
            ledger.handed(Message::new(topic, "", qos));
        }
        for number in [0, 7, 8, 2] {
            ledger.sent(number);
        }
        ledger.confirmed(8);
        ledger.confirmed(99);
        assert_eq!(ledger.len(), 3);
        let topics: Vec<_> = ledger.unconfirmed().into_iter().map(|message| message.topic).collect();
        assert_eq!(topics, ["b", "d", "e"]);
    }
}
