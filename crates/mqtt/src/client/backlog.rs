//! Which received messages may have waited at the broker while the link was away.
//!
//! ```text
//!  current ──drop, session resumed──▶ catching up ──nothing waits any more──▶ current
//! ```
//!
//! The protocol does not tell when a message was published. In a resumed session it may be as old as the last sign of the
//! broker before the drop, until all that waited has come. Whether it has, questions show that the broker answers at once: UNSUBSCRIBE
//! from a topic that nobody subscribed to, one after another. As long as messages wait, the broker has as many under way as it ever
//! has, and sends the next one for each acknowledgement. Some brokers answer before they do that, so they have the time of
//! another question for it: nothing waits any more if until its answer none came for the acknowledgements before the first one, or fewer
//! than were under way at any answer.

use std::collections::HashSet;

use latimer_core::{Clock, Timestamp};
use rumqttc::{AsyncClient, Event, Outgoing, Packet, QoS};

use crate::limits::BACKLOG_TIMEOUT;

/// Watches the connections of a client whose session the broker keeps.
#[derive(Debug)]
pub(super) struct Backlog {
    clock: Clock,
    /// What the broker is asked about.
    topic: String,
    is_connected: bool,
    /// The last sign of the broker.
    heard: Timestamp,
    resumed: Option<Resumed>,
}

/// A session that was resumed, as long as messages of before may come.
#[derive(Debug)]
struct Resumed {
    /// The last sign of the broker before the drop.
    since: Timestamp,
    began: Timestamp,
    /// Messages that the broker had under way, and those of them that were acknowledged.
    received: u64,
    acknowledged: u64,
    /// Packet identifiers of messages of QoS 2 that are not complete.
    open: HashSet<u16>,
    question: Question,
    /// How many were acknowledged when the question before was sent.
    before: Option<u64>,
    /// Most that were surely under way at an answer.
    most: u64,
}

/// How the question stands.
#[derive(Debug)]
enum Question {
    Due,
    Asked,
    /// With this packet identifier, after so many acknowledgements.
    Sent {
        number: u16,
        acknowledged: u64,
    },
}

impl Backlog {
    /// Of a client that is not connected.
    pub(super) fn new(client_id: &str, clock: Clock) -> Self {
        let topic = format!("{client_id}/caught-up");
        Self { clock, topic, is_connected: false, heard: clock.now(), resumed: None }
    }

    /// The connection dropped; what is still read of it is no sign of the broker.
    pub(super) fn dropped(&mut self) {
        self.is_connected = false;
    }

    /// Takes note of an event, and asks when it is time to; since when a message that it brings may have waited.
    pub(super) fn observe(&mut self, event: &Event, handle: &AsyncClient) -> Option<Timestamp> {
        self.note(event);
        let resumed = self.resumed.as_mut()?;
        // A full queue has another event soon.
        if matches!(resumed.question, Question::Due) && handle.try_unsubscribe(self.topic.clone()).is_ok() {
            resumed.question = Question::Asked;
        }
        Some(resumed.since)
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Incoming(Packet::ConnAck(answer)) => {
                let since = self.resumed.as_ref().map_or(self.heard, |resumed| resumed.since);
                self.resumed = answer.session_present.then(|| Resumed::new(since, self.clock.now()));
                self.is_connected = true;
            }
            Event::Incoming(packet) => {
                let now = self.clock.now();
                let is_current = |resumed: &mut Resumed| {
                    resumed.incoming(packet) || now.since(resumed.began) >= BACKLOG_TIMEOUT
                };
                if self.resumed.as_mut().is_some_and(is_current) {
                    self.resumed = None;
                }
            }
            Event::Outgoing(packet) => {
                if let Some(resumed) = &mut self.resumed {
                    resumed.outgoing(packet);
                }
            }
        }
        if self.is_connected && matches!(event, Event::Incoming(_)) {
            self.heard = self.clock.now();
        }
    }
}

