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
mod latched;
mod link;
mod subscription;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub(super) use self::connect::{Greeted, greeted};
use self::inbox::Inbox;
use self::latched::Latched;
pub use self::subscription::Subscription;
use super::incoming::Incoming;
use super::shared::Shared;
use super::socket::Ends;
use super::traffic::Traffic;
use crate::limits::MAX_PUBLISHERS_PER_TOPIC;
use crate::message::Layout;

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
    latched: Latched,
    /// Lists that came from the master.
    lists: u64,
}

/// What a subscription asks for.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    /// Messages of any type.
    Any,
    /// Those of a type, in whatever layout.
    Type(String),
    /// Those that stand for a type, in whatever package and layout.
    Like(Arc<Layout>),
}

impl Wanted {
    fn type_name(&self) -> Option<&str> {
        match self {
            Self::Any => None,
            Self::Type(name) => Some(name),
            Self::Like(layout) => Some(layout.type_name()),
        }
    }

    fn takes(&self, offered: &Layout) -> bool {
        match self {
            Self::Any => true,
            Self::Type(name) => name == offered.type_name(),
            Self::Like(layout) => offered.stands_for(layout),
        }
    }
}

#[derive(Debug)]
struct Reader {
    wanted: Wanted,
    inbox: Arc<Inbox>,
    publishers: watch::Sender<usize>,
}

impl Reader {
    fn wants(&self, offered: &Layout) -> bool {
        self.wanted.takes(offered)
    }

    fn take(&self, message: &Incoming) {
        if self.wants(&message.layout) {
            self.inbox.push(message.clone());
        }
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
    /// Whether its last message is for those who come later, too.
    pub latches: bool,
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
        let named = state.readers.values().find_map(|reader| reader.wanted.type_name());
        named.unwrap_or("*").to_owned()
    }

    /// Whether somebody wants messages of a type.
    fn wants(&self, offered: &Layout) -> bool {
        self.state().readers.values().any(|reader| reader.wants(offered))
    }

    /// The layout that is asked for, of this MD5 sum.
    fn known(&self, md5: &str) -> Option<Arc<Layout>> {
        let state = self.state();
        state.readers.values().find_map(|reader| match &reader.wanted {
            Wanted::Like(layout) => Some(layout.clone()).filter(|layout| layout.md5() == md5),
            Wanted::Any | Wanted::Type(_) => None,
        })
    }

    /// How many publishers it tries to reach, or has reached.
    pub(super) fn links(&self) -> usize {
        self.state().links.len()
    }

    /// How many lists of publishers came.
    pub(super) fn lists(&self) -> u64 {
        self.state().lists
    }

    /// The master's answer when the topic was registered; a list that came since `before` is newer.
    pub(super) fn answer(self: &Arc<Self>, shared: &Arc<Shared>, publishers: Vec<String>, before: u64) {
        let state = self.state();
        if state.lists == before {
            self.take(state, shared, publishers);
        }
    }

    /// The master's list of publishers.
    pub(super) fn update(self: &Arc<Self>, shared: &Arc<Shared>, publishers: Vec<String>) {
        self.take(self.state(), shared, publishers);
    }

    fn take(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        shared: &Arc<Shared>,
        publishers: Vec<String>,
    ) {
        let publishers: BTreeSet<String> = publishers.into_iter().collect();
        state.lists += 1;
        for (uri, named) in &state.links {
            named.send_replace(publishers.contains(uri));
        }
        if self.closed.is_cancelled() || shared.ended.is_cancelled() {
            return;
        }
        for uri in publishers {
            if state.links.len() >= MAX_PUBLISHERS_PER_TOPIC && !state.links.contains_key(&uri) {
                tracing::warn!(topic = %self.topic, "no more than {MAX_PUBLISHERS_PER_TOPIC} publishers are followed");
                return;
            }
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
        state.latched.forget(id);
        state.count();
    }

    /// Hands a message to all who want its type; one that is slow loses its oldest.
    fn deliver(&self, from: &Connected, message: &Incoming) {
        let mut state = self.state();
        if from.latches {
            state.latched.keep(from.id, message.clone());
        }
        for reader in state.readers.values() {
            reader.take(message);
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
            let wanted = self.connected.values().filter(|one| reader.wants(&one.layout));
            let count = wanted.count();
            reader.publishers.send_if_modified(|known| std::mem::replace(known, count) != count);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::msgs::Time;
    use crate::node::shared::Parts;

    fn shared() -> Arc<Shared> {
        Arc::new(Shared::new(Parts {
            name: "/listener".to_owned(),
            host: "127.0.0.1".to_owned(),
            calls_port: 1,
            port: 1,
            master: "http://127.0.0.1:1".to_owned(),
            policy: Default::default(),
            remap: BTreeMap::new(),
            now: Arc::new(Time::default),
            shut_down: mpsc::channel(1).0,
        }))
    }

    #[tokio::test]
    async fn a_list_that_came_meanwhile_is_newer_than_the_answer() {
        let shared = shared();
        let following = Arc::new(Following::new(1, "/chatter".to_owned()));
        let uri = "http://127.0.0.1:1/";
        let before = following.lists();
        following.update(&shared, vec![uri.to_owned()]);
        following.answer(&shared, Vec::new(), before);
        assert!(following.keeps(uri), "the answer was made before the list");
        following.answer(&shared, Vec::new(), following.lists());
        assert!(!following.keeps(uri), "the answer is the newest");
        following.closed.cancel();
        following.update(&shared, vec![uri.to_owned()]);
        assert!(!following.keeps(uri), "nobody follows any more");
        shared.tasks.close();
        shared.tasks.wait().await;
    }

    #[tokio::test]
    async fn publishers_are_bounded() {
        let shared = shared();
        let following = Arc::new(Following::new(1, "/chatter".to_owned()));
        let uris =
            |from: usize| (from..from + 1000).map(|port| format!("http://127.0.0.1:{port}/")).collect();
        following.update(&shared, uris(0));
        following.update(&shared, uris(1000));
        assert_eq!(following.state().links.len(), MAX_PUBLISHERS_PER_TOPIC);
    }
}
