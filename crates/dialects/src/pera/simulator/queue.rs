//! Requests that wait: one of each robot in turn, so that a flood by one costs the others nothing.

use std::collections::VecDeque;

use foldhash::{HashMap, HashMapExt};

use crate::pera::roster::SwarmId;

/// Requests of one robot that may wait.
const EACH: usize = 1_024;

/// Requests of all that may wait.
const ALL: usize = 32_768;

/// See the module.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: HashMap<SwarmId, VecDeque<T>>,
    turns: VecDeque<SwarmId>,
    count: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { waiting: HashMap::new(), turns: VecDeque::new(), count: 0 }
    }
}

impl<T> Queue<T> {
    /// Takes a request; false if too many of this robot, or of all, wait already.
    pub(super) fn push(&mut self, id: SwarmId, request: T) -> bool {
        if self.count >= ALL {
            return false;
        }
        let own = self.waiting.entry(id).or_default();
        if own.len() >= EACH {
            return false;
        }
        if own.is_empty() {
            self.turns.push_back(id);
        }
        own.push_back(request);
        self.count += 1;
        true
    }

    /// The next one, of the robot whose turn it is.
    pub(super) fn pop(&mut self) -> Option<(SwarmId, T)> {
        let id = self.turns.pop_front()?;
        let own = self.waiting.get_mut(&id)?;
        let request = own.pop_front()?;
        self.count -= 1;
        if own.is_empty() {
            self.waiting.remove(&id);
        } else {
            self.turns.push_back(id);
        }
        Some((id, request))
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_much_waits_longest() {
        let mut queue = Queue::default();
        for number in 0..3 {
            queue.push(7, number);
        }
        queue.push(8, 0);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [(7, 0), (8, 0), (7, 1), (7, 2)]);
        assert!(queue.is_empty() && queue.pop().is_none());
    }

    #[test]
    fn a_flood_is_bounded() {
        let mut queue = Queue::default();
        assert_eq!((0..5_000).filter(|number| queue.push(1, *number)).count(), EACH);
        assert!(queue.push(2, 0), "others still have room");
        let taken = (0..100_000).filter(|number| queue.push(3 + number, 0)).count();
        assert_eq!(taken, ALL - EACH - 1);
    }
}
