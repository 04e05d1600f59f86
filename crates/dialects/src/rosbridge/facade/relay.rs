//! Topics and services that the clients of the bridge have for one another, and its `/rosout`.
//!
//! ```text
//! client ──advertise, publish──▶ Relay ──Event──▶ Inbox of each subscriber
//! client ──call_service──▶ Relay ──Event::Call──▶ who advertised the service ──service_response──▶ Relay ──▶ caller
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_core::RobotId;
use serde_json::Value as Json;
use tokio::sync::{mpsc, oneshot};

use crate::rosbridge::limits::{
    MAX_COMMANDS_PER_CLIENT, MAX_RELAYED_NAMES, MAX_TOPICS_PER_CLIENT, RELAY_INBOX_BYTES,
    RELAY_INBOX_MESSAGES, RELAYED_NAME_MAX_BYTES,
};

/// One client, until it leaves.
pub(super) type ClientId = u64;

/// What a client receives of others.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A message on a topic that it follows.
    Message { topic: Arc<str>, message: Arc<str> },
    /// A line of `/rosout`, and whom it is about: a robot, or else its client alone.
    Log { about: Option<RobotId>, client: ClientId, message: Arc<str> },
    /// A call of a service that it has advertised.
    Call { id: u64, service: Arc<str>, args: Json },
}

impl Event {
    fn bytes(&self) -> usize {
        match self {
            Self::Message { message, .. } | Self::Log { message, .. } => message.len(),
            // Bounded by the calls that may wait.
            Self::Call { .. } => 0,
        }
    }
}

/// Why a topic or service of clients is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum RelayError {
    #[error("{MAX_RELAYED_NAMES} topics and as many services of clients are the limit; unadvertise one")]
    Full,
    #[error("a client may have {MAX_TOPICS_PER_CLIENT} topics and as many services; unadvertise one")]
    TooMany,
    #[error(
        "{0:?} is no name; write letters, digits and _ with / between, {RELAYED_NAME_MAX_BYTES} bytes at most"
    )]
    Name(String),
    #[error("{name} is of type {known}, not {requested}")]
    OtherType { name: String, known: String, requested: String },
    #[error("nobody has advertised {0}, so that its type is not known; advertise it")]
    NotAdvertised(String),
    #[error("{MAX_COMMANDS_PER_CLIENT} calls of {0} wait; call it later")]
    Busy(String),
}

/// Shared by all clients of a port.
#[derive(Default)]
pub(super) struct Relay(Mutex<State>);

#[derive(Default)]
struct State {
    next: u64,
    clients: HashMap<ClientId, Outlet>,
    topics: BTreeMap<String, Topic>,
    services: BTreeMap<String, Service>,
    calls: HashMap<u64, (ClientId, Answer)>,
}

type Answer = oneshot::Sender<Result<Json, Json>>;

#[derive(Default)]
struct Topic {
    ros_type: Option<String>,
    publishers: BTreeSet<ClientId>,
    subscribers: BTreeSet<ClientId>,
    /// The last message, if a publisher asked that it is kept.
    latched: Option<Option<Arc<str>>>,
}

struct Service {
    ros_type: String,
    server: ClientId,
}

struct Outlet {
    events: mpsc::Sender<Event>,
    bytes: Arc<AtomicUsize>,
}

