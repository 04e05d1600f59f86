//! The clients' connections, each with a queue of its own, so that no client delays another.
//!
//! ```text
//!                     ┌── a channel; the publisher waits up to 2 s when it is full: the gateway's own links
//!  published ──▶ broker
//!                     └── a bounded queue that drops its oldest message: all other clients
//! ```
//!
//! The library uses a client's queue only while the client is behind. A client that never acknowledges would first fill its
//! channel, and then block the next publisher. So each connection counts as behind from the start. The gateway's own links
//! always read; messages for them wait in the sender's socket rather than being dropped.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use mqtt5::broker::events::{BrokerEventHandler, ClientConnectEvent, ClientDisconnectEvent};
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::client_queue::{ClientQueue, QueueHandle};

/// A number that the library gives to no connection, so that none takes the queue over.
const NO_CONNECTION: u64 = u64::MAX;

/// The connections; holds the router weakly, because the router holds this.
pub(super) struct Connections {
    /// The user that the gateway's own links log in as.
    gateway: String,
    router: OnceLock<Weak<MessageRouter>>,
    /// Queues of connected clients, and of those for whom messages are queued. Weak, so that the library can drop one.
    queues: Mutex<HashMap<Arc<str>, Weak<ClientQueue>>>,
    connected: AtomicU64,
    disconnected: AtomicU64,
}

impl Connections {
    pub(super) fn new(gateway: String) -> Self {
        Self {
            gateway,
            router: OnceLock::new(),
            queues: Mutex::default(),
            connected: AtomicU64::new(0),
            disconnected: AtomicU64::new(0),
        }
    }

    /// Sets the router, once, before the first connection.
    pub(super) fn set_router(&self, router: &Arc<MessageRouter>) {
        let _ = self.router.set(Arc::downgrade(router));
    }

    /// How many clients are connected, and how many ever connected.
    pub(super) fn connected(&self) -> (u64, u64) {
        let disconnected = self.disconnected.load(Ordering::Acquire);
        let connected = self.connected.load(Ordering::Acquire);
        (connected.saturating_sub(disconnected), connected)
    }

    /// How many messages are queued for clients.
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

impl BrokerEventHandler for Connections {
    fn on_client_connect<'a>(
        &'a self,
        event: ClientConnectEvent,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        let own = event.user_id.as_deref() == Some(self.gateway.as_str());
        if let Some(router) = self.router.get().and_then(Weak::upgrade).filter(|_| !own) {
            let queue = router.queue_handle(&event.client_id);
            queue.expect_bind(NO_CONNECTION);
            self.remember(&event.client_id, &queue);
        }
        self.connected.fetch_add(1, Ordering::Release);
        Box::pin(std::future::ready(()))
    }

    fn on_client_disconnect<'a>(
        &'a self,
        event: ClientDisconnectEvent,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.forget(&event.client_id);
        self.disconnected.fetch_add(1, Ordering::Release);
        Box::pin(std::future::ready(()))
    }
}
