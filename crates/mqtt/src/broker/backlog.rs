//! What clients make the broker keep: subscriptions, wills, messages that wait. Pure state, beside the library's own.
//!
//! The library bounds what waits for one client and does not tell how many bytes that is. Every message that is published passes here
//! first, so the sizes of those that will wait are written down; how many still wait the library tells.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Weak};

use latimer_core::Timestamp;
use mqtt5::broker::storage::client_queue::ClientQueue;
use mqtt5::{QoS, strip_shared_subscription_prefix, topic_matches_filter};

/// Bytes of a session without subscriptions.
const SESSION_BYTES: u64 = 4 << 10;
/// Bytes of a subscription beside its filter, and how often the filter is kept.
const FILTER_BYTES: u64 = 512;
const FILTER_COPIES: u64 = 5;
/// Copies of a will.
const WILL_COPIES: u64 = 3;
/// Bytes of a message that waits, beside topic and payload.
const MESSAGE_BYTES: usize = 512;
/// Messages that a client can have received and not confirmed; the library's own bound. Each is there twice.
pub(super) const WINDOW: usize = 64;
/// Messages that are on their way into a queue while others are written down.
const ON_THEIR_WAY: usize = 16;

/// Bytes of a subscription.
pub(super) fn filter_cost(filter: &str) -> u64 {
    FILTER_BYTES + FILTER_COPIES * filter.len() as u64
}

/// Bytes of a will.
pub(super) fn will_cost(topic: &str, payload: usize) -> u64 {
    WILL_COPIES * (topic.len() + payload) as u64
}

/// Bytes of a message that waits.
pub(super) fn message_cost(topic: &str, payload: usize) -> usize {
    MESSAGE_BYTES + topic.len() + payload
}

/// A client that is connected or has a session.
struct Client {
    connections: u32,
    away_since: Option<Timestamp>,
    filters: HashMap<Arc<str>, QoS>,
    filter_bytes: u64,
    will: u64,
    queue: Weak<ClientQueue>,
    /// Sizes of messages that wait or are not confirmed, oldest first.
    waiting: VecDeque<u32>,
    bytes: u64,
    /// Messages of QoS 2 that it began to publish, by their number.
    begun: HashMap<u16, u32>,
    begun_bytes: u64,
    /// It is about to be disconnected.
    ends: bool,
}

impl Client {
    fn new(queue: Weak<ClientQueue>) -> Self {
        Self {
            connections: 0,
            away_since: None,
            filters: HashMap::new(),
            filter_bytes: 0,
            will: 0,
            queue,
            waiting: VecDeque::new(),
            bytes: 0,
            begun: HashMap::new(),
            begun_bytes: 0,
            ends: false,
        }
    }

    fn fixed(&self) -> u64 {
        SESSION_BYTES + self.will + self.filter_bytes
    }

    fn moving(&self) -> u64 {
        let twice = self.waiting.len().min(WINDOW) as u64;
        let doubled = self.bytes * twice / (self.waiting.len() as u64).max(1);
        self.bytes + doubled + 2 * self.begun_bytes
    }

    /// How many messages wait in its queue.
    fn queued(&self) -> usize {
        self.queue.upgrade().map_or(0, |queue| queue.count())
    }

    /// Leaves out what does not wait any more: the library drops and sends the oldest first.
    fn trim(&mut self, max_bytes: u64) {
        let unconfirmed = if self.connections > 0 { WINDOW } else { 0 };
        let most = self.queued() + unconfirmed + ON_THEIR_WAY;
        let is_away = self.connections == 0;
        while self.waiting.len() > most || (is_away && self.bytes > max_bytes && self.waiting.len() > 1) {
            let Some(oldest) = self.waiting.pop_front() else { break };
            self.bytes -= u64::from(oldest);
        }
    }
}

/// Which client makes room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    /// One that is away: its session is forgotten.
    Away(Arc<str>),
    /// One that is connected: it is disconnected.
    Connected(Arc<str>),
}

/// Clients by their filters.
type Subscribers = HashMap<Arc<str>, HashSet<Arc<str>>>;

/// All clients but the gateway's own links.
#[derive(Default)]
pub(super) struct Backlog {
    clients: HashMap<Arc<str>, Client>,
    /// Who subscribed to a filter without wildcards, and to one with some; without the prefix of shared ones.
    exact: Subscribers,
    wildcard: Subscribers,
    away: usize,
    bytes: u64,
}

