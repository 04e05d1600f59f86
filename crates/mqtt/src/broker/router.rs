//! The broker's state: sessions, subscriptions and retained messages, under one lock, so that the order in which messages come is
//! the order in which every subscriber gets them.
//!
//! ```text
//!  PUBLISH ──publish()──▶ retained, subscriptions ──push──▶ Outbound of each session ──wake──▶ write() by its connection
//! ```
//!
//! What clients make it keep is counted here as it comes and goes (`limits.memory`): if it exceeds its share, the session that is
//! away longest and takes more than the mean is forgotten, or else who takes most is disconnected.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use latimer_core::memory::{Budget, Reservation, Share};
use latimer_core::{Clock, RateLimit, Timestamp};
use smallvec::SmallVec;
use tokio_util::sync::CancellationToken;

use super::Limits;
use super::authenticator::Identity;
use super::figures::Counters;
use super::message::{Message, Usage, cost};
use super::outbound::{Bounds, Delivery, Outbound, Peer, QOS0_MESSAGES};
use super::retained::{Position, Retained};
use super::session::{Connection, Replay, Session, SessionKey, filter_cost, will_cost};
use super::subscriptions::{Filter, Subscriptions, is_topic};
use super::watchers::Watchers;
use super::wire::{Ack, AckKind, Connect, Options, Publish, Reason, RetainHandling, Version, Will};
use crate::Qos;

/// Between two looks for what is over.
const TIDY_EVERY: Duration = Duration::from_secs(1);

/// Between two lines on sessions that were forgotten for their number.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// Retained messages that are queued at a time for a new subscription.
const REPLAYED_AT_ONCE: usize = 64;

/// How many times as many messages wait for a link of the gateway before publishers are not held back any more, and the oldest are
/// dropped.
const OWN_BOUND: usize = 4;

