//! What a program holds of a topic that it follows.

use std::sync::Arc;

use tokio::sync::watch;

use super::inbox::Inbox;
use super::{Following, Reader, Wanted};
use crate::node::incoming::Incoming;
use crate::node::shared::Shared;

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
    pub(in crate::node) fn new(
        shared: Arc<Shared>,
        following: Arc<Following>,
        wanted: Wanted,
        queue: usize,
    ) -> Self {
        let (id, inbox) = (shared.id(), Arc::new(Inbox::new(queue)));
        let (sender, publishers) = watch::channel(0);
        let reader = Reader { wanted, inbox: inbox.clone(), publishers: sender };
        let mut state = following.state();
        state.latched.iter().for_each(|message| reader.take(message));
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
