//! Clients that take more memory than there is for all of them, and sessions of clients that are away.
//!
//! ```text
//! published ──▶ Backlog (bytes of each client) ──exceeds──▶ the session away longest is forgotten,
//!                                                            or who takes most is disconnected
//! ```
//!
//! It happens before the library takes the message in, so that the publisher waits until there is room.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use latimer_core::memory::{Budget, Reservation, Share};
use latimer_core::{Clock, Timestamp};
use mqtt5::QoS;
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::{ClientSession, InflightDirection};
use mqtt5::broker::{DynamicStorage, StorageBackend};
use tokio_util::sync::CancellationToken;

use super::Limits;
use super::backlog::{Backlog, Victim, filter_cost, message_cost, will_cost};
use super::retained::Retained;

/// Between two looks for sessions that expired.
const TIDY_EVERY: Duration = Duration::from_secs(60);

/// Between two lines on sessions that were forgotten for their number.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// Bytes of incomplete messages of one client after which it is looked which ones really are.
const LOOK_AT_BYTES: u64 = 4 << 20;

/// The clients, and what makes room.
pub(super) struct Sessions {
    /// The user that the gateway's own links log in as.
    gateway: OnceLock<String>,
    memory: Budget,
    clock: Clock,
    max_away: usize,
    max_queued_bytes: u64,
    router: OnceLock<Weak<MessageRouter>>,
    storage: OnceLock<Weak<DynamicStorage>>,
    state: Mutex<State>,
    /// Held by the one that makes room.
    makes_room: tokio::sync::Mutex<()>,
    forgotten: AtomicU64,
    logged: Mutex<Option<(Timestamp, u64)>>,
}

struct State {
    backlog: Backlog,
    held: Reservation,
    /// Bytes of incomplete messages at which a client is looked at.
    look_at: HashMap<Arc<str>, u64>,
}

impl Sessions {
    pub(super) fn new(memory: &Budget, clock: Clock, limits: &Limits) -> Self {
        let held = memory.hold(Share::Sessions);
        Self {
            gateway: OnceLock::new(),
            memory: memory.clone(),
            clock,
            max_away: limits.max_away,
            max_queued_bytes: limits.max_queued_bytes as u64,
            router: OnceLock::new(),
            storage: OnceLock::new(),
            state: Mutex::new(State { backlog: Backlog::default(), held, look_at: HashMap::new() }),
            makes_room: tokio::sync::Mutex::default(),
            forgotten: AtomicU64::new(0),
            logged: Mutex::default(),
        }
    }

    /// Sets what it looks at, and the user that does not count, once, before the first connection.
    pub(super) fn watch(
        &self,
        gateway: &str,
        router: &Arc<MessageRouter>,
        storage: Option<&Arc<DynamicStorage>>,
    ) {
        let _ = self.gateway.set(gateway.to_owned());
        let _ = self.router.set(Arc::downgrade(router));
        if let Some(storage) = storage {
            let _ = self.storage.set(Arc::downgrade(storage));
        }
    }

    fn router(&self) -> Option<Arc<MessageRouter>> {
        self.router.get()?.upgrade()
    }

