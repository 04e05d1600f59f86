//! Published messages, queued for the broker within a bound.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::{MAX_PAYLOAD_BYTES, PublishError};
use crate::limits::{OUTBOX_MAX_BYTES, OUTBOX_MAX_MESSAGES};
use crate::{Message, Progress};

/// Longest topic that the protocol can carry, in bytes.
const MAX_TOPIC_BYTES: usize = 65_535;

/// Many tasks write, one reads.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    wake: Notify,
    room: Notify,
    confirmed: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    messages: VecDeque<Message>,
    bytes: usize,
    /// Taken out, and not confirmed by the broker.
    in_flight: usize,
    /// Ever queued.
    published: u64,
}

impl Outbox {
    /// Queues a message.
    pub(crate) fn push(&self, message: Message) -> Result<(), PublishError> {
        check(&message)?;
        let mut waiting = self.lock();
        if !waiting.has_room_for(&message) {
            return Err(PublishError::QueueFull);
        }
        waiting.bytes += size(&message);
        waiting.messages.push_back(message);
        waiting.published += 1;
        drop(waiting);
        self.wake.notify_one();
        Ok(())
    }

    /// Queues a message as soon as there is room; an invalid one is refused at once.
    pub(crate) async fn push_when_room(&self, message: Message) -> Result<(), PublishError> {
        loop {
            if self.lock().has_room_for(&message) || check(&message).is_err() {
                return self.push(message);
            }
            self.room.notified().await;
        }
    }

    /// Puts unconfirmed messages back in front, in their order, after the connection dropped. They were queued before, so
    /// no bound applies.
    pub(crate) fn put_back(&self, messages: Vec<Message>) {
        let mut waiting = self.lock();
        waiting.in_flight = 0;
        for message in messages.into_iter().rev() {
            waiting.bytes += size(&message);
            waiting.messages.push_front(message);
        }
        drop(waiting);
        self.wake.notify_one();
    }

    /// The next message. Cancel safe.
    pub(crate) async fn next(&self) -> Message {
        loop {
            if let Some(message) = self.take() {
                return message;
            }
            self.wake.notified().await;
        }
    }

    /// The next message, if one is queued.
    pub(crate) fn take(&self) -> Option<Message> {
        let mut waiting = self.lock();
        let message = waiting.messages.pop_front()?;
        waiting.bytes = waiting.bytes.saturating_sub(size(&message));
        waiting.in_flight += 1;
        drop(waiting);
        self.room.notify_one();
        Some(message)
    }

    /// How many messages were ever queued and confirmed.
    pub(crate) fn progress(&self) -> Progress {
        let waiting = self.lock();
        let unconfirmed = (waiting.messages.len() + waiting.in_flight) as u64;
        Progress { published: waiting.published, confirmed: waiting.published.saturating_sub(unconfirmed) }
    }

    /// Waits until more than `count` messages are confirmed; for one task. Cancel safe.
    pub(crate) async fn confirmed_beyond(&self, count: u64) {
        while self.progress().confirmed <= count {
            self.confirmed.notified().await;
        }
    }

    /// Sets how many of the messages taken out are not confirmed.
    pub(crate) fn set_in_flight(&self, count: usize) {
        self.lock().in_flight = count;
        self.confirmed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn has_room_for(&self, message: &Message) -> bool {
        self.messages.len() < OUTBOX_MAX_MESSAGES && self.bytes + size(message) <= OUTBOX_MAX_BYTES
    }
}

fn size(message: &Message) -> usize {
    message.topic.len() + message.payload.len()
}

/// Refuses a message that every broker would answer by ending the connection: it would be sent again for ever.
fn check(message: &Message) -> Result<(), PublishError> {
    let Message { topic, payload, .. } = message;
    if topic.is_empty() || topic.len() > MAX_TOPIC_BYTES || topic.contains(['+', '#', '\0']) {
        return Err(PublishError::InvalidTopic { topic: topic.chars().take(80).collect() });
    }
    if payload.len() > MAX_PAYLOAD_BYTES {
        return Err(PublishError::PayloadTooLarge { topic: topic.clone(), bytes: payload.len() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Qos;

    fn message(topic: &str, payload: Vec<u8>) -> Message {
        Message::new(topic, payload, Qos::ExactlyOnce)
    }

    fn unconfirmed(outbox: &Outbox) -> usize {
        usize::try_from(outbox.progress().unconfirmed()).unwrap()
    }

    #[tokio::test]
    async fn confirmed_messages_are_counted() {
        let outbox = Outbox::default();
        for _ in 0..3 {
            outbox.push(message("a", vec![])).unwrap();
        }
        let taken = [outbox.take().unwrap(), outbox.take().unwrap()];
        assert_eq!(outbox.progress(), Progress { published: 3, confirmed: 0 });
        tokio::join!(outbox.confirmed_beyond(0), async { outbox.set_in_flight(1) });
        assert_eq!(outbox.progress(), Progress { published: 3, confirmed: 1 });
        let [_, unconfirmed] = taken;
        outbox.put_back(vec![unconfirmed]);
        assert_eq!(outbox.progress(), Progress { published: 3, confirmed: 1 });
    }

    #[test]
    fn messages_put_back_go_first() {
        let outbox = Outbox::default();
        outbox.push(message("c", vec![])).unwrap();
        outbox.put_back(vec![message("a", vec![]), message("b", vec![])]);
        let order: String = std::iter::from_fn(|| outbox.take()).map(|message| message.topic).collect();
        assert_eq!(order, "abc");
    }

    #[test]
    fn holds_a_bounded_number_and_a_bounded_size() {
        let outbox = Outbox::default();
        for _ in 0..OUTBOX_MAX_MESSAGES {
            outbox.push(message("a", vec![])).unwrap();
        }
        assert_eq!(outbox.push(message("a", vec![])), Err(PublishError::QueueFull));
        assert_eq!(unconfirmed(&outbox), OUTBOX_MAX_MESSAGES);

        let outbox = Outbox::default();
        let taken = (0..100).take_while(|_| outbox.push(message("a", vec![0; 1 << 20])).is_ok()).count();
        assert_eq!(taken, (OUTBOX_MAX_BYTES >> 20) - 1);
    }

    #[test]
    fn invalid_messages_are_refused() {
        let outbox = Outbox::default();
        for topic in ["", "a/+/b", "#", "nul\0", &"x".repeat(65_536)] {
            let error = outbox.push(message(topic, vec![])).unwrap_err().to_string();
            assert!(error.contains("no topic to publish to") && error.len() < 300, "{error}");
        }
        let error = outbox.push(message("a", vec![0; MAX_PAYLOAD_BYTES + 1])).unwrap_err().to_string();
        assert!(error.contains("at most 4194304"), "{error}");
        assert_eq!(unconfirmed(&outbox), 0);
    }

    #[tokio::test]
    async fn waits_for_room() {
        let outbox = Outbox::default();
        for _ in 0..OUTBOX_MAX_MESSAGES {
            outbox.push(message("a", vec![])).unwrap();
        }
        let late = outbox.push_when_room(message("late", vec![]));
        let (taken, ()) = tokio::join!(late, async {
            outbox.take();
        });
        taken.unwrap();
        assert_eq!(outbox.lock().messages.len(), OUTBOX_MAX_MESSAGES);
    }
}
