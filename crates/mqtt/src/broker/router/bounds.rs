//! What the sessions may take, and which one goes if they exceed it.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use latimer_core::limits::LOG_INTERVAL;
use latimer_core::memory::Share;

use super::{Router, State};
use crate::broker::session::SessionKey;
use crate::broker::wire::Reason;

impl Router {
    /// Makes room until nothing is exceeded.
    pub(super) fn make_room(&self, state: &mut State) {
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
        if logged.is_some_and(|(at, _)| now.since(at) < LOG_INTERVAL) {
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
}