    fn storage(&self) -> Option<Arc<DynamicStorage>> {
        self.storage.get()?.upgrade()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and what is reserved for it.
    fn change<T>(&self, change: impl FnOnce(&mut Backlog) -> T) -> T {
        let mut state = self.state();
        let done = change(&mut state.backlog);
        let bytes = state.backlog.bytes();
        state.held.set(bytes);
        done
    }

    /// How many clients are away, and how many sessions were forgotten before their time.
    pub(super) fn away(&self) -> (u64, u64) {
        (self.state().backlog.away() as u64, self.forgotten.load(Ordering::Relaxed))
    }

    /// Whether there is room for a subscription of a client; one that is refused is counted.
    pub(super) fn has_room_for_filter(&self, client: &str, filter: &str) -> bool {
        self.has_room(client, filter_cost(filter))
    }

    /// Whether there is room for the will of a client that connects.
    pub(super) fn has_room_for_will(&self, client: &str, topic: &str, payload: usize) -> bool {
        self.has_room(client, will_cost(topic, payload))
    }

    fn has_room(&self, client: &str, more: u64) -> bool {
        let fits = self.state().held.bytes() + more <= self.memory.limit(Share::Sessions);
        if !fits {
            self.memory.refused(Share::Sessions, client);
        }
        fits
    }

    /// A client connected; its will, if it has one.
    pub(super) async fn connected(&self, client: &Arc<str>, will: Option<(&str, usize)>) {
        let Some(router) = self.router() else { return };
        let will = will.map_or(0, |(topic, payload)| will_cost(topic, payload));
        let queue = Arc::downgrade(&router.queue_handle(client));
        self.change(|backlog| backlog.connected(client, queue, will));
        if let Some(storage) = self.storage()
            && let Ok(Some(session)) = storage.get_session(client).await
        {
            self.change(|backlog| take_subscriptions(backlog, client, session));
        }
        self.make_room().await;
    }

    /// A connection of a client ended.
    pub(super) async fn disconnected(&self, client: &Arc<str>) {
        if self.change(|backlog| backlog.disconnected(client)) {
            self.state().look_at.remove(client);
            self.settle(client).await;
        }
        self.make_room().await;
    }

    /// Looks whether the session of a client that is away is kept.
    async fn settle(&self, client: &Arc<str>) {
        let (Some(router), Some(storage)) = (self.router(), self.storage()) else { return };
        let session = storage.get_session(client).await.ok().flatten();
        if router.is_connected(client).await {
            return;
        }
        let Some(session) = session else { return self.change(|backlog| backlog.remove(client)) };
        if session.user_id.as_ref() == self.gateway.get() {
            return;
        }
        let queue = Arc::downgrade(&router.queue_handle(client));
        self.change(|backlog| {
            backlog.is_away(client, queue, self.clock.now());
            take_subscriptions(backlog, client, session);
        });
        self.measure(client).await;
    }

    /// Looks what waits for a client, if there is more than was written down: retained messages and wills do not pass here,
    /// and messages of QoS 2 only wait when they are complete.
    async fn measure(&self, client: &Arc<str>) {
        let Some(router) = self.router() else { return };
        let queue = router.queue_handle(client);
        if queue.count() <= self.state().backlog.waiting(client) {
            return;
        }
        let messages = queue.peek_all().await;
        let sizes: VecDeque<u32> = messages
            .iter()
            .map(|message| {
                u32::try_from(message_cost(&message.topic, message.payload.len())).unwrap_or(u32::MAX)
            })
            .collect();
        drop(messages);
        self.change(|backlog| backlog.measured(client, sizes));
    }

    /// A client subscribed.
    pub(super) async fn subscribed(&self, client: &Arc<str>, filters: Vec<(Arc<str>, QoS)>) {
        self.change(|backlog| {
            for (filter, qos) in filters {
                backlog.subscribed(client, &filter, qos);
            }
        });
        self.measure(client).await;
        self.make_room().await;
    }

    /// A client does not want messages of filters any more.
    pub(super) fn unsubscribed(&self, client: &str, filters: &[Arc<str>]) {
        self.change(|backlog| filters.iter().for_each(|filter| backlog.unsubscribed(client, filter)));
    }

    /// A client confirmed a message.
    pub(super) fn delivered(&self, client: &str) {
        self.change(|backlog| backlog.delivered(client));
    }

    /// A message is about to be passed on.
    pub(super) async fn published(&self, topic: &str, payload: usize, qos: QoS) {
        if qos != QoS::AtMostOnce {
            let unknown =
                self.change(|backlog| backlog.published(topic, payload, qos, self.max_queued_bytes));
            for client in unknown {
                self.measure(&client).await;
            }
            self.make_room().await;
        }
    }

    /// A client began to publish a message of QoS 2, which is kept until it completes it; whether there is room.
    pub(super) async fn begun(&self, client: &Arc<str>, packet: u16, topic: &str, payload: usize) -> bool {
        let bytes = self.change(|backlog| backlog.begun(client, packet, message_cost(topic, payload)));
        if bytes <= self.state().look_at.get(client).copied().unwrap_or(LOOK_AT_BYTES) {
            return true;
        }
        let Some(storage) = self.storage() else { return true };
        let open = storage.get_inflight_messages(client).await.unwrap_or_default();
        let inbound = open.iter().filter(|message| message.direction == InflightDirection::Inbound);
        let open: HashSet<u16> = inbound.map(|message| message.packet_id).chain([packet]).collect();
        let bytes = self.change(|backlog| backlog.keep_begun(client, &open));
        self.state().look_at.insert(client.clone(), (2 * bytes).max(LOOK_AT_BYTES));
        if bytes <= self.max_queued_bytes {
            self.make_room().await;
            return true;
        }
        self.memory.refused(Share::Sessions, client);
        self.disconnect(client).await;
        false
    }

    async fn disconnect(&self, client: &str) {
        self.change(|backlog| backlog.ends(client));
        if let Some(router) = self.router() {
            let queue = router.queue_handle(client);
            queue.clear(Some(queue.next_seq()));
            router.disconnect_client(client).await;
        }
    }

    /// Who makes room now, if somebody must.
    fn victim(&self) -> Option<(Victim, bool)> {
        let mut state = self.state();
        let state = &mut *state;
        if state.backlog.away() > self.max_away {
            return Some((state.backlog.longest_away()?, false));
        }
        if !state.held.is_exceeded() {
            return None;
        }
        let victim = state.backlog.victim(self.max_queued_bytes);
        // What waits no more was left out.
        state.held.set(state.backlog.bytes());
        victim.filter(|_| state.held.is_exceeded()).map(|victim| (victim, true))
    }

    /// Makes room until nothing is exceeded.
    async fn make_room(&self) {
        if self.victim().is_none() {
            return;
        }
        let _alone = self.makes_room.lock().await;
        while let Some((victim, for_bytes)) = self.victim() {
            match victim {
                Victim::Away(client) => {
                    self.forget(&client).await;
                    self.forgotten.fetch_add(1, Ordering::Relaxed);
                    if for_bytes {
                        self.memory.refused(Share::Sessions, &client);
                    } else {
                        self.log_forgotten(&client);
                    }
                }
                Victim::Connected(client) => {
                    self.memory.refused(Share::Sessions, &client);
                    self.disconnect(&client).await;
                }
            }
        }
    }

    /// Ends the session of a client that is away.
    async fn forget(&self, client: &Arc<str>) {
        let (Some(router), Some(storage)) = (self.router(), self.storage()) else {
            return self.change(|backlog| backlog.remove(client));
        };
        let slot = router.lock_session(client).await;
        if !router.is_connected(client).await {
            // The backend in memory cannot fail.
            let _ = storage.remove_session(client).await;
            let _ = storage.remove_all_inflight_messages(client).await;
            let _ = router.set_client_subscriptions(&slot, None).await;
            router.remove_change_only_state(client).await;
            router.queue_handle(client).clear(None);
            self.change(|backlog| backlog.remove(client));
        } else {
            // It came back meanwhile.
            self.change(|backlog| backlog.is_back(client));
        }
    }

    fn log_forgotten(&self, client: &str) {
        let forgotten = self.forgotten.load(Ordering::Relaxed);
        let now = self.clock.now();
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_some_and(|(at, _)| now.since(at) < LOG_EVERY) {
            return;
        }
        let before = logged.replace((now, forgotten)).map_or(0, |(_, before)| before);
        drop(logged);
        tracing::warn!(
            client,
            count = forgotten - before,
            max_away = self.max_away,
            "more clients are away than broker.limits.max_away; sessions of those that are away longest are forgotten"
        );
    }

    /// Forgets what expired, until `shutdown`.
    pub(super) async fn tidy(&self, retained: &Retained, shutdown: &CancellationToken) {
        while shutdown.run_until_cancelled(self.clock.sleep(TIDY_EVERY)).await.is_some() {
            let (Some(router), Some(storage)) = (self.router(), self.storage()) else { return };
            let _ = storage.cleanup_expired().await;
            router.sweep_sessions().await;
            retained.tidy(&router).await;
            let away = self.state().backlog.all_away();
            for client in away {
                if storage.get_session(&client).await.is_ok_and(|session| session.is_none()) {
                    self.change(|backlog| backlog.remove(&client));
                }
            }
            // Clients that went away before they were here.
            for client in storage.session_client_ids().await.unwrap_or_default() {
                if !self.state().backlog.knows(&client) && !router.is_connected(&client).await {
                    self.settle(&client.into()).await;
                }
            }
            self.make_room().await;
        }
    }
}

/// A session that goes on has its subscriptions from before.
fn take_subscriptions(backlog: &mut Backlog, client: &Arc<str>, session: ClientSession) {
    for (filter, subscription) in session.subscriptions {
        backlog.subscribed(client, &filter.into(), subscription.qos);
    }
}
