//! Messages: each is routed to those who subscribe to its topic.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use latimer_core::Timestamp;
use latimer_core::memory::Share;
use smallvec::SmallVec;

use super::{Routed, Router, State};
use crate::Qos;
use crate::broker::message::{Publication, cost};
use crate::broker::outbound::{Bounds, Delivery};
use crate::broker::session::SessionKey;
use crate::broker::subscriptions::is_topic;
use crate::broker::wire::{Options, Publish, Reason, Version};
use crate::limits::QOS0_QUEUE_CAPACITY;

/// How many times as many messages wait for a link of the gateway before publishers are not held back any more, and the oldest are
/// dropped.
const OWN_BOUND: usize = 4;

/// Topics of the broker itself, which clients cannot publish to.
const OWN_TOPICS: &str = "$SYS";

impl Router {
    /// A message of a connection. A duplicate of QoS 2 is not passed on again, nor what is read of a connection that is over: its client
    /// sends that again on the next one.
    pub(in crate::broker) fn publish(&self, key: SessionKey, number: u64, publish: Publish) -> Routed {
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
    pub(in crate::broker) fn released(&self, key: SessionKey, number: u64, packet: u16) {
        if let Some(session) = self.state().session(key, number) {
            session.begun.remove(&packet);
        }
    }

    pub(super) fn route(
        &self,
        state: &mut State,
        key: Option<SessionKey>,
        publish: Publish,
        now: Timestamp,
    ) -> Routed {
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
        let message = |held| Publication {
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
            if session.is_own && session.outbound.queued() > QOS0_QUEUE_CAPACITY {
                routed.crowded.push(*to);
            }
            if let Some(connection) = &session.connection {
                connection.wake();
            }
        }
        routed
    }

    pub(super) fn bounds(&self, is_own: bool) -> Bounds {
        match is_own {
            true => Bounds {
                messages: OWN_BOUND * QOS0_QUEUE_CAPACITY,
                bytes: u64::MAX,
                qos0_messages: OWN_BOUND * QOS0_QUEUE_CAPACITY,
            },
            false => Bounds {
                messages: self.limits.max_queued,
                bytes: self.limits.max_queued_bytes as u64,
                qos0_messages: self.limits.max_queued.min(QOS0_QUEUE_CAPACITY),
            },
        }
    }

    /// Whether a link of the gateway still has enough to read.
    pub(in crate::broker) fn is_crowded(&self, key: SessionKey) -> bool {
        self.state().sessions.get(&key).is_some_and(|it| it.outbound.queued() > QOS0_QUEUE_CAPACITY)
    }
}
