//! Requests that wait to be answered over a broker: one of each robot in turn, so that a flood by one costs the others
//! nothing.
//!
//! ```text
//!  push ──▶ turns ──take──▶ answered
//!             ▲ │ has more to ask after so many in one turn
//!             │ ▼
//!            resting, until the broker has confirmed its answers
//! ```
//!
//! A robot that always has something to ask would otherwise have answers stand at the broker's door all the time, and
//! everybody else's behind them. What many messages answer is answered a few at a time, as many requests are.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use crate::{Progress, Publisher};

/// What may wait of one robot.
const OF_EACH: Amount = Amount { count: 1_024, bytes: 256 << 10 };

/// What may wait of all.
const OF_ALL: Amount = Amount { count: 32_768, bytes: 16 << 20 };

/// Messages that answer for one robot in one turn: as many as it has sensors.
const OF_EACH_TURN: usize = 4;

/// Messages that the broker has not confirmed, at most, for anything to be answered: more would stand in everybody's way.
const ON_THE_WAY: usize = 128;

/// What can wait.
pub trait Waits: Sized {
    /// What it holds of the memory beside its own size.
    fn bytes(&self) -> usize;

    /// Takes out what one message answers, if it is not all.
    fn split(&mut self) -> Option<Self>;
}

/// How much waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amount {
    count: usize,
    bytes: usize,
}

impl Amount {
    /// Whether there is room for another request; it may be a large one.
    fn is_within(self, bound: Self) -> bool {
        self.count < bound.count && self.bytes < bound.bytes
    }
}

/// Of one robot, in its order.
#[derive(Debug)]
struct Own<T> {
    requests: VecDeque<T>,
    amount: Amount,
}

/// See the module; a robot is known by its key.
#[derive(Debug)]
pub struct Turns<K, T> {
    waiting: HashMap<K, Own<T>>,
    turns: VecDeque<K>,
    /// How many messages have to be confirmed until it is a robot's turn again.
    resting: VecDeque<(u64, K)>,
    amount: Amount,
}

impl<K, T> Default for Turns<K, T> {
    fn default() -> Self {
        let (turns, resting) = (VecDeque::new(), VecDeque::new());
        Self { waiting: HashMap::new(), turns, resting, amount: Amount::default() }
    }
}

impl<K: Clone + Eq + Hash, T: Waits> Turns<K, T> {
    /// Whether a robot may ask for more.
    pub fn has_room_for(&self, id: &K) -> bool {
        let own = self.waiting.get(id).map(|own| own.amount).unwrap_or_default();
        self.amount.is_within(OF_ALL) && own.is_within(OF_EACH)
    }

    /// Takes a request; false if too much of this robot, or of all, waits already.
    pub fn push(&mut self, id: K, request: T) -> bool {
        if !self.has_room_for(&id) {
            return false;
        }
        let own = self
            .waiting
            .entry(id.clone())
            .or_insert_with(|| Own { requests: VecDeque::new(), amount: Amount::default() });
        if own.requests.is_empty() {
            self.turns.push_back(id);
        }
        for amount in [&mut own.amount, &mut self.amount] {
            amount.count += 1;
            amount.bytes += request.bytes();
        }
        own.requests.push_back(request);
        true
    }

    /// Those whose turn it is; each is answered with one message, or none. What takes more messages comes in parts.
    pub fn take(&mut self, progress: Progress) -> Vec<(K, T)> {
        self.take_at_most(progress.room(ON_THE_WAY), OF_EACH_TURN, progress)
    }

