//! Requests that wait: one of each robot in turn, so that a flood by one costs the others nothing.
//!
//! ```text
//!  push ──▶ turns ──take──▶ answered
//!             ▲ │ has more to ask after so many in one turn
//!             │ ▼
//!            resting, until the broker has confirmed its answers
//! ```
//!
//! A robot that always has something to ask would otherwise have answers stand at the broker's door all the time, and
//! everybody else's behind them.

use std::collections::VecDeque;

use foldhash::{HashMap, HashMapExt};
use latimer_mqtt::Progress;

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
    /// How many messages have to be confirmed until it is a robot's turn again.
    resting: VecDeque<(u64, SwarmId)>,
    count: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { waiting: HashMap::new(), turns: VecDeque::new(), resting: VecDeque::new(), count: 0 }
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

    /// The next ones, so many at most, and so many of each robot; each is answered with one message, or none.
    pub(super) fn take(&mut self, most: usize, of_each: usize, progress: Progress) -> Vec<(SwarmId, T)> {
        while self.resting.front().is_some_and(|(until, _)| is_over(*until, progress)) {
            self.turns.extend(self.resting.pop_front().map(|(_, id)| id));
        }
        let mut taken = Vec::new();
        for round in 1..=of_each {
            let robots = self.turns.len().min(most - taken.len());
            if robots == 0 {
                break;
            }
            let until = (round == of_each).then_some(progress.published + (taken.len() + robots) as u64);
            taken.extend(std::iter::from_fn(|| self.pop(until)).take(robots));
        }
        taken
    }

    /// The next one, of the robot whose turn it is; if it has more to ask, it rests until so many messages are confirmed.
    fn pop(&mut self, rests_until: Option<u64>) -> Option<(SwarmId, T)> {
        let id = self.turns.pop_front()?;
        let own = self.waiting.get_mut(&id)?;
        let request = own.pop_front()?;
        self.count -= 1;
        match (own.is_empty(), rests_until) {
            (true, _) => drop(self.waiting.remove(&id)),
            (false, Some(until)) => self.resting.push_back((until, id)),
            (false, None) => self.turns.push_back(id),
        }
        Some((id, request))
    }

    /// Whether it is somebody's turn.
    pub(super) fn is_ready(&self, progress: Progress) -> bool {
        !self.turns.is_empty() || self.resting.front().is_some_and(|(until, _)| is_over(*until, progress))
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// A request may have been answered with nothing, so a rest ends when all that was said is confirmed, too.
fn is_over(until: u64, progress: Progress) -> bool {
    until <= progress.confirmed || progress.unconfirmed() == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIRMED: Progress = Progress { published: 0, confirmed: 0 };

    #[test]
    fn who_asks_much_waits_longest() {
        let mut queue = Queue::default();
        for number in 0..3 {
            queue.push(7, number);
        }
        queue.push(8, 0);
        let order = queue.take(10, 10, CONFIRMED);
        assert_eq!(order, [(7, 0), (8, 0), (7, 1), (7, 2)]);
        assert!(queue.is_empty() && queue.take(10, 10, CONFIRMED).is_empty());
    }

    #[test]
    fn a_turn_is_bounded_for_each_and_for_all() {
        let mut queue = Queue::default();
        for number in 0..9 {
            queue.push(7, number);
        }
        queue.push(8, 0);
        assert_eq!(queue.take(10, 2, CONFIRMED), [(7, 0), (8, 0), (7, 1)]);
        queue.push(8, 1);
        assert_eq!(queue.take(3, 9, CONFIRMED), [(8, 1), (7, 2), (7, 3)]);
        assert_eq!(queue.take(0, 9, CONFIRMED), []);
        assert_eq!(queue.take(usize::MAX, 9, CONFIRMED).len(), 5);
    }

    #[test]
    fn who_has_more_to_ask_rests_until_its_answers_are_confirmed() {
        let mut queue = Queue::default();
        for number in 0..9 {
            queue.push(7, number);
        }
        let progress = |confirmed| Progress { published: 100 + 4, confirmed };
        assert_eq!(queue.take(64, 4, Progress { published: 100, confirmed: 90 }).len(), 4);
        assert!(!queue.is_ready(progress(103)) && !queue.is_empty());
        queue.push(8, 0);
        assert_eq!(queue.take(64, 4, progress(103)), [(8, 0)], "nobody waits for who rests");
        assert!(queue.is_ready(progress(104)));
        assert_eq!(queue.take(64, 4, progress(104)), [(7, 4), (7, 5), (7, 6), (7, 7)]);
        let silent = Progress { published: 106, confirmed: 106 };
        assert_eq!(queue.take(64, 4, silent), [(7, 8)], "not every request is answered");
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
