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

    /// The next ones, so many at most, and so many of each robot.
    pub(super) fn take(&mut self, most: usize, of_each: usize) -> Vec<(SwarmId, T)> {
        let mut taken = Vec::new();
        for _ in 0..of_each {
            let robots = self.turns.len().min(most - taken.len());
            if robots == 0 {
                break;
            }
            taken.extend(std::iter::from_fn(|| self.pop()).take(robots));
        }
        taken
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
        let order = queue.take(10, 10);
        assert_eq!(order, [(7, 0), (8, 0), (7, 1), (7, 2)]);
        assert!(queue.is_empty() && queue.take(10, 10).is_empty());
    }

    #[test]
    fn a_turn_is_bounded_for_each_and_for_all() {
        let mut queue = Queue::default();
        for number in 0..9 {
            queue.push(7, number);
        }
        queue.push(8, 0);
        assert_eq!(queue.take(10, 2), [(7, 0), (8, 0), (7, 1)]);
        queue.push(8, 1);
        assert_eq!(queue.take(3, 9), [(7, 2), (8, 1), (7, 3)]);
        assert_eq!(queue.take(0, 9), []);
        assert_eq!(queue.take(usize::MAX, 9).len(), 5);
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