impl Backlog {
    /// Bytes of all.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many are away.
    pub(super) fn away(&self) -> usize {
        self.away
    }

    /// Changes a client and keeps the sums.
    fn change<T>(&mut self, id: &str, change: impl FnOnce(&mut Client) -> T) -> Option<T> {
        let client = self.clients.get_mut(id)?;
        let (before, was_away) = (client.fixed() + client.moving(), client.away_since.is_some());
        let done = change(client);
        let (after, is_away) = (client.fixed() + client.moving(), client.away_since.is_some());
        self.bytes = self.bytes - before + after;
        self.away = self.away + usize::from(is_away) - usize::from(was_away);
        Some(done)
    }

    /// A connection began.
    pub(super) fn connected(&mut self, id: &Arc<str>, queue: Weak<ClientQueue>, will: u64) {
        if !self.clients.contains_key(id) {
            let client = Client::new(queue.clone());
            self.bytes += client.fixed();
            self.clients.insert(id.clone(), client);
        }
        self.change(id, |client| {
            client.connections += 1;
            (client.away_since, client.queue, client.will, client.ends) = (None, queue, will, false);
        });
    }

    /// A connection ended; whether it was the last one of the client.
    pub(super) fn disconnected(&mut self, id: &str) -> bool {
        let last = self.change(id, |client| {
            client.connections = client.connections.saturating_sub(1);
            if client.connections == 0 {
                client.begun.clear();
                client.begun_bytes = 0;
            }
            client.connections == 0
        });
        last.unwrap_or(false)
    }

    /// The session of a client is kept while it is away.
    pub(super) fn is_away(&mut self, id: &Arc<str>, queue: Weak<ClientQueue>, now: Timestamp) {
        if !self.clients.contains_key(id) {
            let client = Client::new(queue.clone());
            self.bytes += client.fixed();
            self.clients.insert(id.clone(), client);
        }
        self.change(id, |client| {
            if client.connections == 0 {
                client.away_since = client.away_since.or(Some(now));
                client.queue = queue;
            }
        });
    }

    /// A client that was away is not any more.
    pub(super) fn is_back(&mut self, id: &str) {
        self.change(id, |client| client.away_since = None);
    }

    /// A client is gone with its session.
    pub(super) fn remove(&mut self, id: &str) {
        let Some(client) = self.clients.remove(id) else { return };
        self.bytes -= client.fixed() + client.moving();
        self.away -= usize::from(client.away_since.is_some());
        for filter in client.filters.keys() {
            self.unlist(id, filter);
        }
    }

    fn listed(&mut self, filter: &str) -> (Arc<str>, &mut Subscribers) {
        let plain = strip_shared_subscription_prefix(filter);
        let has_wildcards = plain.contains(['+', '#']);
        (plain.into(), if has_wildcards { &mut self.wildcard } else { &mut self.exact })
    }

    fn unlist(&mut self, id: &str, filter: &str) {
        let (plain, list) = self.listed(filter);
        if let Some(ids) = list.get_mut(&plain) {
            ids.remove(id);
            if ids.is_empty() {
                list.remove(&plain);
            }
        }
    }

    /// A client subscribed.
    pub(super) fn subscribed(&mut self, id: &Arc<str>, filter: &Arc<str>, qos: QoS) {
        let added = self.change(id, |client| {
            if client.filters.insert(filter.clone(), qos).is_none() {
                client.filter_bytes += filter_cost(filter);
            }
        });
        if added.is_some() {
            let (plain, list) = self.listed(filter);
            list.entry(plain).or_default().insert(id.clone());
        }
    }

    /// A client does not want messages of a filter any more.
    pub(super) fn unsubscribed(&mut self, id: &str, filter: &str) {
        self.change(id, |client| {
            if client.filters.remove(filter).is_some() {
                client.filter_bytes -= filter_cost(filter);
            }
        });
        self.unlist(id, filter);
    }

