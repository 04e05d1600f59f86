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

use latimer_core::memory::Budget;
use mqtt5::QoS;
use mqtt5::broker::events::{
    BrokerEventHandler, ClientConnectEvent, ClientDisconnectEvent, ClientPublishEvent, ClientSubscribeEvent,
    ClientUnsubscribeEvent, MessageDeliveredEvent, PublishAction, RetainedSetEvent, SubAckReasonCode,
};
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::client_queue::{ClientQueue, QueueHandle};
use mqtt5::broker::{DynamicStorage, StorageBackend};
use tokio_util::sync::CancellationToken;

use super::qos0::Qos0;
use super::retained::Retained;
use super::sessions::Sessions;
use super::watchers::Watchers;

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
    sessions: Arc<Sessions>,
    retained: Retained,
    qos0: Qos0,
    storage: OnceLock<Weak<DynamicStorage>>,
    watchers: Watchers,
}

/// A future of the type that the broker's library expects.
type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl Connections {
    pub(super) fn new(gateway: String, memory: &Budget, sessions: Arc<Sessions>) -> Self {
        Self {
            gateway,
            sessions,
            retained: Retained::new(memory),
            qos0: Qos0::new(memory),
            storage: OnceLock::new(),
            watchers: Watchers::default(),
            router: OnceLock::new(),
            queues: Mutex::default(),
            connected: AtomicU64::new(0),
            disconnected: AtomicU64::new(0),
        }
    }

    /// Sets the router and the store, once, before the first connection.
    pub(super) fn set_router(&self, router: &Arc<MessageRouter>, storage: Option<&Arc<DynamicStorage>>) {
        let _ = self.router.set(Arc::downgrade(router));
        if let Some(storage) = storage {
            let _ = self.storage.set(Arc::downgrade(storage));
        }
        self.sessions.watch(&self.gateway, router, storage);
    }

    /// How many clients are away, and how many sessions were forgotten before their time.
    pub(super) fn away(&self) -> (u64, u64) {
        self.sessions.away()
    }

    /// Gives back what is not needed any more; does not end.
    pub(super) async fn tidy(&self, shutdown: &CancellationToken) {
        tokio::join!(self.sessions.tidy(&self.retained, shutdown), self.qos0.tidy(shutdown));
        std::future::pending().await
    }

    fn is_own(&self, user: Option<&str>) -> bool {
        user == Some(self.gateway.as_str())
    }

    async fn published(&self, event: ClientPublishEvent) -> PublishAction {
        let ClientPublishEvent { client_id, user_id, topic, payload, qos, retain, packet_id, .. } = event;
        let (size, is_own) = (payload.len(), self.is_own(user_id.as_deref()));
        if retain && size > 0 && !is_own && self.retained.admit(&topic, size, &client_id).is_err() {
            return PublishAction::Handled;
        }
        if let (QoS::ExactlyOnce, Some(packet), false) = (qos, packet_id, is_own)
            && !self.sessions.begun(&client_id, packet, &topic, size).await
        {
            return PublishAction::Handled;
        }
        if qos == QoS::AtMostOnce && !is_own && !self.qos0.admit(&client_id, &payload) {
            return PublishAction::Handled;
        }
        self.watchers.published((!is_own).then_some(&client_id), &topic, &payload);
        self.sessions.published(&topic, size, qos).await;
        PublishAction::Continue
    }

    /// Those who learn of each message.
    pub(super) fn watchers(&self) -> Watchers {
        self.watchers.clone()
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
    fn on_client_connect<'a>(&'a self, event: ClientConnectEvent) -> Boxed<'a, ()> {
        let own = self.is_own(event.user_id.as_deref());
        if let Some(router) = self.router.get().and_then(Weak::upgrade).filter(|_| !own) {
            let queue = router.queue_handle(&event.client_id);
            queue.expect_bind(NO_CONNECTION);
            self.remember(&event.client_id, &queue);
        }
        self.connected.fetch_add(1, Ordering::Release);
        Box::pin(async move {
            if !own {
                let payload = event.will_payload.as_ref().map_or(0, |payload| payload.len());
                let will = event.will_topic.as_deref().map(|topic| (topic, payload));
                self.sessions.connected(&event.client_id, will).await;
            }
        })
    }

    fn on_client_disconnect<'a>(&'a self, event: ClientDisconnectEvent) -> Boxed<'a, ()> {
        self.forget(&event.client_id);
        self.disconnected.fetch_add(1, Ordering::Release);
        Box::pin(async move {
            if !self.is_own(event.user_id.as_deref()) {
                self.sessions.disconnected(&event.client_id).await;
            }
        })
    }

    fn on_client_publish<'a>(&'a self, event: ClientPublishEvent) -> Boxed<'a, PublishAction> {
        Box::pin(self.published(event))
    }

    fn on_client_subscribe<'a>(&'a self, event: ClientSubscribeEvent) -> Boxed<'a, ()> {
        let granted = event.subscriptions.into_iter().filter_map(|it| {
            let qos = match it.result {
                SubAckReasonCode::GrantedQoS0 => QoS::AtMostOnce,
                SubAckReasonCode::GrantedQoS1 => QoS::AtLeastOnce,
                SubAckReasonCode::GrantedQoS2 => QoS::ExactlyOnce,
                _ => return None,
            };
            Some((it.topic_filter, qos))
        });
        let granted: Vec<_> = granted.collect();
        Box::pin(async move { self.sessions.subscribed(&event.client_id, granted).await })
    }

    fn on_client_unsubscribe<'a>(&'a self, event: ClientUnsubscribeEvent) -> Boxed<'a, ()> {
        self.sessions.unsubscribed(&event.client_id, &event.topic_filters);
        Box::pin(std::future::ready(()))
    }

    fn on_message_delivered<'a>(&'a self, event: MessageDeliveredEvent) -> Boxed<'a, ()> {
        self.sessions.delivered(&event.client_id);
        Box::pin(std::future::ready(()))
    }

    fn on_retained_set<'a>(&'a self, event: RetainedSetEvent) -> Boxed<'a, ()> {
        let RetainedSetEvent { topic, payload, cleared, .. } = event;
        self.retained.set(&topic, (!cleared).then_some(payload.len()));
        Box::pin(async move {
            if let Some(storage) = self.storage.get().and_then(Weak::upgrade) {
                // The router has it, and the backend in memory cannot fail.
                let _ = storage.remove_retained_message(&topic).await;
            }
        })
    }
}
