//! A fair queue of the requests that are answered over a broker: it takes one request of each robot in turn, so that
//! replies to a flooding robot do not delay other robots.
//!
//! ```text
//!  push ──▶ ready ──take──▶ answered
//!             ▲ │ the robot has more requests than one batch
//!             │ ▼
//!            resting, until the broker has confirmed its replies
//! ```
//!
//! Without the rest, replies to a robot that always sends requests would fill the broker's queue, and the replies to all
//! others would wait behind them. A request that many messages answer is split into parts, which are queued like requests.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use crate::client::MAX_RECEIVED;
use crate::limits::FAIR_QUEUE_MAX_UNCONFIRMED;
use crate::{Progress, Publisher};

/// What mosquitto 2 delivers after an outage by its defaults, all robots together: `max_queued_messages` and, before these,
/// `max_inflight_messages`.
const KEPT_BY_DEFAULT: usize = 1_000 + 20;

/// An outage whose requests are taken in whole where the broker keeps more, seconds: a router or the broker's machine that
/// starts again takes one to three minutes.
const OUTAGE_S: usize = 5 * 60;

/// Requests of a robot in a second of an outage. Robots of the swarm wait a second or two for each answer, so that without answers
/// they ask once a second; ten leave room for one that asks every 100 ms and does not wait.
const REQUESTS_PER_S: usize = 10;

/// Most that is queued of one robot: the backlog of an outage. Only what comes on top without end is a flood. The bytes are texts of the
/// swarm, which have up to 64 characters, for all of them, or as many tasks of 250 bytes as mosquitto keeps.
const LIMIT_OF_EACH: Amount =
    Amount { count: most(OUTAGE_S * REQUESTS_PER_S, KEPT_BY_DEFAULT), bytes: 256 << 10 };

/// Most that is queued of all robots: as many as a link takes in at once, some 4 MiB of requests without texts, and texts.
const LIMIT_OF_ALL: Amount = Amount { count: MAX_RECEIVED, bytes: 16 << 20 };

/// Messages that answer one robot before it rests: as many as it has sensors.
const BATCH_OF_EACH: usize = 4;

/// A request that can be queued.
pub trait QueueItem: Sized {
    /// Bytes on the heap.
    fn bytes(&self) -> usize;

    /// Splits off the part that one message answers; `None` if one message answers all of it.
    fn split(&mut self) -> Option<Self>;
}

const fn most(one: usize, other: usize) -> usize {
    if one > other { one } else { other }
}

/// How much is queued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amount {
    count: usize,
    bytes: usize,
}

impl Amount {
    /// Whether another request of any size has room.
    fn is_within(self, bound: Self) -> bool {
        self.count < bound.count && self.bytes < bound.bytes
    }
}

/// The requests of one robot, in the order of arrival.
#[derive(Debug)]
struct RobotQueue<T> {
    requests: VecDeque<T>,
    amount: Amount,
}

/// The queue; a robot is identified by its key.
#[derive(Debug)]
pub struct FairQueue<K, T> {
    waiting: HashMap<K, RobotQueue<T>>,
    ready: VecDeque<K>,
    /// Robots that rest, each with the number of messages that have to be confirmed first.
    resting: VecDeque<(u64, K)>,
    amount: Amount,
}

impl<K, T> Default for FairQueue<K, T> {
    fn default() -> Self {
        let (ready, resting) = (VecDeque::new(), VecDeque::new());
        Self { waiting: HashMap::new(), ready, resting, amount: Amount::default() }
    }
}

impl<K: Clone + Eq + Hash, T: QueueItem> FairQueue<K, T> {
    /// Whether another request of a robot has room.
    pub fn has_room_for(&self, id: &K) -> bool {
        let own = self.waiting.get(id).map(|own| own.amount).unwrap_or_default();
        self.amount.is_within(LIMIT_OF_ALL) && own.is_within(LIMIT_OF_EACH)
    }

