//! Messages on their way through the broker, and the memory that they take until the last subscriber has them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use latimer_core::Timestamp;

use crate::Qos;

/// Bytes of a message beside what it carries.
const EACH_BYTES: u64 = 160;

/// Payloads of QoS 0 below this are not counted: their number is bounded.
const SMALLEST: usize = 1 << 10;

/// A message that was published; all subscribers share it.
#[derive(Debug)]
pub(super) struct Publication {
    pub(super) topic: Arc<str>,
    pub(super) payload: Bytes,
    pub(super) qos: Qos,
    /// Properties of MQTT 5 as the publisher wrote them.
    pub(super) passed_on: Bytes,
    pub(super) expires: Option<Timestamp>,
    /// Messages have ascending numbers.
    pub(super) number: u64,
    /// Given back with the message.
    pub(super) _held: Option<Held>,
}

impl Publication {
    /// Bytes that it takes.
    pub(super) fn cost(&self) -> u64 {
        cost(&self.topic, self.payload.len(), self.passed_on.len())
    }
}

/// Bytes that a message takes.
pub(super) fn cost(topic: &str, payload: usize, properties: usize) -> u64 {
    EACH_BYTES + (topic.len() + payload + properties) as u64
}

/// What messages take that wait for somebody.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// Of QoS 1 and 2.
    stored: AtomicU64,
    /// Of QoS 0.
    qos0: AtomicU64,
    /// Publishers of which some of QoS 0 wait.
    publishers: AtomicU64,
}

/// What one publisher's messages of QoS 0 take.
pub(super) type Published = Arc<AtomicU64>;

/// The part of one message.
#[derive(Debug)]
pub(super) struct Held {
    usage: Arc<Usage>,
    bytes: u64,
    /// Of QoS 0.
    publisher: Option<Published>,
}

impl Usage {
    /// Counts a message until it is dropped; `publisher` has it too if it is of QoS 0.
    pub(super) fn hold(self: &Arc<Self>, qos: Qos, bytes: u64, publisher: &Published) -> Held {
        let publisher = (qos == Qos::AtMostOnce).then(|| publisher.clone());
        match &publisher {
            Some(own) => {
                self.qos0.fetch_add(bytes, Ordering::Relaxed);
                if own.fetch_add(bytes, Ordering::Relaxed) == 0 {
                    self.publishers.fetch_add(1, Ordering::Relaxed);
                }
            }
            None => {
                self.stored.fetch_add(bytes, Ordering::Relaxed);
            }
        }
        Held { usage: self.clone(), bytes, publisher }
    }

    /// Bytes of messages of QoS 1 and 2.
    pub(super) fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Bytes of messages of QoS 0.
    pub(super) fn qos0(&self) -> u64 {
        self.qos0.load(Ordering::Relaxed)
    }

    /// Whether a message of QoS 0 is passed on. Of half of the limit each publisher may take its part while that half is full; the
    /// other half is for publishers that take less than theirs.
    pub(super) fn admits(&self, payload: usize, publisher: &Published, limit: u64) -> bool {
        if payload < SMALLEST {
            return true;
        }
        let (all, own) = (self.qos0() + payload as u64, publisher.load(Ordering::Relaxed) + payload as u64);
        let fair = limit / 2 / self.publishers.load(Ordering::Relaxed).max(1);
        all <= limit / 2 || (all <= limit && own <= fair)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(own) = &self.publisher else {
            self.usage.stored.fetch_sub(self.bytes, Ordering::Relaxed);
            return;
        };
        self.usage.qos0.fetch_sub(self.bytes, Ordering::Relaxed);
        if own.fetch_sub(self.bytes, Ordering::Relaxed) == self.bytes {
            self.usage.publishers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publisher_that_sends_much_is_refused_while_its_messages_wait() {
        let (usage, limit) = (Arc::new(Usage::default()), 1 << 20);
        let (a, b) = (Published::default(), Published::default());
        let payload = 64 << 10;
        let mut waits = Vec::new();
        while usage.admits(payload, &a, limit) {
            waits.push(usage.hold(Qos::AtMostOnce, payload as u64, &a));
        }
        assert_eq!(waits.len(), 8, "half of the limit");
        assert!(usage.admits(payload, &b, limit), "another is not refused");
        waits.pop();
        assert!(usage.admits(payload, &a, limit), "one was read");
        waits.clear();
        assert_eq!((usage.qos0(), usage.publishers.load(Ordering::Relaxed)), (0, 0));
    }
}
