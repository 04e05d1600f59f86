//! Messages in flight: handed to the client library and not confirmed. They are published again when the connection drops.
//!
//! ```text
//!  handed ──sent with a number──▶ open[number] ──PUBACK or PUBCOMP──▶ done
//!     └──sent without (QoS 0)──▶ done
//! ```

use std::collections::{HashMap, VecDeque};

use crate::Message;

/// The messages in flight.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    handed: VecDeque<Message>,
    open: HashMap<u16, (u64, Message)>,
    sent: u64,
}

impl InFlight {
    /// Adds a message; the library sends in this order.
    pub(crate) fn handed(&mut self, message: Message) {
        self.handed.push_back(message);
    }

    /// The library sent the next one with this packet identifier; 0 for QoS 0.
    pub(crate) fn sent(&mut self, number: u16) {
        let Some(message) = self.handed.pop_front() else { return };
        if number != 0 {
            self.sent += 1;
            self.open.insert(number, (self.sent, message));
        }
    }

    /// The broker confirmed the message of this packet identifier.
    pub(crate) fn confirmed(&mut self, number: u16) {
        self.open.remove(&number);
    }

    /// How many are unconfirmed.
    pub(crate) fn len(&self) -> usize {
        self.handed.len() + self.open.len()
    }

    /// Removes all messages, in the order in which they were handed over.
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
        assert_eq!(in_flight.len(), 3);
        let topics: Vec<_> = in_flight.unconfirmed().into_iter().map(|message| message.topic).collect();
        assert_eq!(topics, ["b", "d", "e"]);
    }
}