    /// Queues a request; false if the queue of this robot, or of all, is full.
    pub fn push(&mut self, id: K, request: T) -> bool {
        if !self.has_room_for(&id) {
            return false;
        }
        let own = self
            .waiting
            .entry(id.clone())
            .or_insert_with(|| RobotQueue { requests: VecDeque::new(), amount: Amount::default() });
        if own.requests.is_empty() {
            self.ready.push_back(id);
        }
        for amount in [&mut own.amount, &mut self.amount] {
            amount.count += 1;
            amount.bytes += request.bytes();
        }
        own.requests.push_back(request);
        true
    }

    /// The requests to answer now, each with one message or none.
    pub fn take(&mut self, progress: Progress) -> Vec<(K, T)> {
        self.take_at_most(progress.room(FAIR_QUEUE_MAX_UNCONFIRMED), BATCH_OF_EACH, progress)
    }

    fn take_at_most(&mut self, most: usize, of_each: usize, progress: Progress) -> Vec<(K, T)> {
        while self.resting.front().is_some_and(|(until, _)| is_over(*until, progress)) {
            self.ready.extend(self.resting.pop_front().map(|(_, id)| id));
        }
        let mut taken = Vec::new();
        for round in 1..=of_each {
            let robots = self.ready.len().min(most - taken.len());
            if robots == 0 {
                break;
            }
            let until = (round == of_each).then_some(progress.published + (taken.len() + robots) as u64);
            taken.extend(std::iter::from_fn(|| self.pop(until)).take(robots));
        }
        taken
    }

    /// The next request; a robot that has more rests until `rests_until` messages are confirmed.
    fn pop(&mut self, rests_until: Option<u64>) -> Option<(K, T)> {
        let id = self.ready.pop_front()?;
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
            (false, None) => self.ready.push_back(id.clone()),
        }
        Some((id, request))
    }

    /// Waits until a request can be taken; for ever if the queue is empty. Cancel safe; for one task.
    pub async fn ready(&self, publisher: &Publisher) {
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

    /// Whether requests of a robot are queued.
    pub fn is_waiting(&self, id: &K) -> bool {
        self.waiting.contains_key(id)
    }

    /// Whether a request can be taken.
    pub fn is_ready(&self, progress: Progress) -> bool {
        let is_rested = || self.resting.front().is_some_and(|(until, _)| is_over(*until, progress));
        progress.room(FAIR_QUEUE_MAX_UNCONFIRMED) > 0 && (!self.ready.is_empty() || is_rested())
    }

    /// Whether nothing is queued.
    pub fn is_empty(&self) -> bool {
        self.amount.count == 0
    }
}

