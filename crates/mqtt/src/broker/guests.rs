//! Clients that come and go, and that none of them keeps others waiting.
//!
//! ```text
//!                     ┌── a lane, and whoever publishes waits up to 2 s when it is full: the gateway's own links
//!  published ──▶ broker
//!                     └── a bounded queue that drops its oldest, and nobody waits: everybody else
//! ```
//!
//! The library uses a client's queue only while the client is behind. One that never acknowledges would first fill its
//! lane, and then hold up whoever publishes next. So each guest counts as behind from the start. The gateway's own links
//! always read; what is said to them waits in its sender's socket rather than being dropped.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use mqtt5::broker::events::{BrokerEventHandler, ClientConnectEvent, ClientDisconnectEvent};
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::client_queue::{ClientQueue, QueueHandle};

/// A number that no connection of the library ever has, so that none ends the waiting for it.
const NOBODY: u64 = u64::MAX;

/// Keeps a weak hold of the router, which holds this.
pub(super) struct Guests {
    /// The user that the gateway's own links log in as.
    gateway: String,
    router: OnceLock<Weak<MessageRouter>>,
    /// Of guests that are here, or for whom something waits. Weak, so that the library can forget a queue.
    queues: Mutex<HashMap<Arc<str>, Weak<ClientQueue>>>,
    came: AtomicU64,
    went: AtomicU64,
}

impl Guests {
    pub(super) fn new(gateway: String) -> Self {
        Self {
            gateway,
            router: OnceLock::new(),
            queues: Mutex::default(),
            came: AtomicU64::new(0),
            went: AtomicU64::new(0),
        }
    }

    /// To be told once, before anybody comes.
    pub(super) fn are_served_by(&self, router: &Arc<MessageRouter>) {
        let _ = self.router.set(Arc::downgrade(router));
    }

    /// How many are here, and how many ever came.
    pub(super) fn connected(&self) -> (u64, u64) {
        let went = self.went.load(Ordering::Acquire);
        let came = self.came.load(Ordering::Acquire);
        (came.saturating_sub(went), came)
    }

    /// How many messages wait for guests.
    pub(super) fn waiting(&self) -> u64 {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|_, queue| queue.strong_count() > 0);
        let waiting: usize = queues.values().filter_map(Weak::upgrade).map(|queue| queue.count()).sum();
        waiting as u64
    }

    fn remember(&self, client: &Arc<str>, queue: &QueueHandle) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.insert(client.clone(), Arc::downgrade(queue));
    }

    fn forget(&self, client: &str) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let empty = |queue: &Weak<ClientQueue>| queue.upgrade().is_none_or(|queue| queue.is_empty());
        if queues.get(client).is_some_and(empty) {
            queues.remove(client);
        }
    }
}

impl BrokerEventHandler for Guests {
    fn on_client_connect<'a>(
        &'a self,
        event: ClientConnectEvent,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        let own = event.user_id.as_deref() == Some(self.gateway.as_str());
        if let Some(router) = self.router.get().and_then(Weak::upgrade).filter(|_| !own) {
            let queue = router.queue_handle(&event.client_id);
            queue.expect_bind(NOBODY);
            self.remember(&event.client_id, &queue);
        }
        self.came.fetch_add(1, Ordering::Release);
        Box::pin(std::future::ready(()))
    }

    fn on_client_disconnect<'a>(
        &'a self,
        event: ClientDisconnectEvent,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.forget(&event.client_id);
        self.went.fetch_add(1, Ordering::Release);
        Box::pin(std::future::ready(()))
    }
}