    fn take_at_most(&mut self, most: usize, of_each: usize, progress: Progress) -> Vec<(K, T)> {
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
    fn pop(&mut self, rests_until: Option<u64>) -> Option<(K, T)> {
        let id = self.turns.pop_front()?;
        let own = self.waiting.get_mut(&id)?;
        let before = own.requests.front()?.bytes();
        let (request, count, left) = match own.requests.front_mut()?.split() {
            Some(part) => (part, 0, own.requests.front()?.bytes()),
            None => (own.requests.pop_front()?, 1, 0),
        };
        for amount in [&mut own.amount, &mut self.amount] {
            amount.count -= count;
            amount.bytes -= before.saturating_sub(left);
        }
        match (own.requests.is_empty(), rests_until) {
            (true, _) => drop(self.waiting.remove(&id)),
            (false, Some(until)) => self.resting.push_back((until, id.clone())),
            (false, None) => self.turns.push_back(id.clone()),
        }
        Some((id, request))
    }

    /// Waits until it is somebody's turn; for ever if nobody waits. Cancel safe; for one task.
    pub async fn come(&self, publisher: &Publisher) {
        loop {
            let progress = publisher.progress();
            if self.is_ready(progress) {
                return;
            }
            if self.is_empty() {
                return std::future::pending().await;
            }
            publisher.confirmed_beyond(progress.confirmed).await;
        }
    }

    /// Whether anything of a robot waits.
    pub fn is_waiting(&self, id: &K) -> bool {
        self.waiting.contains_key(id)
    }

    /// Whether it is somebody's turn.
    pub fn is_ready(&self, progress: Progress) -> bool {
        let is_rested = || self.resting.front().is_some_and(|(until, _)| is_over(*until, progress));
        progress.room(ON_THE_WAY) > 0 && (!self.turns.is_empty() || is_rested())
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.amount.count == 0
    }
}

/// A request may have been answered with nothing, so a rest ends when all that was said is confirmed, too.
fn is_over(until: u64, progress: Progress) -> bool {
    until <= progress.confirmed || progress.unconfirmed() == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number and how many messages answer it.
    #[derive(Clone, Debug, PartialEq)]
    struct Asked(u32, usize);

    impl Waits for Asked {
        fn bytes(&self) -> usize {
            self.1
        }

        fn split(&mut self) -> Option<Self> {
            (self.1 > 1).then(|| {
                self.1 -= 1;
                Self(self.0, 1)
            })
        }
    }

    impl From<u32> for Asked {
        fn from(number: u32) -> Self {
            Self(number, 1)
        }
    }

    fn numbers(taken: Vec<(u32, Asked)>) -> Vec<(u32, u32)> {
        taken.into_iter().map(|(id, Asked(number, _))| (id, number)).collect()
    }

    const CONFIRMED: Progress = Progress { published: 0, confirmed: 0 };

    #[test]
    fn who_asks_much_waits_longest() {
        let mut turns = Turns::default();
        for number in 0..3 {
            turns.push(7, Asked::from(number));
        }
        turns.push(8, 0.into());
        let order = numbers(turns.take_at_most(10, 10, CONFIRMED));
        assert_eq!(order, [(7, 0), (8, 0), (7, 1), (7, 2)]);
        assert!(turns.is_empty() && turns.take_at_most(10, 10, CONFIRMED).is_empty());
    }

    #[test]
    fn a_turn_is_bounded_for_each_and_for_all() {
        let mut turns = Turns::default();
        for number in 0..9 {
            turns.push(7, Asked::from(number));
        }
        turns.push(8, 0.into());
        assert_eq!(numbers(turns.take_at_most(10, 2, CONFIRMED)), [(7, 0), (8, 0), (7, 1)]);
        turns.push(8, 1.into());
        assert_eq!(numbers(turns.take_at_most(3, 9, CONFIRMED)), [(8, 1), (7, 2), (7, 3)]);
        assert_eq!(numbers(turns.take_at_most(0, 9, CONFIRMED)), []);
        assert_eq!(turns.take_at_most(usize::MAX, 9, CONFIRMED).len(), 5);
    }

    #[test]
    fn who_has_more_to_ask_rests_until_its_answers_are_confirmed() {
        let mut turns = Turns::default();
        for number in 0..9 {
            turns.push(7, Asked::from(number));
        }
        let progress = |confirmed| Progress { published: 100 + 4, confirmed };
        assert_eq!(turns.take_at_most(64, 4, Progress { published: 100, confirmed: 90 }).len(), 4);
        assert!(!turns.is_ready(progress(103)) && turns.is_waiting(&7));
        turns.push(8, 0.into());
        assert_eq!(numbers(turns.take_at_most(64, 4, progress(103))), [(8, 0)], "nobody waits for who rests");
        assert!(turns.is_ready(progress(104)));
        assert_eq!(numbers(turns.take_at_most(64, 4, progress(104))), [(7, 4), (7, 5), (7, 6), (7, 7)]);
        let silent = Progress { published: 106, confirmed: 106 };
        assert_eq!(numbers(turns.take_at_most(64, 4, silent)), [(7, 8)], "not every request is answered");
    }

    #[test]
    fn a_flood_is_bounded() {
        let mut turns = Turns::default();
        assert_eq!((0..5_000).filter(|number| turns.push(1, Asked::from(*number))).count(), OF_EACH.count);
        assert!(turns.push(2, 0.into()), "others still have room");
        let taken = (0..100_000).filter(|number| turns.push(3 + number, 0.into())).count();
        assert_eq!(taken, OF_ALL.count - OF_EACH.count - 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut turns = Turns::default();
        let large = OF_EACH.bytes / 2;
        assert_eq!((0..10).filter(|number| turns.push(1, Asked(*number, large))).count(), 2);
        let robots = (2..10_000).filter(|id| turns.push(*id, Asked(0, 8 * large))).count();
        assert_eq!(robots, OF_ALL.bytes / (8 * large), "one large request of each has room");
        assert!(turns.amount.bytes <= OF_ALL.bytes + 8 * large);
    }

    #[test]
    fn what_takes_many_messages_is_answered_in_parts() {
        let mut turns = Turns::default();
        turns.push(7, Asked(0, 6));
        turns.push(7, 1.into());
        turns.push(8, 0.into());
        let progress = |published, confirmed| Progress { published, confirmed };
        assert_eq!(
            numbers(turns.take_at_most(64, 4, progress(0, 0))),
            [(7, 0), (8, 0), (7, 0), (7, 0), (7, 0)]
        );
        assert!(!turns.is_ready(progress(5, 4)), "its parts are under way");
        assert_eq!(numbers(turns.take_at_most(64, 4, progress(5, 5))), [(7, 0), (7, 0), (7, 1)]);
        assert!(turns.is_empty() && turns.amount == Amount::default());
    }
}
