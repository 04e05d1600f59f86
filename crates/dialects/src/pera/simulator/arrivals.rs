//! Messages of robots that are no members yet: a crowd that comes is taken in little by little, so that it keeps nobody waiting
//! who is there, neither for the simulator nor for a processor.
//!
//! ```text
//!  who is known ────────────────────────────▶ dealt with at once
//!  who comes ──▶ what it says, in its order ──▶ dealt with, a few in each millisecond
//! ```

use std::collections::VecDeque;

use bytes::Bytes;
use foldhash::{HashMap, HashMapExt};
use latimer_core::Timestamp;

use crate::pera::limits::{MAX_WAITING_MESSAGES, WAITING_MESSAGES_MAX_BYTES};
use crate::pera::map::robot_of;
use crate::pera::roster::SwarmId;
use crate::pera::topic::Topic;
use crate::pera::wire::{Message, ReadError};

/// Those dealt with at a time; each costs as much as many questions.
const MOST_NEW: usize = 16;

/// A message as it was received.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrival {
    /// Whose it is, if it is one robot's.
    pub(super) id: Option<SwarmId>,
    pub(super) read: Result<Message, ReadError>,
    pub(super) payload: Bytes,
    /// The broker had kept it.
    pub(super) kept: bool,
    /// When it was sent at the earliest.
    pub(super) sent: Timestamp,
}

impl Arrival {
    pub(super) fn new(read: Result<Message, ReadError>, payload: Bytes, kept: bool, sent: Timestamp) -> Self {
        let id = match &read {
            Ok(message) => robot_of(message),
            // A robot may be known even if the rest cannot be read.
            Err(error) if error.may_be_another => match Message::read(&Topic::Live, &payload) {
                Ok(Message::Live(it)) => Some(it.id),
                _ => None,
            },
            Err(_) => None,
        };
        Self { id, read, payload, kept, sent }
    }
}

/// Messages of robots that are no members yet.
#[derive(Debug)]
pub(super) struct Arrivals {
    waiting: VecDeque<(SwarmId, Arrival)>,
    /// How many messages of each wait.
    of: HashMap<SwarmId, usize>,
    bytes: usize,
    /// How many more are dealt with for now.
    left: usize,
}

impl Default for Arrivals {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), of: HashMap::new(), bytes: 0, left: MOST_NEW }
    }
}

impl Arrivals {
    /// Takes what was received, and gives what is to be dealt with now. `is_new`: it brings a robot that nobody knows. All that
    /// a robot says waits behind what it said before.
    pub(super) fn sort(&mut self, sent: Arrival, is_new: bool) -> Option<Arrival> {
        let Some(id) = sent.id.filter(|id| is_new || self.of.contains_key(id)) else { return Some(sent) };
        if self.waiting.is_empty() && self.left > 0 {
            self.left -= 1;
            return Some(sent);
        }
        self.bytes += sent.payload.len();
        *self.of.entry(id).or_default() += 1;
        self.waiting.push_back((id, sent));
        let is_full = self.waiting.len() > MAX_WAITING_MESSAGES || self.bytes > WAITING_MESSAGES_MAX_BYTES;
        if is_full { self.pop() } else { None }
    }

    /// The one that waits longest, if one more is to be dealt with now.
    pub(super) fn next(&mut self) -> Option<Arrival> {
        self.left = self.left.checked_sub(1)?;
        self.pop()
    }

    /// Some more are to be dealt with.
    pub(super) fn welcome_some(&mut self) {
        self.left = MOST_NEW;
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn pop(&mut self) -> Option<Arrival> {
        let (id, sent) = self.waiting.pop_front()?;
        self.bytes = self.bytes.saturating_sub(sent.payload.len());
        if let Some(count) = self.of.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.of.remove(&id);
            }
        }
        Some(sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(id: SwarmId, bytes: usize) -> Arrival {
        Arrival::new(Ok(Message::Localization(id)), vec![0; bytes].into(), false, Timestamp::default())
    }

    #[test]
    fn a_few_who_come_wait_for_nothing() {
        let mut arrivals = Arrivals::default();
        for id in 0..MOST_NEW as SwarmId {
            assert_eq!(arrivals.sort(sent(id, 1), true), Some(sent(id, 1)));
        }
        assert_eq!(arrivals.sort(sent(1, 1), false), Some(sent(1, 1)), "it has come");
    }

    #[test]
    fn a_crowd_waits_and_who_is_known_does_not() {
        let mut arrivals = Arrivals::default();
        let crowd = 100;
        let at_once = (0..crowd).filter(|id| arrivals.sort(sent(*id, 1), true).is_some()).count();
        assert_eq!(at_once, MOST_NEW);
        assert_eq!(arrivals.sort(sent(1_000, 7), false), Some(sent(1_000, 7)));
        assert_eq!(arrivals.sort(sent(50, 2), false), None, "it has not come yet");
        assert_eq!(arrivals.next(), None, "some have come already");
        let mut order = Vec::new();
        while !arrivals.is_empty() {
            arrivals.welcome_some();
            let some: Vec<_> = std::iter::from_fn(|| arrivals.next()).collect();
            assert!(some.len() <= MOST_NEW);
            order.extend(some);
        }
        let of_50: Vec<_> = order.iter().filter(|sent| sent.id == Some(50)).cloned().collect();
        assert_eq!(of_50, [sent(50, 1), sent(50, 2)]);
        assert_eq!(order.len(), crowd as usize - MOST_NEW + 1);
        arrivals.welcome_some();
        assert_eq!(arrivals.sort(sent(50, 3), false), Some(sent(50, 3)), "it has come now");
    }

    #[test]
    fn what_waits_is_bounded_and_nothing_is_lost() {
        for (bytes, most) in [(0, MAX_WAITING_MESSAGES), (1 << 20, WAITING_MESSAGES_MAX_BYTES >> 20)] {
            let mut arrivals = Arrivals { left: 0, ..Arrivals::default() };
            let dealt_with = (0..2 * most).filter(|_| arrivals.sort(sent(1, bytes), true).is_some()).count();
            assert_eq!((dealt_with, arrivals.waiting.len()), (most, most));
        }
    }
}
