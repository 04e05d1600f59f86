//! What a program holds of a topic that it offers.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::Serialize;
use tokio::sync::watch;

use super::Publication;
use crate::message::{EncodeError, Layout};
use crate::node::shared::Shared;

/// A topic that is offered; when its last publisher is dropped, it is withdrawn.
#[derive(Debug)]
pub struct Publisher {
    publication: Arc<Publication>,
    shared: Arc<Shared>,
}

impl Publisher {
    /// One publisher more; the topics are locked meanwhile.
    pub(in crate::node) fn new(publication: Arc<Publication>, shared: Arc<Shared>) -> Self {
        publication.publishers.fetch_add(1, Ordering::Relaxed);
        Self { publication, shared }
    }

    /// The name of the topic.
    pub fn topic(&self) -> &str {
        &self.publication.topic
    }

    /// How its messages lie.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.publication.layout
    }

    /// Sends a message to all who follow; it is encoded once, and not at all if nobody does and it is not latched.
    ///
    /// Never waits: who is slow loses the oldest.
    pub fn publish<T: Serialize + ?Sized>(&self, message: &T) -> Result<(), EncodeError> {
        self.publication.publish(message)
    }

    /// How many follow.
    pub fn subscribers(&self) -> watch::Receiver<usize> {
        self.publication.count.subscribe()
    }

    /// How many messages did not reach who follows now, because it was too slow.
    pub fn lost(&self) -> u64 {
        self.publication.followers().iter().map(|follower| follower.traffic.lost()).sum()
    }

    /// The layouts of all who follow and have another build of the type, newest last.
    pub fn foreign_layouts(&self) -> Vec<Arc<Layout>> {
        let mut layouts: Vec<Arc<Layout>> = Vec::new();
        for layout in self.publication.followers().iter().filter_map(|follower| follower.foreign.clone()) {
            layouts.retain(|known| known.md5() != layout.md5());
            layouts.push(layout);
        }
        layouts
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        let mut topics = self.shared.topics();
        if self.publication.publishers.fetch_sub(1, Ordering::Relaxed) > 1 {
            return;
        }
        topics.offered.remove(&self.publication.topic);
        drop(topics);
        self.publication.closed.cancel();
        self.shared.changed.notify_one();
    }
}