/// Topics of the broker itself, which clients cannot publish to.
const OWN_TOPICS: &str = "$SYS";

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

    /// How long a session is kept while its client is away.
    fn expiry(&self, asked_s: u32) -> Duration {
        Duration::from_secs(u64::from(asked_s).min(self.limits.session_expiry_s))
    }

    /// A client connects; the session that it has goes on, unless it wants a new one.
    pub(super) fn connect(
        &self,
        asked: &Connect,
        client_id: &Arc<str>,
        identity: &Identity,
    ) -> Result<Entered, Reason> {
        let now = self.clock.now();
        let mut state = self.state();
        let will = will_cost(asked.will.as_ref());
        if !identity.is_own && will > 0 && state.held.bytes() + will > self.memory.limit(Share::Sessions) {
            self.memory.refused(Share::Sessions, client_id);
            return Err(Reason::QUOTA_EXCEEDED);
        }
        let known = state.by_client.get(client_id).copied();
        let mut goes_on = None;
        if let Some(session) = known.and_then(|key| state.sessions.get(&key)) {
            let is_theirs = session.owner == identity.owner;
            if !is_theirs && session.connection.is_some() {
                return Err(Reason::NOT_AUTHORIZED);
            }
            goes_on = known.filter(|_| is_theirs && !asked.clean_start);
        }
        if let Some(old) = known.and_then(|key| state.sessions.get(&key)?.connection.clone()) {
            old.end(Reason::SESSION_TAKEN_OVER);
            let will = known.and_then(|key| state.sessions.get_mut(&key)?.will.take());
            // A will that has to wait is for a client that does not come back.
            if let Some(will) = will.filter(|will| will.delay_s == 0 || goes_on.is_none()) {
                self.publish_will(&mut state, known, will, now);
            }
        }
        let peer = Peer {
            version: asked.version,
            receive_maximum: asked.receive_maximum,
            max_packet_bytes: asked.max_packet_bytes,
            topic_alias_maximum: asked.topic_alias_maximum,
        };
        if let Some(key) = known.filter(|_| goes_on.is_none()) {
            self.end_session(&mut state, key, now);
        }
        state.last += 1;
        let connection = Connection::new(state.last);
        let key = goes_on.unwrap_or_else(|| {
            state.last += 1;
            let key = SessionKey(state.last);
            let session = Session {
                client_id: client_id.clone(),
                owner: identity.owner.clone(),
                is_own: identity.is_own,
                connection: None,
                away_since: None,
                expiry: Duration::ZERO,
                filters: HashMap::new(),
                filter_bytes: 0,
                outbound: Outbound::new(peer),
                replays: Vec::new(),
                begun: HashSet::new(),
                will: None,
                will_due: None,
                published: Default::default(),
            };
            state.fixed_bytes += session.fixed_bytes();
            state.sessions.insert(key, session);
            state.by_client.insert(client_id.clone(), key);
            key
        });
        let State { sessions, away, fixed_bytes, .. } = &mut *state;
        if let Some(session) = sessions.get_mut(&key) {
            *fixed_bytes -= session.fixed_bytes();
            if let Some(since) = session.away_since.take() {
                away.remove(&(since, key));
            }
            session.connection = Some(connection.clone());
            session.expiry = self.expiry(asked.session_expiry_s);
            (session.will, session.will_due) = (asked.will.clone(), None);
            session.outbound.connected(peer);
            *fixed_bytes += session.fixed_bytes();
        }
        self.make_room(&mut state);
        self.counters.connected.fetch_add(1, Ordering::Release);
        Ok(Entered { session: key, connection, present: goes_on.is_some() })
    }

    /// A connection is over; without DISCONNECT its will is published.
    pub(super) fn disconnected(
        &self,
        key: SessionKey,
        number: u64,
        publishes_will: bool,
        expiry_s: Option<u32>,
    ) {
        let now = self.clock.now();
        self.counters.disconnected.fetch_add(1, Ordering::Release);
        let mut state = self.state();
        let State { sessions, away, fixed_bytes, .. } = &mut *state;
        let Some(session) = sessions.get_mut(&key).filter(|it| it.is_connection(number)) else { return };
        session.connection = None;
        session.away_since = Some(now);
        session.outbound.disconnected();
        *fixed_bytes -= session.fixed_bytes();
        if !publishes_will {
            session.will = None;
        }
        *fixed_bytes += session.fixed_bytes();
        // One without a session does not get one now.
        if let Some(seconds) = expiry_s.filter(|_| !session.expiry.is_zero()) {
            session.expiry = self.expiry(seconds);
        }
        let expiry = session.expiry;
        let delay = session.will.as_ref().map(|will| Duration::from_secs(will.delay_s.into()).min(expiry));
        session.will_due = delay.map(|delay| now.after(delay));
        if !session.is_own && !expiry.is_zero() {
            away.insert((now, key));
        }
        if expiry.is_zero() {
            self.end_session(&mut state, key, now);
        } else if delay == Some(Duration::ZERO) {
            self.publish_due_will(&mut state, key, now);
        }
        self.make_room(&mut state);
    }

    /// Ends a session and publishes its will.
    fn end_session(&self, state: &mut State, key: SessionKey, now: Timestamp) {
        self.publish_due_will(state, key, now);
        let Some(session) = state.sessions.remove(&key) else { return };
        state.by_client.remove(&session.client_id);
        state.fixed_bytes -= session.fixed_bytes();
        if let Some(since) = session.away_since {
            state.away.remove(&(since, key));
        }
        for filter in session.filters.keys().filter_map(|filter| Filter::parse(filter)) {
            state.subscriptions.remove(filter, key);
        }
    }

    fn publish_due_will(&self, state: &mut State, key: SessionKey, now: Timestamp) {
        let Some(session) = state.sessions.get_mut(&key) else { return };
        state.fixed_bytes -= session.fixed_bytes();
        session.will_due = None;
        let will = session.will.take();
        state.fixed_bytes += session.fixed_bytes();
        if let Some(will) = will {
            self.publish_will(state, Some(key), will, now);
        }
    }

    fn publish_will(&self, state: &mut State, key: Option<SessionKey>, will: Will, now: Timestamp) {
        let Will { topic, payload, qos, retain, expiry_s, passed_on, .. } = will;
        let publish =
            Publish { dup: false, qos, retain, topic, packet: 0, payload, alias: None, expiry_s, passed_on };
        self.route(state, key, publish, now);
    }

    /// A message of a connection. A duplicate of QoS 2 is not passed on again, nor what is read of a connection that is over: its client
    /// sends that again on the next one.
    pub(super) fn publish(&self, key: SessionKey, number: u64, publish: Publish) -> Routed {
        let now = self.clock.now();
        let mut state = self.state();
        let routed = |reason| Routed { reason, crowded: SmallVec::new() };
        let Some(session) = state.session(key, number) else { return routed(Reason::SESSION_TAKEN_OVER) };
        if publish.qos == Qos::ExactlyOnce {
            if session.begun.contains(&publish.packet) {
                return routed(Reason::SUCCESS);
            }
            // Clients of older versions do not learn how many there may be.
            let has_maximum = session.outbound.version() == Version::V5;
            if has_maximum && session.begun.len() >= usize::from(self.limits.max_inflight) {
                return routed(Reason::RECEIVE_MAXIMUM_EXCEEDED);
            }
            session.begun.insert(publish.packet);
        }
        let routed = self.route(&mut state, Some(key), publish, now);
        self.make_room(&mut state);
        routed
    }

    /// A message of QoS 2 is not sent again, and its identifier is free.
    pub(super) fn released(&self, key: SessionKey, number: u64, packet: u16) {
        if let Some(session) = self.state().session(key, number) {
            session.begun.remove(&packet);
        }
    }

    fn route(&self, state: &mut State, key: Option<SessionKey>, publish: Publish, now: Timestamp) -> Routed {
        let Publish { qos, retain, topic, payload, expiry_s, passed_on, .. } = publish;
        let mut routed = Routed { reason: Reason::SUCCESS, crowded: SmallVec::new() };
        if !is_topic(&topic) || (key.is_some() && topic.starts_with(OWN_TOPICS)) {
            routed.reason = Reason::NOT_AUTHORIZED;
            return routed;
        }
        if key.is_some() {
            self.counters.received.fetch_add(1, Ordering::Relaxed);
        }
        let from = key.and_then(|key| state.sessions.get(&key));
        let is_own = from.is_none_or(|session| session.is_own);
        let client_id = from.map_or_else(|| Arc::from(""), |session| session.client_id.clone());
        let published = from.map(|session| session.published.clone()).unwrap_or_default();
        let bytes = cost(&topic, payload.len(), passed_on.len());
        if qos == Qos::AtMostOnce && !is_own {
            let limit = self.memory.limit(Share::Qos0);
            if !self.usage.admits(payload.len(), &published, limit) {
                self.memory.refused(Share::Qos0, &client_id);
                routed.reason = Reason::QUOTA_EXCEEDED;
                return routed;
            }
        }
        let expires = expiry_s.map(|seconds| now.after(Duration::from_secs(seconds.into())));
        state.last += 1;
        let number = state.last;
        let message = |held| Message {
            topic: topic.clone(),
            payload: payload.clone(),
            qos,
            passed_on: passed_on.clone(),
            expires,
            number,
            _held: held,
        };
        if retain && state.retained.set(Arc::new(message(None)), &client_id).is_err() {
            routed.reason = Reason::QUOTA_EXCEEDED;
            return routed;
        }
        if key.is_some() {
            self.watchers.published((!is_own).then_some(&client_id), &topic, &payload);
        }
        let State { sessions, subscriptions, .. } = state;
        let mut matches: SmallVec<[(SessionKey, Options, bool); 8]> = SmallVec::new();
        let is_here = |key| sessions.get(&key).is_some_and(|session| session.connection.is_some());
        subscriptions.visit(&topic, is_here, |key, options, shared| matches.push((key, *options, shared)));
        if matches.is_empty() {
            routed.reason = Reason::NO_MATCHING_SUBSCRIBERS;
            return routed;
        }
        // One copy for a client, whichever of its subscriptions match.
        matches.sort_by_key(|(key, ..)| *key);
        let message = Arc::new(message(Some(self.usage.hold(qos, bytes, &published))));
        for same in matches.chunk_by(|a, b| a.0 == b.0) {
            let Some((to, ..)) = same.first() else { continue };
            let Some(session) = sessions.get_mut(to) else { continue };
            let mine = |options: &Options, shared: bool| !shared && options.no_local && key == Some(*to);
            let mut wanted = same.iter().filter(|(_, options, shared)| !mine(options, *shared)).peekable();
            if wanted.peek().is_none() {
                continue;
            }
            let mut delivery = Delivery {
                message: message.clone(),
                qos: Qos::AtMostOnce,
                retain: false,
                identifiers: SmallVec::new(),
            };
            for (_, options, _) in wanted {
                delivery.qos = delivery.qos.max(options.qos.min(qos));
                delivery.retain |= options.retain_as_published && retain;
                delivery.identifiers.extend(options.identifier);
            }
            if delivery.qos == Qos::AtMostOnce && session.connection.is_none() {
                continue;
            }
            let bounds = self.bounds(session.is_own);
            let dropped = session.outbound.push(delivery, bounds);
            self.counters.dropped.fetch_add(dropped, Ordering::Relaxed);
            if session.is_own && session.outbound.queued() > QOS0_MESSAGES {
                routed.crowded.push(*to);
            }
            if let Some(connection) = &session.connection {
                connection.wake();
            }
        }
        routed
    }

    fn bounds(&self, is_own: bool) -> Bounds {
        match is_own {
            true => Bounds {
                messages: OWN_BOUND * QOS0_MESSAGES,
                bytes: u64::MAX,
                qos0_messages: OWN_BOUND * QOS0_MESSAGES,
            },
            false => Bounds {
                messages: self.limits.max_queued,
                bytes: self.limits.max_queued_bytes as u64,
                qos0_messages: self.limits.max_queued.min(QOS0_MESSAGES),
            },
        }
    }

    /// Whether a link of the gateway still has enough to read.
    pub(super) fn is_crowded(&self, key: SessionKey) -> bool {
        self.state().sessions.get(&key).is_some_and(|it| it.outbound.queued() > QOS0_MESSAGES)
    }

    /// A client subscribes; what is not allowed has its reason already.
    pub(super) fn subscribe(
        &self,
        key: SessionKey,
        number: u64,
        filters: &[(Arc<str>, Options, Result<(), Reason>)],
    ) -> Vec<Result<Qos, Reason>> {
        let mut state = self.state();
        let limit = self.memory.limit(Share::Sessions);
        let granted = filters.iter().map(|(text, options, allowed)| {
            (*allowed)?;
            let filter = Filter::parse(text).ok_or(Reason::TOPIC_FILTER_INVALID)?;
            let State { sessions, subscriptions, fixed_bytes, held, last, .. } = &mut *state;
            let session = sessions.get_mut(&key).filter(|it| it.is_connection(number));
            let session = session.ok_or(Reason::SESSION_TAKEN_OVER)?;
            let is_new = !session.filters.contains_key(text);
            let cost = filter_cost(text);
            if is_new && !session.is_own {
                let too_many = session.filters.len() >= self.limits.max_subscriptions;
                if too_many || held.bytes() + cost > limit {
                    if !too_many {
                        self.memory.refused(Share::Sessions, &session.client_id);
                    }
                    return Err(Reason::QUOTA_EXCEEDED);
                }
            }
            subscriptions.add(filter, key, *options);
            session.filters.insert(text.clone(), *options);
            if is_new {
                session.filter_bytes += cost;
                *fixed_bytes += cost;
                held.set(held.bytes() + cost);
            }
            let replays = match options.retain_handling {
                RetainHandling::Send => true,
                RetainHandling::SendIfNew => is_new,
                RetainHandling::DoNotSend => false,
            };
            if replays && filter.group.is_none() {
                session.replays.retain(|replay| replay.filter != *text);
                let position = Some(Position::START);
                session.replays.push(Replay {
                    filter: text.clone(),
                    options: *options,
                    position,
                    until: *last,
                });
            }
            Ok(options.qos)
        });
        granted.collect()
    }

    /// A client unsubscribes; whether each subscription existed.
    pub(super) fn unsubscribe(&self, key: SessionKey, number: u64, filters: &[Arc<str>]) -> Vec<bool> {
        let mut state = self.state();
        let State { sessions, subscriptions, fixed_bytes, .. } = &mut *state;
        let session = sessions.get_mut(&key).filter(|it| it.is_connection(number));
        let Some(session) = session else { return vec![false; filters.len()] };
        let existed = filters.iter().map(|text| {
            let existed = session.filters.remove(text).is_some();
            session.replays.retain(|replay| replay.filter != *text);
            if let Some(filter) = Filter::parse(text).filter(|_| existed) {
                subscriptions.remove(filter, key);
                session.filter_bytes -= filter_cost(text);
                *fixed_bytes -= filter_cost(text);
            }
            existed
        });
        existed.collect()
    }

    /// A subscriber acknowledges a message; what is to be answered.
    pub(super) fn acknowledged(&self, key: SessionKey, number: u64, ack: Ack) -> Option<Ack> {
        let mut state = self.state();
        let answer = state.session(key, number)?.outbound.acknowledged(ack);
        self.account(&mut state);
        answer.filter(|answer| answer.kind == AckKind::Pubrel)
    }

    /// Writes what a connection may be sent now, about `most` bytes.
    pub(super) fn write(&self, key: SessionKey, number: u64, out: &mut BytesMut, most: usize) {
        let now = self.clock.now();
        let mut state = self.state();
        let State { sessions, retained, .. } = &mut *state;
        let Some(session) = sessions.get_mut(&key).filter(|it| it.is_connection(number)) else { return };
        let bounds = self.bounds(session.is_own);
        let mut written = session.outbound.write(out, most, now);
        while out.len() < most
            && session.outbound.queued() < REPLAYED_AT_ONCE.min(bounds.messages)
            && let Some(replay) = session.replays.first_mut()
        {
            let filter = Filter::parse(&replay.filter);
            let at_once = (REPLAYED_AT_ONCE.min(bounds.messages) - session.outbound.queued()).max(1);
            let found = match filter {
                Some(filter) => retained.next(filter, &mut replay.position, replay.until, at_once, now),
                None => Vec::new(),
            };
            let (options, is_over) = (replay.options, replay.position.is_none() || filter.is_none());
            for message in found {
                let identifiers = options.identifier.into_iter().collect();
                let delivery =
                    Delivery { qos: options.qos.min(message.qos), message, retain: true, identifiers };
                session.outbound.push(delivery, bounds);
            }
            if is_over {
                session.replays.remove(0);
            }
            written += session.outbound.write(out, most, now);
        }
        self.counters.sent.fetch_add(written, Ordering::Relaxed);
        self.account(&mut state);
    }

    /// Makes room until nothing is exceeded.
    fn make_room(&self, state: &mut State) {
        self.account(state);
        while state.away.len() > self.limits.max_away
            && let Some((_, key)) = state.away.first().copied()
        {
            self.forget(state, key);
        }
        while state.held.is_exceeded() {
            let sessions = state.sessions.iter().filter(|(_, session)| !session.is_own);
            let (count, all) =
                sessions.clone().fold((0, 0), |(count, all), (_, it)| (count + 1, all + it.bytes()));
            let mean = all / u64::max(count, 1);
            let heavy = |key: &SessionKey| state.sessions.get(key).is_some_and(|it| it.bytes() >= mean);
            if let Some((_, key)) = state.away.iter().find(|(_, key)| heavy(key)).copied() {
                if let Some(session) = state.sessions.get(&key) {
                    self.memory.refused(Share::Sessions, &session.client_id);
                }
                self.forget(state, key);
            } else {
                let connected = sessions.filter(|(_, it)| it.connection.is_some() && it.outbound.bytes() > 0);
                let Some(key) = connected.max_by_key(|(_, it)| it.bytes()).map(|(key, _)| *key) else {
                    return;
                };
                if let Some(session) = state.sessions.get_mut(&key) {
                    self.memory.refused(Share::Sessions, &session.client_id);
                    session.outbound.clear();
                    if let Some(connection) = &session.connection {
                        connection.end(Reason::QUOTA_EXCEEDED);
                    }
                    // What is in flight is dropped with the session.
                    session.expiry = Duration::ZERO;
                }
            }
            self.account(state);
        }
    }

    /// Ends the session of a client that is away before its time.
    fn forget(&self, state: &mut State, key: SessionKey) {
        let client = state.sessions.get(&key).map(|session| session.client_id.clone());
        self.end_session(state, key, self.clock.now());
        state.away.retain(|(_, away)| *away != key);
        self.account(state);
        let forgotten = self.forgotten.fetch_add(1, Ordering::Relaxed) + 1;
        let now = self.clock.now();
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_some_and(|(at, _)| now.since(at) < LOG_EVERY) {
            return;
        }
        let before = logged.replace((now, forgotten)).map_or(0, |(_, before)| before);
        drop(logged);
        tracing::warn!(
            client = client.as_deref(),
            count = forgotten - before,
            max_away = self.limits.max_away,
            "sessions of clients that are away are forgotten: there are more than broker.limits.max_away, or they exceed limits.memory"
        );
    }

    /// Ends sessions that expired and publishes wills that are due, until `shutdown`.
    pub(super) async fn tidy(&self, shutdown: &CancellationToken) {
        while shutdown.run_until_cancelled(self.clock.sleep(TIDY_EVERY)).await.is_some() {
            let now = self.clock.now();
            let mut state = self.state();
            let is_due = |at: Option<Timestamp>| at.is_some_and(|at| at <= now);
            let wills: Vec<_> =
                state.sessions.iter().filter(|(_, it)| is_due(it.will_due)).map(|(key, _)| *key).collect();
            for key in wills {
                self.publish_due_will(&mut state, key, now);
            }
            let over: Vec<_> =
                state.sessions.iter().filter(|(_, it)| is_due(it.expires())).map(|(key, _)| *key).collect();
            for key in over {
                self.end_session(&mut state, key, now);
            }
            state.retained.tidy(now);
            self.make_room(&mut state);
        }
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
