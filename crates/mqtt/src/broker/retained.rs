//! What retained messages take: a message that the share has no room for is refused.
//!
//! The library bounds their number only. It keeps a second copy of each in its store, from which only a file would be read at the
//! next start; that copy is removed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::memory::{Budget, Exceeded, Reservation, Share};
use mqtt5::broker::router::MessageRouter;

/// Bytes of a retained message beside its topic and payload.
const EACH_BYTES: u64 = 512;

/// Bytes of each topic that has a retained message.
pub(super) struct Retained(Mutex<Topics>);

struct Topics {
    bytes: HashMap<Arc<str>, u64>,
    held: Reservation,
}

impl Retained {
    pub(super) fn new(memory: &Budget) -> Self {
        Self(Mutex::new(Topics { bytes: HashMap::new(), held: memory.hold(Share::Retained) }))
    }

    fn topics(&self) -> MutexGuard<'_, Topics> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for a message of a client.
    pub(super) fn admit(&self, topic: &Arc<str>, payload: usize, client: &str) -> Result<(), Exceeded> {
        let mut topics = self.topics();
        let (new, old) = (cost(topic, payload), topics.bytes.get(topic).copied().unwrap_or(0));
        let all = topics.held.bytes() - old + new;
        topics.held.resize(all, client)?;
        topics.bytes.insert(topic.clone(), new);
        Ok(())
    }

    /// A message is kept, or the one of its topic is gone.
    pub(super) fn set(&self, topic: &Arc<str>, payload: Option<usize>) {
        let mut topics = self.topics();
        let new = payload.map(|payload| cost(topic, payload));
        let old = match new {
            Some(new) => topics.bytes.insert(topic.clone(), new),
            None => topics.bytes.remove(topic),
        };
        let all = topics.held.bytes() - old.unwrap_or(0) + new.unwrap_or(0);
        topics.held.set(all);
    }

    /// Gives back the room of messages that never came: their clients went away before they were complete.
    pub(super) async fn tidy(&self, router: &MessageRouter) {
        let known: Vec<_> = self.topics().bytes.keys().cloned().collect();
        for topic in known {
            if !router.has_retained_message(&topic).await {
                self.set(&topic, None);
            }
        }
    }
}

fn cost(topic: &str, payload: usize) -> u64 {
    // The library keeps the topic as key and in the message; here it is once more.
    (payload + 3 * topic.len()) as u64 + EACH_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use latimer_core::Clock;

    #[tokio::test(start_paused = true)]
    async fn a_message_that_replaces_another_needs_only_the_difference() {
        let memory = Budget::new(Clock::system());
        memory.set_total(16 << 20);
        let most = usize::try_from(memory.limit(Share::Retained)).unwrap();
        let retained = Retained::new(&memory);
        let used = || memory.report().find(|it| it.share == Share::Retained).unwrap().used;
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        retained.admit(&a, most - 1_024, "x").unwrap();
        assert!(retained.admit(&b, 1_024, "x").is_err());
        retained.admit(&a, most - 1_000, "x").unwrap();
        assert!(retained.admit(&a, most, "x").is_err());
        retained.set(&a, Some(most - 1_000));
        assert_eq!(used(), cost("a", most - 1_000));
        retained.set(&a, None);
        assert_eq!(used(), 0);
        retained.admit(&b, 1_024, "x").unwrap();
        retained.tidy(&MessageRouter::new()).await;
        assert_eq!(used(), 0, "nobody has it");
    }
}
