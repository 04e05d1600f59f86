//! A topic that is followed.
//!
//! ```text
//!  publisher ──link's task──┐              ┌──▶ inbox of a Subscription
//!  publisher ──link's task──┼──▶ deliver ──┤
//!         the master's list ┘              └──▶ inbox of another
//! ```
//!
//! There is one link for each publisher that the master names. One that it no longer names is kept while it works and not
//! tried again: a master that was restarted does not know of those who have not come back to it.

mod connect;
mod inbox;
mod link;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use self::inbox::Inbox;
use super::incoming::Incoming;
use super::shared::Shared;
use super::socket::Ends;
use super::traffic::Traffic;
use crate::message::Layout;

/// Publishers of one topic, at most.
const MAX_PUBLISHERS: usize = 256;

/// A topic that is followed, by one subscription or more.
#[derive(Debug)]
pub(super) struct Following {
    /// Tells it from an earlier one of the same name.
    pub id: u64,
    /// Its name.
    pub topic: String,
    /// Nobody follows it any more.
    pub closed: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    readers: BTreeMap<u64, Reader>,
    /// By the publisher's address; whether the master names it.
    links: BTreeMap<String, watch::Sender<bool>>,
    connected: BTreeMap<u64, Arc<Connected>>,
    /// Lists that came from the master.
    lists: u64,
}

#[derive(Debug)]
struct Reader {
    type_name: Option<String>,
    inbox: Arc<Inbox>,
    publishers: watch::Sender<usize>,
}

impl Reader {
    fn wants(&self, type_name: &str) -> bool {
        self.type_name.as_deref().is_none_or(|wanted| wanted == type_name)
    }
}

/// A publisher that is connected.
#[derive(Debug)]
pub(super) struct Connected {
    /// The connection's number.
    pub id: u64,
    /// Where the publisher answers calls.
    pub uri: String,
    /// Its name.
    pub caller: Arc<str>,
    /// How its messages lie.
    pub layout: Arc<Layout>,
    /// From where to where.
    pub ends: Ends,
    /// What came.
    pub traffic: Traffic,
}

impl Following {
    pub(super) fn new(id: u64, topic: String) -> Self {
        Self { id, topic, closed: CancellationToken::new(), state: Mutex::default() }
    }

    /// The type that is asked for, or `*`.
    pub(super) fn type_name(&self) -> String {
        let state = self.state();
        state.readers.values().find_map(|reader| reader.type_name.clone()).unwrap_or_else(|| "*".to_owned())
    }

    /// Whether somebody wants messages of a type.
    fn wants(&self, type_name: &str) -> bool {
        self.state().readers.values().any(|reader| reader.wants(type_name))
    }

    /// How many lists of publishers came.
    pub(super) fn lists(&self) -> u64 {
        self.state().lists
    }

    /// The master's answer when the topic was registered; a list that came since `before` is newer.
    pub(super) fn answer(self: &Arc<Self>, shared: &Arc<Shared>, publishers: Vec<String>, before: u64) {
        if self.lists() == before {
            self.update(shared, publishers);
        }
    }

    /// The master's list of publishers.
    pub(super) fn update(self: &Arc<Self>, shared: &Arc<Shared>, mut publishers: Vec<String>) {
        if publishers.len() > MAX_PUBLISHERS {
            tracing::warn!(topic = %self.topic, named = publishers.len(), "only the first {MAX_PUBLISHERS} publishers are followed");
            publishers.truncate(MAX_PUBLISHERS);
        }
        let mut state = self.state();
        state.lists += 1;
        for (uri, named) in &state.links {
            named.send_replace(publishers.contains(uri));
        }
        if self.closed.is_cancelled() || shared.ended.is_cancelled() {
            return;
        }
        for uri in publishers {
            state.links.entry(uri.clone()).or_insert_with(|| {
                let (named, hears) = watch::channel(true);
                shared.tasks.spawn(link::keep(shared.clone(), self.clone(), uri, hears));
                named
            });
        }
    }

    /// Whether a link shall try again; if not, it is forgotten.
    fn keeps(&self, uri: &str) -> bool {
        let mut state = self.state();
        let named = state.links.get(uri).is_some_and(|named| *named.borrow());
        if !named {
            state.links.remove(uri);
        }
        named
    }

    fn connect(&self, connected: Arc<Connected>) {
        let mut state = self.state();
        state.connected.insert(connected.id, connected);
        state.count();
    }

    fn disconnect(&self, id: u64) {
        let mut state = self.state();
        state.connected.remove(&id);
        state.count();
    }

    /// Hands a message to all who want its type; one that is slow loses its oldest.
    fn deliver(&self, message: &Incoming) {
        for reader in self.state().readers.values() {
            if reader.wants(message.layout.type_name()) {
                reader.inbox.push(message.clone());
            }
        }
    }

    /// The publishers that are connected, in the order of their coming.
    pub(super) fn connected(&self) -> Vec<Arc<Connected>> {
        self.state().connected.values().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn count(&self) {
        for reader in self.readers.values() {
            let wanted = self.connected.values().filter(|one| reader.wants(one.layout.type_name()));
            let count = wanted.count();
            reader.publishers.send_if_modified(|known| std::mem::replace(known, count) != count);
        }
    }
}

/// A topic that is followed; dropped, it is left.
#[derive(Debug)]
pub struct Subscription {
    id: u64,
    inbox: Arc<Inbox>,
    publishers: watch::Receiver<usize>,
    following: Arc<Following>,
    shared: Arc<Shared>,
}

impl Subscription {
    /// Begins to read; the topics are locked meanwhile.
    pub(super) fn new(
        shared: Arc<Shared>,
        following: Arc<Following>,
        type_name: Option<&str>,
        queue: usize,
    ) -> Self {
        let (id, inbox) = (shared.id(), Arc::new(Inbox::new(queue)));
        let (sender, publishers) = watch::channel(0);
        let type_name = type_name.map(str::to_owned);
        let reader = Reader { type_name, inbox: inbox.clone(), publishers: sender };
        let mut state = following.state();
        state.readers.insert(id, reader);
        state.count();
        drop(state);
        Self { id, inbox, publishers, following, shared }
    }

    /// The name of the topic.
    pub fn topic(&self) -> &str {
        &self.following.topic
    }

    /// The next message; `None` when the node has ended. Cancel safe.
    pub async fn next(&mut self) -> Option<Incoming> {
        tokio::select! {
            biased;
            message = self.inbox.next() => Some(message),
            () = self.shared.ended.cancelled() => None,
        }
    }

    /// How many publishers are connected.
    pub fn publishers(&self) -> watch::Receiver<usize> {
        self.publishers.clone()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut topics = self.shared.topics();
        let mut state = self.following.state();
        state.readers.remove(&self.id);
        if state.readers.is_empty() {
            topics.followed.remove(&self.following.topic);
            self.following.closed.cancel();
            self.shared.changed.notify_one();
        }
    }
}
