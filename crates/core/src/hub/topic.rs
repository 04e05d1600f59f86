//! One key, `robot/kind[/part]`: its last value and who follows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::{ArcSwap, ArcSwapOption};
use zenoh_keyexpr::OwnedKeyExpr;

use super::mailbox::TopicId;
use super::{Follow, Shared};
use crate::model::Class;

/// Followers of a topic, as of a generation of the hub's list.
#[derive(Default)]
struct Routes {
    generation: u64,
    follows: Vec<Arc<Follow>>,
}

pub(super) struct Topic {
    pub(super) id: TopicId,
    pub(super) key: OwnedKeyExpr,
    pub(super) class: Class,
    pub(super) last: ArcSwapOption<Shared>,
    pub(super) published: AtomicU64,
    routes: ArcSwap<Routes>,
}

impl Topic {
    pub(super) fn new(key: OwnedKeyExpr, class: Class) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            key,
            class,
            last: ArcSwapOption::empty(),
            published: AtomicU64::new(0),
            routes: ArcSwap::default(),
        }
    }

    /// Calls `each` for everyone who follows; the list is matched anew only after it changed.
    pub(super) fn for_each_follow(
        &self,
        generation: u64,
        all: impl FnOnce() -> Arc<Vec<Arc<Follow>>>,
        mut each: impl FnMut(&Follow),
    ) {
        let mut routes = self.routes.load();
        if routes.generation != generation {
            let matching = all()
                .iter()
                .filter(|follow| follow.subscription.select.includes(&self.key))
                .cloned()
                .collect();
            self.routes.store(Arc::new(Routes { generation, follows: matching }));
            routes = self.routes.load();
        }
        routes.follows.iter().for_each(|follow| each(follow));
    }
}
