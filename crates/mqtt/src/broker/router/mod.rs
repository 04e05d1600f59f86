//! The broker's state: sessions, subscriptions and retained messages, under one lock, so that the order in which messages come is
//! the order in which every subscriber gets them.
//!
//! ```text
//!  PUBLISH ──publish()──▶ retained, subscriptions ──push──▶ Outbound of each session ──wake──▶ write() by its connection
//! ```
//!
//! What clients make it keep is counted here as it comes and goes (`limits.memory`): if it exceeds its share, the session that is
//! away longest and takes more than the mean is forgotten, or else who takes most is disconnected.

mod bounds;
mod lifecycle;
mod routing;
mod subscribing;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use latimer_core::memory::{Budget, Reservation, Share};
use latimer_core::{Clock, RateLimit, Timestamp};
use smallvec::SmallVec;

use super::Limits;
use super::figures::Counters;
use super::message::Usage;
use super::retained::Retained;
use super::session::{Connection, Session, SessionKey};
use super::subscriptions::Subscriptions;
use super::watchers::Watchers;
use super::wire::{Publish, Reason};
use crate::Qos;

/// The state, and what it is bounded by.
#[derive(Debug)]
pub(super) struct Router {
    pub(super) limits: Limits,
    pub(super) clock: Clock,
    pub(super) memory: Budget,
    pub(super) watchers: Watchers,
    pub(super) counters: Counters,
    pub(super) rate_limit: RateLimit<String>,
    usage: Arc<Usage>,
    forgotten: AtomicU64,
    logged: Mutex<Option<(Timestamp, u64)>>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    sessions: HashMap<SessionKey, Session>,
    by_client: HashMap<Arc<str>, SessionKey>,
    /// The last number of a session, a connection or a message.
    last: u64,
    subscriptions: Subscriptions,
    retained: Retained,
    /// Sessions whose clients are away, those of the gateway apart.
    away: BTreeSet<(Timestamp, SessionKey)>,
    /// Bytes of all sessions beside messages.
    fixed_bytes: u64,
    /// Messages that wait for clients.
    held: Reservation,
    held_of_qos0: Reservation,
}

/// A client that is let in.
#[derive(Debug)]
pub(super) struct Entered {
    pub(super) session: SessionKey,
    pub(super) connection: Arc<Connection>,
    /// Whether its session goes on.
    pub(super) present: bool,
}

/// What became of a message.
#[derive(Debug)]
pub(super) struct Routed {
    pub(super) reason: Reason,
    /// Links of the gateway that have enough to read: who publishes waits for them.
    pub(super) crowded: SmallVec<[SessionKey; 1]>,
}

impl Router {
    pub(super) fn new(limits: Limits, memory: &Budget, clock: Clock) -> Self {
        let state = State {
            sessions: HashMap::new(),
            by_client: HashMap::new(),
            last: 0,
            subscriptions: Subscriptions::default(),
            retained: Retained::new(memory, limits.max_retained),
            away: BTreeSet::new(),
            fixed_bytes: 0,
            held: memory.hold(Share::Sessions),
            held_of_qos0: memory.hold(Share::Qos0),
        };
        Self {
            rate_limit: RateLimit::new(clock, limits.max_rate, "broker.limits.max_rate"),
            limits,
            clock,
            memory: memory.clone(),
            watchers: Watchers::default(),
            counters: Counters::default(),
            usage: Arc::default(),
            forgotten: AtomicU64::new(0),
            logged: Mutex::default(),
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what messages take by now.
    fn account(&self, state: &mut State) {
        state.held.set(self.usage.stored() + state.fixed_bytes);
        state.held_of_qos0.set(self.usage.qos0());
    }

    /// Ends all connections.
    pub(super) fn end_all(&self, reason: Reason) {
        for session in self.state().sessions.values() {
            if let Some(connection) = &session.connection {
                connection.end(reason);
            }
        }
    }

    /// How many sessions are away, how many were forgotten before their time, and how many messages of QoS 1 and 2 wait.
    pub(super) fn counts(&self) -> Counts {
        let state = self.state();
        Counts {
            away: state.away.len() as u64,
            forgotten: self.forgotten.load(Ordering::Relaxed),
            waiting: state.sessions.values().map(|session| session.outbound.waiting() as u64).sum(),
            retained: state.retained.count() as u64,
            retained_bytes: state.retained.bytes(),
            subscriptions: state.sessions.values().map(|session| session.filters.len() as u64).sum(),
            stored_bytes: self.usage.stored() + self.usage.qos0(),
        }
    }

    /// Publishes a message of the broker itself, which is retained.
    pub(super) fn publish_own(&self, topic: &str, payload: String) {
        let publish = Publish {
            dup: false,
            qos: Qos::AtMostOnce,
            retain: true,
            topic: topic.into(),
            packet: 0,
            payload: payload.into(),
            alias: None,
            expiry_s: None,
            passed_on: Bytes::new(),
        };
        let now = self.clock.now();
        self.route(&mut self.state(), None, publish, now);
    }
}

impl State {
    /// The session of a connection, unless another one has taken it over.
    fn session(&mut self, key: SessionKey, number: u64) -> Option<&mut Session> {
        self.sessions.get_mut(&key).filter(|session| session.is_connection(number))
    }
}

impl Session {
    fn is_connection(&self, number: u64) -> bool {
        self.connection.as_ref().is_some_and(|connection| connection.number == number)
    }
}

/// What the state has at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) away: u64,
    pub(super) forgotten: u64,
    pub(super) waiting: u64,
    pub(super) retained: u64,
    pub(super) retained_bytes: u64,
    pub(super) subscriptions: u64,
    pub(super) stored_bytes: u64,
}
