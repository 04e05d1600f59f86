//! One key, `robot/kind[/part]`: its last value and the mailboxes that its updates go to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::key_expression::KeyExpression;
use arc_swap::{ArcSwap, ArcSwapOption};

use super::Shared;
use super::mailbox::Mailbox;
use crate::model::{Kind, PartName};

/// Identifies a topic in this process.
pub(super) type TopicId = u64;

/// What a topic is called; each of its updates knows it.
#[derive(Debug)]
pub(super) struct TopicName {
    pub(super) id: TopicId,
    pub(super) key: KeyExpression,
    pub(super) kind: Kind,
    pub(super) part: Option<PartName>,
    /// It is no topic of the exchange any more.
    gone: AtomicBool,
}

impl TopicName {
    pub(super) fn set_gone(&self) {
        self.gone.store(true, Ordering::Release);
    }

    /// Whether its robot has left, or another topic has its name: all of its updates are in their inboxes by then.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }
}

/// A mailbox, and by how many key expressions it follows the topic.
type Route = (Arc<Mailbox>, usize);

pub(crate) struct Topic {
    pub(super) name: Arc<TopicName>,
    pub(super) last: ArcSwapOption<Shared>,
    pub(super) published: AtomicU64,
    /// Changed under the exchange's lock only.
    routes: ArcSwap<Vec<Route>>,
}

impl Topic {
    pub(super) fn new(key: KeyExpression, kind: Kind, part: Option<PartName>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self {
            name: Arc::new(TopicName { id, key, kind, part, gone: AtomicBool::new(false) }),
            last: ArcSwapOption::empty(),
            published: AtomicU64::new(0),
            routes: ArcSwap::default(),
        }
    }

    /// Its key, `robot/kind[/part]`.
    pub(crate) fn key(&self) -> &KeyExpression {
        &self.name.key
    }

    /// The last update, if there was one.
    pub(crate) fn last(&self) -> Option<Arc<Shared>> {
        self.last.load_full()
    }

    /// Calls `each` for every mailbox that follows.
    pub(super) fn for_each_mailbox(&self, mut each: impl FnMut(&Arc<Mailbox>)) {
        self.routes.load().iter().for_each(|(mailbox, _)| each(mailbox));
    }

    pub(super) fn add_route(&self, mailbox: &Arc<Mailbox>) {
        let mut routes = Vec::clone(&self.routes.load());
        match routes.iter_mut().find(|(known, _)| Arc::ptr_eq(known, mailbox)) {
            Some((_, expressions)) => *expressions += 1,
            None => routes.push((mailbox.clone(), 1)),
        }
        self.routes.store(Arc::new(routes));
    }

    pub(super) fn remove_route(&self, mailbox: &Arc<Mailbox>) {
        let mut routes = Vec::clone(&self.routes.load());
        if let Some(at) = routes.iter().position(|(known, _)| Arc::ptr_eq(known, mailbox))
            && let Some((_, expressions)) = routes.get_mut(at)
        {
            *expressions -= 1;
            if *expressions == 0 {
                routes.swap_remove(at);
            }
            self.routes.store(Arc::new(routes));
        }
    }
}
