//! Messages of QoS 0 that wait for clients that read slowly: what they take in all is bounded, and who sends much is refused first.
//!
//! The library bounds how many wait for one client, and does not tell which. All clients share one payload, so it waits as
//! long as somebody beside this list holds it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use latimer_core::memory::{Budget, Reservation, Share};
use tokio_util::sync::CancellationToken;

/// Smaller payloads are not followed: their number is bounded, and finding them would cost more than they take.
const SMALLEST: usize = 1 << 10;

/// Between two looks for payloads that were read.
const TIDY_EVERY: Duration = Duration::from_secs(10);

/// Payloads that wait.
pub(super) struct Qos0 {
    memory: Budget,
    waiting: Mutex<Waiting>,
}

struct Waiting {
    /// Oldest first, with their publishers.
    payloads: VecDeque<(Arc<str>, Bytes)>,
    /// Bytes of each publisher.
    bytes: HashMap<Arc<str>, u64>,
    held: Reservation,
    /// How many payloads there are when all are looked at again.
    look_at: usize,
}

impl Qos0 {
    pub(super) fn new(memory: &Budget) -> Self {
        let waiting = Waiting {
            payloads: VecDeque::new(),
            bytes: HashMap::new(),
            held: memory.hold(Share::Qos0),
            look_at: 0,
        };
        Self { memory: memory.clone(), waiting: Mutex::new(waiting) }
    }

    /// Whether a message is passed on. Of half of the share each client may take its part while that half is full; the other half is
    /// for clients that take less than theirs.
    pub(super) fn admit(&self, client: &Arc<str>, payload: &Bytes) -> bool {
        if payload.len() < SMALLEST {
            return true;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let size = payload.len() as u64;
        waiting.drop_read();
        let limit = self.memory.limit(Share::Qos0);
        if waiting.held.bytes() + size > limit / 2 {
            waiting.drop_all_read();
        }
        let (own, all) =
            (waiting.bytes.get(client).map_or(size, |own| own + size), waiting.held.bytes() + size);
        let fair = limit / 2 / (waiting.bytes.len() as u64).max(1);
        if all > limit || (all > limit / 2 && own > fair) {
            drop(waiting);
            self.memory.refused(Share::Qos0, client);
            return false;
        }
        waiting.payloads.push_back((client.clone(), payload.clone()));
        *waiting.bytes.entry(client.clone()).or_default() += size;
        let bytes = waiting.held.bytes() + size;
        waiting.held.set(bytes);
        true
    }

    /// Forgets what was read, until `shutdown`: nothing may be published for long.
    pub(super) async fn tidy(&self, shutdown: &CancellationToken) {
        while shutdown.run_until_cancelled(tokio::time::sleep(TIDY_EVERY)).await.is_some() {
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).drop_all_read();
        }
    }
}

impl Waiting {
    /// Forgets the oldest that were read, and all that were if there are many.
    fn drop_read(&mut self) {
        while self.payloads.front().is_some_and(|(_, payload)| payload.is_unique()) {
            if let Some((client, payload)) = self.payloads.pop_front() {
                self.give_back(&client, payload.len());
            }
        }
        if self.payloads.len() > self.look_at {
            self.drop_all_read();
        }
    }

    fn drop_all_read(&mut self) {
        for (client, payload) in std::mem::take(&mut self.payloads) {
            if payload.is_unique() {
                self.give_back(&client, payload.len());
            } else {
                self.payloads.push_back((client, payload));
            }
        }
        self.look_at = 2 * self.payloads.len() + 64;
    }

    fn give_back(&mut self, client: &Arc<str>, size: usize) {
        let size = size as u64;
        if let Some(bytes) = self.bytes.get_mut(client) {
            *bytes -= size;
            if *bytes == 0 {
                self.bytes.remove(client);
            }
        }
        let bytes = self.held.bytes() - size;
        self.held.set(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_core::Clock;

    fn used(memory: &Budget) -> u64 {
        memory.report().find(|report| report.share == Share::Qos0).unwrap().used
    }

    #[tokio::test(start_paused = true)]
    async fn who_sends_much_is_refused_while_its_messages_wait() {
        let memory = Budget::new(Clock::system());
        memory.set_total(16 << 20);
        let (qos0, limit) = (Qos0::new(&memory), memory.limit(Share::Qos0));
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let payload = || Bytes::from(vec![0; 64 << 10]);
        let mut waits = Vec::new();
        loop {
            let sent = payload();
            if !qos0.admit(&a, &sent) {
                break;
            }
            waits.push(sent);
        }
        assert_eq!(waits.len() as u64, (limit / 2) >> 16);
        assert!(qos0.admit(&b, &payload()), "another is not");
        waits.remove(3);
        waits.remove(5);
        assert!(qos0.admit(&a, &payload()), "one was read");
        waits.clear();
        assert!(qos0.admit(&b, &payload()));
        assert_eq!(used(&memory), 64 << 10, "the newest, of which the list learns later that it was read");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_read_behind_one_that_waits_is_forgotten() {
        let memory = Budget::new(Clock::system());
        let qos0 = Qos0::new(&memory);
        let client: Arc<str> = "a".into();
        let waits = Bytes::from(vec![0; 2_000]);
        assert!(qos0.admit(&client, &waits));
        for _ in 0..10_000 {
            assert!(qos0.admit(&client, &Bytes::from(vec![0; 2_000])));
        }
        assert!(used(&memory) < 300_000, "{}", used(&memory));
    }
}