/// A request may need no reply, so a rest also ends when all published messages are confirmed.
fn is_over(until: u64, progress: Progress) -> bool {
    until <= progress.confirmed || progress.unconfirmed() == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number, and how many messages answer the request.
    #[derive(Clone, Debug, PartialEq)]
    struct Request(u32, usize);

    impl QueueItem for Request {
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

    impl From<u32> for Request {
        fn from(number: u32) -> Self {
            Self(number, 1)
        }
    }

    fn numbers(taken: Vec<(u32, Request)>) -> Vec<(u32, u32)> {
        taken.into_iter().map(|(id, Request(number, _))| (id, number)).collect()
    }

    const CONFIRMED: Progress = Progress { published: 0, confirmed: 0 };

    #[test]
    fn a_robot_with_many_requests_waits_longest() {
        let mut queue = FairQueue::default();
        for number in 0..3 {
            queue.push(7, Request::from(number));
        }
        queue.push(8, 0.into());
        let order = numbers(queue.take_at_most(10, 10, CONFIRMED));
        assert_eq!(order, [(7, 0), (8, 0), (7, 1), (7, 2)]);
        assert!(queue.is_empty() && queue.take_at_most(10, 10, CONFIRMED).is_empty());
    }

    #[test]
    fn a_batch_is_bounded_for_each_and_for_all() {
        let mut queue = FairQueue::default();
        for number in 0..9 {
            queue.push(7, Request::from(number));
        }
        queue.push(8, 0.into());
        assert_eq!(numbers(queue.take_at_most(10, 2, CONFIRMED)), [(7, 0), (8, 0), (7, 1)]);
        queue.push(8, 1.into());
        assert_eq!(numbers(queue.take_at_most(3, 9, CONFIRMED)), [(8, 1), (7, 2), (7, 3)]);
        assert_eq!(numbers(queue.take_at_most(0, 9, CONFIRMED)), []);
        assert_eq!(queue.take_at_most(usize::MAX, 9, CONFIRMED).len(), 5);
    }

    #[test]
    fn a_robot_with_more_requests_rests_until_its_replies_are_confirmed() {
        let mut queue = FairQueue::default();
        for number in 0..9 {
            queue.push(7, Request::from(number));
        }
        let progress = |confirmed| Progress { published: 100 + 4, confirmed };
        assert_eq!(queue.take_at_most(64, 4, Progress { published: 100, confirmed: 90 }).len(), 4);
        assert!(!queue.is_ready(progress(103)) && queue.is_waiting(&7));
        queue.push(8, 0.into());
        assert_eq!(
            numbers(queue.take_at_most(64, 4, progress(103))),
            [(8, 0)],
            "a resting robot delays no other"
        );
        assert!(queue.is_ready(progress(104)));
        assert_eq!(numbers(queue.take_at_most(64, 4, progress(104))), [(7, 4), (7, 5), (7, 6), (7, 7)]);
        let silent = Progress { published: 106, confirmed: 106 };
        assert_eq!(numbers(queue.take_at_most(64, 4, silent)), [(7, 8)], "not every request is answered");
    }

    #[test]
    fn the_backlog_of_an_outage_is_taken_in_whole() {
        let mut queue = FairQueue::default();
        for waited in [2_250, KEPT_BY_DEFAULT] {
            let texts = (0..waited as u32).map(|number| Request(number, 64));
            assert!(texts.into_iter().all(|request| queue.push(waited, request)), "{waited}");
        }
        let taken = |queue: &mut FairQueue<_, _>| queue.take_at_most(usize::MAX, usize::MAX, CONFIRMED).len();
        assert_eq!(taken(&mut queue), 64 * (2_250 + KEPT_BY_DEFAULT), "a message for each part");
    }

    #[test]
    fn a_flood_is_bounded() {
        let mut queue = FairQueue::default();
        assert_eq!(
            (0..5_000).filter(|number| queue.push(1, Request::from(*number))).count(),
            LIMIT_OF_EACH.count
        );
        assert!(queue.push(2, 0.into()), "others still have room");
        let taken = (0..100_000).filter(|number| queue.push(3 + number, 0.into())).count();
        assert_eq!(taken, LIMIT_OF_ALL.count - LIMIT_OF_EACH.count - 1);
    }

    #[test]
    fn memory_is_bounded() {
        let mut queue = FairQueue::default();
        let large = LIMIT_OF_EACH.bytes / 2;
        assert_eq!((0..10).filter(|number| queue.push(1, Request(*number, large))).count(), 2);
        let robots = (2..10_000).filter(|id| queue.push(*id, Request(0, 8 * large))).count();
        assert_eq!(robots, LIMIT_OF_ALL.bytes / (8 * large), "one large request of each has room");
        assert!(queue.amount.bytes <= LIMIT_OF_ALL.bytes + 8 * large);
    }

    #[test]
    fn a_request_for_many_messages_is_answered_in_parts() {
        let mut queue = FairQueue::default();
        queue.push(7, Request(0, 6));
        queue.push(7, 1.into());
        queue.push(8, 0.into());
        let progress = |published, confirmed| Progress { published, confirmed };
        assert_eq!(
            numbers(queue.take_at_most(64, 4, progress(0, 0))),
            [(7, 0), (8, 0), (7, 0), (7, 0), (7, 0)]
        );
        assert!(!queue.is_ready(progress(5, 4)), "its parts are under way");
        assert_eq!(numbers(queue.take_at_most(64, 4, progress(5, 5))), [(7, 0), (7, 0), (7, 1)]);
        assert!(queue.is_empty() && queue.amount == Amount::default());
    }
}