impl Resumed {
    fn new(since: Timestamp, began: Timestamp) -> Self {
        let (open, question) = (HashSet::new(), Question::Due);
        Self { since, began, received: 0, acknowledged: 0, open, question, before: None, most: 0 }
    }

    /// Whether nothing waits any more.
    fn incoming(&mut self, packet: &Packet) -> bool {
        match packet {
            Packet::Publish(publish) => {
                let is_new = match publish.qos {
                    QoS::AtMostOnce => false,
                    QoS::AtLeastOnce => true,
                    QoS::ExactlyOnce => self.open.insert(publish.pkid),
                };
                self.received += u64::from(is_new);
            }
            // One that came before the drop is under way as well.
            Packet::PubRel(known) => self.received += u64::from(!self.open.remove(&known.pkid)),
            Packet::UnsubAck(answer) => {
                let Question::Sent { number, acknowledged } = self.question else { return false };
                if number == answer.pkid {
                    self.question = Question::Due;
                    let came = self.before.replace(acknowledged).map(|it| self.received.saturating_sub(it));
                    let most = self.most;
                    self.most = most.max(self.received.saturating_sub(acknowledged));
                    return came.is_some_and(|came| came == 0 || came < most);
                }
            }
            _ => {}
        }
        false
    }

    fn outgoing(&mut self, packet: &Outgoing) {
        match packet {
            Outgoing::PubAck(_) | Outgoing::PubComp(_) => self.acknowledged += 1,
            Outgoing::Unsubscribe(number) => {
                self.question = Question::Sent { number: *number, acknowledged: self.acknowledged };
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use rumqttc::{Publish, UnsubAck};

    use super::*;

    /// A broker with a backlog and a client of it: what the client received of the backlog when it takes what comes for new. With
    /// `answers_first` the broker answers before it sends what acknowledgements in the same read made room for.
    fn received_when_current(backlog: u16, window: u16, answers_first: bool) -> u16 {
        let mut resumed = Resumed::new(Timestamp::default(), Timestamp::default());
        let (mut waits, mut under_way, mut received) = (backlog, 0, 0);
        let mut questions = 0;
        let mut to_client = VecDeque::new();
        loop {
            let answer = matches!(resumed.question, Question::Due).then(|| {
                questions += 1;
                resumed.outgoing(&Outgoing::Unsubscribe(questions));
                Packet::UnsubAck(UnsubAck::new(questions))
            });
            let sent = waits.min(window - under_way);
            (waits, under_way) = (waits - sent, under_way + sent);
            let publish = Packet::Publish(Publish::new("a", QoS::AtLeastOnce, ""));
            let messages = std::iter::repeat_n(publish, sent.into());
            match answers_first {
                true => to_client.extend(answer.into_iter().chain(messages)),
                false => to_client.extend(messages.chain(answer)),
            }
            for packet in to_client.drain(..) {
                if resumed.incoming(&packet) {
                    return received;
                }
                if let Packet::Publish(_) = packet {
                    resumed.outgoing(&Outgoing::PubAck(1));
                    received += 1;
                    under_way -= 1;
                }
            }
        }
    }

    #[test]
    fn nothing_is_taken_for_new_that_waited() {
        for (backlog, window) in [(0, 20), (1, 20), (2_250, 20), (2_250, 1), (7, 1), (2_250, 2_250), (65, 64)]
        {
            for answers_first in [false, true] {
                let received = received_when_current(backlog, window, answers_first);
                assert_eq!(received, backlog, "window {window}, answers first: {answers_first}");
            }
        }
    }

    #[test]
    fn what_was_under_way_before_the_drop_counts() {
        let mut resumed = Resumed::new(Timestamp::default(), Timestamp::default());
        assert!(!resumed.incoming(&Packet::PubRel(rumqttc::PubRel::new(3))));
        resumed.outgoing(&Outgoing::PubComp(3));
        assert_eq!((resumed.received, resumed.acknowledged), (1, 1));
    }
}
