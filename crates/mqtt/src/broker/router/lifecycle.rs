//! Sessions: they begin, are taken over, stay while their clients are away, and end; wills.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::memory::Share;
use tokio_util::sync::CancellationToken;

use super::{Entered, Router, State};
use crate::broker::authenticator::Identity;
use crate::broker::outbound::{Outbound, Peer};
use crate::broker::session::{Connection, Session, SessionKey, will_cost};
use crate::broker::subscriptions::Filter;
use crate::broker::wire::{Connect, Publish, Reason, Will};
use crate::limits::SESSION_EXPIRY_CHECK_INTERVAL;

impl Router {
    /// How long a session is kept while its client is away.
    fn expiry(&self, asked_s: u32) -> Duration {
        Duration::from_secs(u64::from(asked_s).min(self.limits.session_expiry_s))
    }

    /// A client connects; the session that it has goes on, unless it wants a new one.
    pub(in crate::broker) fn connect(
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
    pub(in crate::broker) fn disconnected(
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
    pub(super) fn end_session(&self, state: &mut State, key: SessionKey, now: Timestamp) {
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

    /// Ends sessions that expired and publishes wills that are due, until `shutdown`.
    pub(in crate::broker) async fn tidy(&self, shutdown: &CancellationToken) {
        while shutdown.run_until_cancelled(self.clock.sleep(SESSION_EXPIRY_CHECK_INTERVAL)).await.is_some() {
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
}