impl Outlet {
    /// What does not fit is lost, as it is in a full queue of ROS.
    fn send(&self, event: Event) -> bool {
        let bytes = event.bytes();
        let waiting = self.bytes.load(Ordering::Relaxed);
        if waiting > 0 && waiting.saturating_add(bytes) > RELAY_INBOX_BYTES {
            return false;
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let sent = self.events.try_send(event).is_ok();
        if !sent {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        sent
    }
}

/// A client's end; what it advertised and follows ends with it.
pub(super) struct Inbox {
    pub(super) client: ClientId,
    events: mpsc::Receiver<Event>,
    bytes: Arc<AtomicUsize>,
    relay: Arc<Relay>,
}

impl Inbox {
    pub(super) async fn receive(&mut self) -> Option<Event> {
        let event = self.events.recv().await?;
        self.bytes.fetch_sub(event.bytes(), Ordering::Relaxed);
        Some(event)
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        let mut state = self.relay.state();
        state.clients.remove(&self.client);
        for topic in state.topics.values_mut() {
            topic.publishers.remove(&self.client);
            topic.subscribers.remove(&self.client);
        }
        state.services.retain(|_, service| service.server != self.client);
        state.calls.retain(|_, (server, _)| *server != self.client);
        state.tidy();
    }
}

impl Relay {
    pub(super) fn join(self: &Arc<Self>) -> Inbox {
        let (sender, events) = mpsc::channel(RELAY_INBOX_MESSAGES);
        let bytes = Arc::new(AtomicUsize::new(0));
        let mut state = self.state();
        state.next += 1;
        let client = state.next;
        state.clients.insert(client, Outlet { events: sender, bytes: bytes.clone() });
        Inbox { client, events, bytes, relay: self.clone() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client publishes a topic from now on; `latch` keeps its last message for those who come later.
    pub(super) fn advertise(
        &self,
        client: ClientId,
        name: &str,
        ros_type: &str,
        latch: bool,
    ) -> Result<(), RelayError> {
        let mut state = self.state();
        if state.topics.values().filter(|it| it.publishers.contains(&client)).count() >= MAX_TOPICS_PER_CLIENT
        {
            return Err(RelayError::TooMany);
        }
        let topic = state.topic(name, Some(ros_type))?;
        topic.publishers.insert(client);
        if latch {
            topic.latched.get_or_insert_default();
        }
        Ok(())
    }

    pub(super) fn unadvertise(&self, client: ClientId, name: &str) {
        let mut state = self.state();
        if let Some(topic) = state.topics.get_mut(name) {
            topic.publishers.remove(&client);
        }
        state.tidy();
    }

    /// A client follows a topic, of which nobody may have heard yet.
    pub(super) fn subscribe(
        &self,
        client: ClientId,
        name: &str,
        ros_type: Option<&str>,
    ) -> Result<(), RelayError> {
        let mut state = self.state();
        let topic = state.topic(name, ros_type)?;
        let is_new = topic.subscribers.insert(client);
        let last = topic.latched.clone().flatten().filter(|_| is_new);
        if let (Some(message), Some(outlet)) = (last, state.clients.get(&client)) {
            outlet.send(Event::Message { topic: name.into(), message });
        }
        Ok(())
    }

    pub(super) fn unsubscribe(&self, client: ClientId, name: &str) {
        let mut state = self.state();
        if let Some(topic) = state.topics.get_mut(name) {
            topic.subscribers.remove(&client);
        }
        state.tidy();
    }

    /// The type of a topic, once somebody has named it.
    pub(super) fn type_of(&self, name: &str) -> Option<String> {
        self.state().topics.get(name)?.ros_type.clone()
    }

    pub(super) fn publish(&self, name: &str, message: Arc<str>) -> Result<(), RelayError> {
        let mut state = self.state();
        let State { topics, clients, .. } = &mut *state;
        let topic = topics.get_mut(name).filter(|it| it.ros_type.is_some());
        let topic = topic.ok_or_else(|| RelayError::NotAdvertised(name.to_owned()))?;
        if let Some(last) = &mut topic.latched {
            *last = Some(message.clone());
        }
        let event = Event::Message { topic: name.into(), message };
        for subscriber in &topic.subscribers {
            if let Some(outlet) = clients.get(subscriber) {
                outlet.send(event.clone());
            }
        }
        Ok(())
    }

    /// A line of `/rosout` for those who follow it, whose end decides whether its client may see it.
    pub(super) fn log(&self, client: ClientId, about: Option<RobotId>, message: Arc<str>) {
        let state = self.state();
        let Some(rosout) = state.topics.get(super::ROSOUT) else { return };
        for subscriber in &rosout.subscribers {
            if let Some(outlet) = state.clients.get(subscriber) {
                outlet.send(Event::Log { about: about.clone(), client, message: message.clone() });
            }
        }
    }

    /// A client serves a service from now on, in the stead of another one: a page that is loaded anew comes before its old socket is gone.
    pub(super) fn advertise_service(
        &self,
        client: ClientId,
        name: &str,
        ros_type: &str,
    ) -> Result<(), RelayError> {
        check_name(name)?;
        let mut state = self.state();
        if state.services.values().filter(|it| it.server == client).count() >= MAX_TOPICS_PER_CLIENT {
            return Err(RelayError::TooMany);
        }
        if state.services.len() >= MAX_RELAYED_NAMES && !state.services.contains_key(name) {
            return Err(RelayError::Full);
        }
        state.services.insert(name.to_owned(), Service { ros_type: ros_type.to_owned(), server: client });
        Ok(())
    }

    pub(super) fn unadvertise_service(&self, client: ClientId, name: &str) {
        let mut state = self.state();
        state.services.retain(|known, service| known != name || service.server != client);
    }

    /// The type of a service.
    pub(super) fn service_type(&self, name: &str) -> Option<String> {
        self.state().services.get(name).map(|it| it.ros_type.clone())
    }

    /// Calls a service; the answer comes, or its end if who serves it leaves.
    pub(super) fn call(
        &self,
        name: &str,
        args: Json,
    ) -> Option<Result<oneshot::Receiver<Result<Json, Json>>, RelayError>> {
        let mut state = self.state();
        let server = state.services.get(name)?.server;
        let busy = || Some(Err(RelayError::Busy(name.to_owned())));
        state.calls.retain(|_, (_, answer)| !answer.is_closed());
        if state.calls.values().filter(|(it, _)| *it == server).count() >= MAX_COMMANDS_PER_CLIENT {
            return busy();
        }
        state.next += 1;
        let (id, (answer, answered)) = (state.next, oneshot::channel());
        if !state.clients.get(&server)?.send(Event::Call { id, service: name.into(), args }) {
            return busy();
        }
        state.calls.insert(id, (server, answer));
        Some(Ok(answered))
    }

    /// What a client answers to a call of its service.
    pub(super) fn answer(&self, client: ClientId, id: u64, answer: Result<Json, Json>) {
        let mut state = self.state();
        if state.calls.get(&id).is_some_and(|(server, _)| *server == client)
            && let Some((_, caller)) = state.calls.remove(&id)
        {
            let _ = caller.send(answer);
        }
    }

    /// Topics whose type is known, with whether somebody publishes and whether somebody follows them.
    pub(super) fn topics(&self) -> Vec<(String, String, [bool; 2])> {
        let state = self.state();
        let known = state.topics.iter().filter_map(|(name, topic)| {
            let ends = [!topic.publishers.is_empty(), !topic.subscribers.is_empty()];
            Some((name.clone(), topic.ros_type.clone()?, ends))
        });
        known.collect()
    }

    /// Services, with their types.
    pub(super) fn services(&self) -> Vec<(String, String)> {
        let state = self.state();
        state.services.iter().map(|(name, service)| (name.clone(), service.ros_type.clone())).collect()
    }
}

impl State {
    fn topic(&mut self, name: &str, ros_type: Option<&str>) -> Result<&mut Topic, RelayError> {
        check_name(name)?;
        if self.topics.len() >= MAX_RELAYED_NAMES && !self.topics.contains_key(name) {
            return Err(RelayError::Full);
        }
        if let (Some(known), Some(requested)) =
            (self.topics.get(name).and_then(|it| it.ros_type.as_deref()), ros_type)
            && known != requested
        {
            let (known, requested) = (known.to_owned(), requested.to_owned());
            return Err(RelayError::OtherType { name: name.to_owned(), known, requested });
        }
        let topic = self.topics.entry(name.to_owned()).or_default();
        if let Some(ros_type) = ros_type {
            topic.ros_type.get_or_insert_with(|| ros_type.to_owned());
        }
        Ok(topic)
    }

    /// Forgets topics that nobody has.
    fn tidy(&mut self) {
        self.topics.retain(|_, topic| !topic.publishers.is_empty() || !topic.subscribers.is_empty());
    }
}

fn check_name(name: &str) -> Result<(), RelayError> {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if name.len() <= RELAYED_NAME_MAX_BYTES
        && name.strip_prefix('/').is_some_and(|it| it.split('/').all(is_word))
    {
        return Ok(());
    }
    Err(RelayError::Name(name.chars().take(RELAYED_NAME_MAX_BYTES).collect()))
}