    /// A message goes to those who subscribed to its topic, and waits for some of them; clients for whom more waits than is known.
    pub(super) fn published(
        &mut self,
        topic: &str,
        payload: usize,
        qos: QoS,
        max_bytes: u64,
    ) -> Vec<Arc<str>> {
        let mut unknown = Vec::new();
        if qos == QoS::AtMostOnce {
            return unknown;
        }
        let cost = u32::try_from(message_cost(topic, payload)).unwrap_or(u32::MAX);
        let matching = self.wildcard.iter().filter(|(filter, _)| topic_matches_filter(topic, filter));
        let matching = matching.flat_map(|(_, ids)| ids).chain(self.exact.get(topic).into_iter().flatten());
        let ids: HashSet<Arc<str>> = matching.cloned().collect();
        for id in ids {
            self.change(&id, |client| {
                // One of QoS 0 waits for nobody.
                if client.filters.values().any(|granted| *granted != QoS::AtMostOnce) {
                    client.waiting.push_back(cost);
                    client.bytes += u64::from(cost);
                }
                client.trim(max_bytes);
                if client.queued() > client.waiting.len() * 5 / 4 + ON_THEIR_WAY {
                    unknown.push(id.clone());
                }
            });
        }
        unknown
    }

    /// A client confirmed a message.
    pub(super) fn delivered(&mut self, id: &str) {
        self.change(id, |client| {
            if let Some(oldest) = client.waiting.pop_front() {
                client.bytes -= u64::from(oldest);
            }
        });
    }

    /// How many messages of a client are written down.
    pub(super) fn waiting(&self, id: &str) -> usize {
        self.clients.get(id).map_or(0, |client| client.waiting.len())
    }

    /// What really waits for a client.
    pub(super) fn measured(&mut self, id: &str, sizes: VecDeque<u32>) {
        self.change(id, |client| {
            client.bytes = sizes.iter().map(|size| u64::from(*size)).sum();
            client.waiting = sizes;
        });
    }

    /// A client began to publish a message of QoS 2; the bytes of all that it began.
    pub(super) fn begun(&mut self, id: &str, packet: u16, cost: usize) -> u64 {
        let cost = u32::try_from(cost).unwrap_or(u32::MAX);
        let all = self.change(id, |client| {
            let before = client.begun.insert(packet, cost).unwrap_or(0);
            client.begun_bytes = client.begun_bytes - u64::from(before) + u64::from(cost);
            client.begun_bytes
        });
        all.unwrap_or(0)
    }

    /// Which of them are not complete yet; their bytes.
    pub(super) fn keep_begun(&mut self, id: &str, open: &HashSet<u16>) -> u64 {
        let all = self.change(id, |client| {
            client.begun.retain(|packet, _| open.contains(packet));
            client.begun_bytes = client.begun.values().map(|cost| u64::from(*cost)).sum();
            client.begun_bytes
        });
        all.unwrap_or(0)
    }

    /// Who is away longest.
    pub(super) fn longest_away(&self) -> Option<Victim> {
        let away = self.clients.iter().filter_map(|(id, client)| Some((client.away_since?, id)));
        away.min().map(|(_, id)| Victim::Away(id.clone()))
    }

    /// Who makes room: of those that are away and take more than the mean, the one that is away longest; or else who takes most.
    pub(super) fn victim(&mut self, max_bytes: u64) -> Option<Victim> {
        let ids: Vec<_> = self.clients.keys().cloned().collect();
        for id in &ids {
            self.change(id, |client| client.trim(max_bytes));
        }
        let mean = self.bytes / (self.clients.len() as u64).max(1);
        let takes = |client: &Client| client.fixed() + client.moving();
        let heavy = self.clients.iter().filter(|(_, client)| takes(client) >= mean);
        let away = heavy.filter_map(|(id, client)| Some((client.away_since?, id))).min();
        if let Some((_, id)) = away {
            return Some(Victim::Away(id.clone()));
        }
        let connected = self.clients.iter().filter(|(_, client)| client.connections > 0 && !client.ends);
        let most = connected.max_by_key(|(_, client)| takes(client))?;
        Some(Victim::Connected(most.0.clone()))
    }

    /// A client is about to be disconnected: its messages are dropped.
    pub(super) fn ends(&mut self, id: &str) {
        self.change(id, |client| {
            client.ends = true;
            client.waiting.clear();
            client.begun.clear();
            (client.bytes, client.begun_bytes) = (0, 0);
        });
    }

