//! What subscribers ask for, and what they are sent.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::BytesMut;
use latimer_core::memory::Share;

use super::{Router, State};
use crate::Qos;
use crate::broker::outbound::Delivery;
use crate::broker::retained::Position;
use crate::broker::session::{Replay, SessionKey, filter_cost};
use crate::broker::subscriptions::Filter;
use crate::broker::wire::{Ack, AckKind, Options, Reason, RetainHandling};

/// Retained messages that are queued at a time for a new subscription.
const REPLAYED_AT_ONCE: usize = 64;

impl Router {
    /// A client subscribes; what is not allowed has its reason already.
    pub(in crate::broker) fn subscribe(
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
    pub(in crate::broker) fn unsubscribe(
        &self,
        key: SessionKey,
        number: u64,
        filters: &[Arc<str>],
    ) -> Vec<bool> {
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

    /// Takes from a client what it may not have any more: subscriptions, and messages that wait. How many subscriptions that were.
    pub(in crate::broker) fn withdraw(
        &self,
        key: SessionKey,
        number: u64,
        may: impl Fn(&str) -> bool,
    ) -> usize {
        // Who may what is asked without the lock, since dialects have locks of their own.
        let filters: Vec<Arc<str>> = match self.state().session(key, number) {
            Some(session) => session.filters.keys().cloned().collect(),
            None => return 0,
        };
        let filters: Vec<Arc<str>> = filters.into_iter().filter(|filter| !may(filter)).collect();
        if filters.is_empty() {
            return 0;
        }
        self.unsubscribe(key, number, &filters);
        let topics: HashSet<Arc<str>> = match self.state().session(key, number) {
            Some(session) => session.outbound.topics().cloned().collect(),
            None => return filters.len(),
        };
        let refused: HashSet<Arc<str>> = topics.into_iter().filter(|topic| !may(topic)).collect();
        let mut state = self.state();
        if let Some(session) = state.session(key, number) {
            session.outbound.retain(|topic| !refused.contains(topic));
        }
        self.account(&mut state);
        filters.len()
    }

    /// A subscriber acknowledges a message; what is to be answered.
    pub(in crate::broker) fn acknowledged(&self, key: SessionKey, number: u64, ack: Ack) -> Option<Ack> {
        let mut state = self.state();
        let answer = state.session(key, number)?.outbound.acknowledged(ack);
        self.account(&mut state);
        answer.filter(|answer| answer.kind == AckKind::Pubrel)
    }

    /// Writes what a connection may be sent now, about `most` bytes.
    pub(in crate::broker) fn write(&self, key: SessionKey, number: u64, out: &mut BytesMut, most: usize) {
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
}
