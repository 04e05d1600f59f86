//! Retained messages, the newest of each topic.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use latimer_core::Timestamp;
use latimer_core::memory::{Budget, Exceeded, Reservation, Share};

use super::message::Publication;
use super::subscriptions::Filter;

/// Bytes of a retained message's place beside the message.
const EACH_BYTES: u64 = 96;

/// Retained messages by their topics.
#[derive(Debug)]
pub(super) struct Retained {
    messages: BTreeMap<Arc<str>, Arc<Publication>>,
    most: usize,
    held: Reservation,
    /// Some of them expire.
    expire: bool,
}

/// A retained message is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotKept {
    /// There are as many as `broker.limits.max_retained`.
    TooMany,
    /// There is no memory left.
    Memory(Exceeded),
}

/// Where a look through the messages of a filter stands.
#[derive(Clone, Debug)]
pub(super) struct Position(Option<Arc<str>>);

impl Position {
    pub(super) const START: Self = Self(None);
}

impl Retained {
    pub(super) fn new(memory: &Budget, most: usize) -> Self {
        Self { messages: BTreeMap::new(), most, held: memory.hold(Share::Retained), expire: false }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.messages.len()
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> u64 {
        self.held.bytes()
    }

    /// Keeps a message, of which a client is the publisher; one without a payload removes that of its topic.
    pub(super) fn set(&mut self, message: Arc<Publication>, client: &str) -> Result<(), NotKept> {
        let old = self.messages.get(&message.topic).map_or(0, |old| EACH_BYTES + old.cost());
        if message.payload.is_empty() {
            self.messages.remove(&message.topic);
            self.held.set(self.held.bytes() - old);
            return Ok(());
        }
        if old == 0 && self.messages.len() >= self.most {
            return Err(NotKept::TooMany);
        }
        let bytes = self.held.bytes() - old + EACH_BYTES + message.cost();
        self.held.resize(bytes, client).map_err(NotKept::Memory)?;
        self.expire |= message.expires.is_some();
        self.messages.insert(message.topic.clone(), message);
        Ok(())
    }

    /// The next few that a filter matches, up to the message of a number; `position` goes on, and ends as `None`.
    pub(super) fn next(
        &self,
        filter: Filter<'_>,
        position: &mut Option<Position>,
        until: u64,
        most: usize,
        now: Timestamp,
    ) -> Vec<Arc<Publication>> {
        let Some(Position(after)) = position else { return Vec::new() };
        let prefix = filter.prefix();
        let from = match after {
            Some(topic) => Bound::Excluded(&**topic),
            None => Bound::Included(prefix),
        };
        let mut found = Vec::new();
        // One look is bounded, too, by how many it passes over.
        let mut looked = 0;
        for (topic, message) in self.messages.range::<str, _>((from, Bound::Unbounded)) {
            if !topic.starts_with(prefix) {
                break;
            }
            looked += 1;
            let is_old = message.number <= until && message.expires.is_none_or(|at| at > now);
            if is_old && filter.matches(topic) {
                found.push(message.clone());
            }
            if found.len() >= most || looked >= 64 * most {
                *position = Some(Position(Some(topic.clone())));
                return found;
            }
        }
        *position = None;
        found
    }

    /// Removes what has expired.
    pub(super) fn tidy(&mut self, now: Timestamp) {
        if !std::mem::take(&mut self.expire) {
            return;
        }
        let mut gone = 0;
        self.messages.retain(|_, message| {
            let stays = message.expires.is_none_or(|at| at > now);
            self.expire |= stays && message.expires.is_some();
            gone += if stays { 0 } else { EACH_BYTES + message.cost() };
            stays
        });
        self.held.set(self.held.bytes() - gone);
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use latimer_core::Clock;

    use super::*;
    use crate::Qos;

    fn message(topic: &str, payload: usize) -> Arc<Publication> {
        Arc::new(Publication {
            topic: topic.into(),
            payload: Bytes::from(vec![0; payload]),
            qos: Qos::AtLeastOnce,
            passed_on: Bytes::new(),
            expires: None,
            number: 1,
            _held: None,
        })
    }

    #[tokio::test(start_paused = true)]
    async fn a_message_that_replaces_another_needs_only_the_difference() {
        let memory = Budget::new(Clock::system());
        memory.set_total(16 << 20);
        let most = usize::try_from(memory.limit(Share::Retained)).unwrap();
        let mut retained = Retained::new(&memory, 2);
        retained.set(message("a", most - 1_024), "x").unwrap();
        assert!(matches!(retained.set(message("b", 1_024), "x"), Err(NotKept::Memory(_))));
        retained.set(message("a", most - 1_000), "x").unwrap();
        assert!(retained.set(message("a", most), "x").is_err());
        retained.set(message("a", 0), "x").unwrap();
        assert_eq!((retained.bytes(), retained.count()), (0, 0));
        retained.set(message("b", 1), "x").unwrap();
        retained.set(message("c", 1), "x").unwrap();
        assert_eq!(retained.set(message("d", 1), "x"), Err(NotKept::TooMany));
        retained.set(message("c", 2), "x").unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_filter_finds_all_of_its_messages_in_pieces() {
        let memory = Budget::new(Clock::system());
        let mut retained = Retained::new(&memory, 100_000);
        for number in 0..1_000 {
            retained.set(message(&format!("a/{number}"), 1), "x").unwrap();
            retained.set(message(&format!("b/{number}/c"), 1), "x").unwrap();
        }
        retained.set(message("a", 1), "x").unwrap();
        for (text, count) in
            [("a/#", 1_001), ("#", 2_001), ("b/+/c", 1_000), ("a/7", 1), ("c/#", 0), ("+", 1)]
        {
            let (filter, mut position, mut found) = (Filter::parse(text).unwrap(), Some(Position::START), 0);
            while position.is_some() {
                found += retained.next(filter, &mut position, 1, 3, Timestamp::default()).len();
            }
            assert_eq!(found, count, "{text}");
            assert!(retained.next(filter, &mut Some(Position::START), 0, 3, Timestamp::default()).is_empty());
        }
    }
}
