//! What others of the gateway learn of each message at the broker within: above all who sent it, which MQTT does not pass on.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Learns of each message before it is passed on.
pub trait Watcher: Send + Sync {
    /// A client published something; `None` is the gateway itself. To be answered at once.
    fn published(&self, client: Option<&str>, topic: &str, payload: &[u8]);
}

/// Those who watch the broker within; clones share them.
#[derive(Clone, Default)]
pub struct Watchers(Arc<RwLock<Vec<Arc<dyn Watcher>>>>);

impl Watchers {
    /// One more, for as long as the broker is there.
    pub fn add(&self, watcher: Arc<dyn Watcher>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(watcher);
    }

    pub(super) fn published(&self, client: Option<&str>, topic: &str, payload: &[u8]) {
        for watcher in self.0.read().unwrap_or_else(PoisonError::into_inner).iter() {
            watcher.published(client, topic, payload);
        }
    }
}

impl fmt::Debug for Watchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.read().unwrap_or_else(PoisonError::into_inner).len();
        write!(f, "{count} watchers")
    }
}