    /// Whether a client is here.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.clients.contains_key(id)
    }

    /// Those that are away.
    pub(super) fn all_away(&self) -> Vec<Arc<str>> {
        let away = self.clients.iter().filter(|(_, client)| client.away_since.is_some());
        away.map(|(id, _)| id.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: u64 = 1 << 20;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_nanos(second * 1_000_000_000)
    }

    fn away(backlog: &mut Backlog, id: &str, second: i64, filters: &[&str]) -> Arc<str> {
        let id: Arc<str> = id.into();
        backlog.connected(&id, Weak::new(), 0);
        for filter in filters {
            backlog.subscribed(&id, &Arc::from(*filter), QoS::AtLeastOnce);
        }
        assert!(backlog.disconnected(&id));
        backlog.is_away(&id, Weak::new(), at(second));
        id
    }

    #[test]
    fn what_is_counted_is_given_back() {
        let mut backlog = Backlog::default();
        let a = away(&mut backlog, "a", 1, &["x/+", "y", "$share/g/z"]);
        let b = away(&mut backlog, "b", 2, &["#"]);
        for topic in ["x/1", "y", "z", "w"] {
            backlog.published(topic, 1_000, QoS::AtLeastOnce, MAX);
            backlog.published(topic, 1_000, QoS::AtMostOnce, MAX);
        }
        assert_eq!((backlog.waiting(&a), backlog.waiting(&b), backlog.away()), (3, 4, 2));
        assert!(backlog.bytes() > 2 * 7 * 1_000);
        backlog.unsubscribed(&a, "$share/g/z");
        backlog.published("z", 1_000, QoS::AtLeastOnce, MAX);
        assert_eq!((backlog.waiting(&a), backlog.waiting(&b)), (3, 5));
        backlog.remove(&a);
        backlog.remove(&b);
        assert_eq!(
            (backlog.bytes(), backlog.away(), backlog.exact.len(), backlog.wildcard.len()),
            (0, 0, 0, 0)
        );
    }

    #[test]
    fn the_one_away_longest_of_those_that_take_much_makes_room() {
        let mut backlog = Backlog::default();
        let idle = away(&mut backlog, "idle", 1, &["nothing"]);
        let big = away(&mut backlog, "big", 2, &["#"]);
        away(&mut backlog, "bigger", 3, &["#"]);
        backlog.published("x", 50_000, QoS::AtLeastOnce, MAX);
        assert_eq!(backlog.longest_away(), Some(Victim::Away(idle)));
        assert_eq!(backlog.victim(MAX), Some(Victim::Away(big)));
    }

    #[test]
    fn a_connected_client_that_confirms_takes_nothing() {
        let mut backlog = Backlog::default();
        let id: Arc<str> = "a".into();
        backlog.connected(&id, Weak::new(), 0);
        backlog.subscribed(&id, &"x".into(), QoS::ExactlyOnce);
        let before = backlog.bytes();
        backlog.published("x", 1_000, QoS::AtLeastOnce, MAX);
        assert!(backlog.bytes() > before);
        backlog.delivered(&id);
        assert_eq!(backlog.bytes(), before);
        for _ in 0..1_000 {
            backlog.published("x", 1_000, QoS::AtLeastOnce, MAX);
        }
        assert!(backlog.waiting(&id) <= WINDOW + ON_THEIR_WAY, "nothing waits in its queue");
        assert_eq!(backlog.victim(MAX), Some(Victim::Connected(id.clone())));
        backlog.ends(&id);
        assert_eq!((backlog.bytes(), backlog.victim(MAX)), (before, None));
    }

    #[test]
    fn messages_that_are_never_completed_count() {
        let mut backlog = Backlog::default();
        let id: Arc<str> = "a".into();
        backlog.connected(&id, Weak::new(), 0);
        let before = backlog.bytes();
        assert_eq!(backlog.begun(&id, 1, 1_000), 1_000);
        assert_eq!(backlog.begun(&id, 1, 500), 500, "the same number again");
        assert_eq!(backlog.begun(&id, 2, 500), 1_000);
        assert_eq!(backlog.keep_begun(&id, &HashSet::from([2])), 500);
        backlog.disconnected(&id);
        assert_eq!(backlog.bytes(), before);
    }

    #[test]
    fn a_session_that_is_taken_over_is_not_away() {
        let mut backlog = Backlog::default();
        let id: Arc<str> = "a".into();
        backlog.connected(&id, Weak::new(), 0);
        backlog.connected(&id, Weak::new(), 0);
        assert!(!backlog.disconnected(&id));
        backlog.is_away(&id, Weak::new(), at(1));
        assert_eq!(backlog.away(), 0);
    }
}
