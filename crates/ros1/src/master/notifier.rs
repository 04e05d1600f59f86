//! Sends notifications to nodes: one task for each node that has any, in order, which ends when all are sent.
//!
//! ```text
//!  post ──▶ a node's queue ──▶ its task ──▶ place ──▶ call (5 s) ──▶ next, or the end
//!            newer notification replaces older            └ nodes that gave no answer have few places of their own,
//!                                                   and so have those that never received a notification
//! ```
//!
//! Nobody waits for a node that is gone or silent: neither the caller who caused the notification nor other nodes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::engine::Engine;
use super::notice::{Notice, Notification};
use super::parameters;
use crate::limits::{
    MAX_NOTIFIED_NODES, NODE_ANSWER_TIMEOUT, NOTIFICATION_QUEUE_BYTES, NOTIFICATION_QUEUE_CAPACITY,
    NOTIFICATION_RETRY_DELAY,
};
use crate::xmlrpc::{CallError, Client, Value, size_of};

/// How many nodes that answered the last time are notified at once.
const PLACES: usize = 128;
/// How many of those that never received a notification; whether they answer is not known yet.
const PLACES_FOR_NEW: usize = 128;
/// How many of those that gave no answer the last time.
const PLACES_FOR_SILENT: usize = 32;
/// Queues of notifications, one for each node; clones share them.
#[derive(Clone, Debug)]
pub(super) struct Notifier {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    posts: Mutex<Posts>,
    places: Semaphore,
    places_for_new: Semaphore,
    places_for_silent: Semaphore,
    shutdown: CancellationToken,
}

#[derive(Debug, Default)]
struct Posts {
    queues: HashMap<String, Queue>,
    /// Whether a node answered the last time.
    answered: HashMap<String, bool>,
}

#[derive(Debug, Default)]
struct Queue {
    notifications: VecDeque<Notification>,
    bytes: usize,
}

impl Queue {
    fn push(&mut self, notification: Notification) -> bool {
        if let Some(at) = self.notifications.iter().position(|older| notification.replaces(older)) {
            self.notifications
                .remove(at)
                .inspect(|older| self.bytes = self.bytes.saturating_sub(bytes(older)));
        }
        self.bytes += bytes(&notification);
        self.notifications.push_back(notification);
        let mut lost = false;
        while self.notifications.len() > 1
            && (self.notifications.len() > NOTIFICATION_QUEUE_CAPACITY
                || self.bytes > NOTIFICATION_QUEUE_BYTES)
        {
            self.pop();
            lost = true;
        }
        lost
    }

    fn pop(&mut self) -> Option<Notification> {
        let notification = self.notifications.pop_front()?;
        self.bytes = self.bytes.saturating_sub(bytes(&notification));
        Some(notification)
    }
}

fn bytes(notification: &Notification) -> usize {
    match notification {
        Notification::Parameter { value, .. } => size_of(value),
        _ => 0,
    }
}

impl Notifier {
    /// They end at `shutdown`.
    pub(super) fn new(shutdown: CancellationToken) -> Self {
        let shared = Shared {
            posts: Mutex::default(),
            places: Semaphore::new(PLACES),
            places_for_new: Semaphore::new(PLACES_FOR_NEW),
            places_for_silent: Semaphore::new(PLACES_FOR_SILENT),
            shutdown,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Queues a notification for a node, in the order of the calls.
    pub(super) fn post(&self, notice: Notice, engine: &Weak<Mutex<Engine>>) {
        let Notice { to, notification } = notice;
        let mut posts = self.shared.lock();
        if let Some(queue) = posts.queues.get_mut(&to) {
            if queue.push(notification) {
                tracing::warn!(node = to, "a node takes no notification; the oldest for it are lost");
            }
            return;
        }
        if posts.queues.len() >= MAX_NOTIFIED_NODES {
            tracing::warn!(node = to, "too many nodes take no notification; what is for this one is lost");
            return;
        }
        posts.queues.entry(to.clone()).or_default().push(notification);
        drop(posts);
        let (shared, engine) = (self.shared.clone(), engine.clone());
        tokio::spawn(async move {
            let shutdown = shared.shutdown.clone();
            let _ = shutdown.run_until_cancelled(shared.carry(to, engine)).await;
        });
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Posts> {
        self.posts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn carry(&self, to: String, engine: Weak<Mutex<Engine>>) {
        let client = Client::new(to.clone());
        while let Some((notification, answered)) = self.next(&to) {
            let places = match answered {
                Some(true) => &self.places,
                Some(false) => &self.places_for_silent,
                None => &self.places_for_new,
            };
            // They are never closed.
            let Ok(place) = places.acquire().await else { return };
            let answer = notify(&client, &notification).await;
            drop(place);
            self.note(&to, answer.is_ok());
            match answer {
                Ok(answer) => received(&answer, &notification, &to, &engine),
                Err(error) => {
                    tracing::debug!(method = notification.method(), %error, "a node could not be notified")
                }
            }
        }
    }

    /// The next notification for a node, and whether it answered the last time; its queue goes when there is none.
    fn next(&self, to: &str) -> Option<(Notification, Option<bool>)> {
        let mut posts = self.lock();
        let Some(notification) = posts.queues.get_mut(to).and_then(Queue::pop) else {
            posts.queues.remove(to);
            return None;
        };
        Some((notification, posts.answered.get(to).copied()))
    }

    fn note(&self, to: &str, answered: bool) {
        let mut posts = self.lock();
        if posts.answered.len() >= MAX_NOTIFIED_NODES && !posts.answered.contains_key(to) {
            // Most of them are gone for ever; the others are soon known again.
            posts.answered.clear();
        }
        posts.answered.insert(to.to_owned(), answered);
    }
}

/// Tells a node; one that cannot be reached at the moment is tried once more, one that is silent is not.
async fn notify(client: &Client, notification: &Notification) -> Result<Value, CallError> {
    let first = timeout(
        NODE_ANSWER_TIMEOUT,
        client.call(notification.method(), notification.params(), 2 * NODE_ANSWER_TIMEOUT),
    )
    .await;
    match (first, notification) {
        (
            Ok(Err(CallError::Unreachable { .. })),
            Notification::Publishers { .. } | Notification::Parameter { .. },
        ) => {
            tokio::time::sleep(NOTIFICATION_RETRY_DELAY).await;
            client.call(notification.method(), notification.params(), NODE_ANSWER_TIMEOUT).await
        }
        // A node that is asked to end may do so before it answers.
        (Ok(answer), _) => answer,
        (Err(_), _) => {
            let reason = format!("no answer to {} within {NODE_ANSWER_TIMEOUT:?}", notification.method());
            Err(CallError::Unreachable { uri: client.uri().to_owned(), reason })
        }
    }
}

/// A node that answers `paramUpdate` with an error does not follow the parameter.
fn received(answer: &Value, notification: &Notification, from: &str, engine: &Weak<Mutex<Engine>>) {
    let Notification::Parameter { key, .. } = notification else { return };
    let Value::Array(parts) = answer else { return };
    if parts.first() != Some(&Value::Integer(-1)) {
        return;
    }
    if let Some(engine) = engine.upgrade() {
        parameters::forget(&mut engine.lock().unwrap_or_else(PoisonError::into_inner), key, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publishers(topic: &str, publishers: &[&str]) -> Notification {
        let publishers = publishers.iter().map(|address| (*address).to_owned()).collect();
        Notification::Publishers { topic: topic.to_owned(), publishers }
    }

    #[test]
    fn newer_news_takes_the_place_of_older_and_goes_last() {
        let mut queue = Queue::default();
        for notification in
            [publishers("/a", &["1"]), publishers("/b", &["1"]), publishers("/a", &["1", "2"])]
        {
            assert!(!queue.push(notification));
        }
        assert_eq!(queue.pop(), Some(publishers("/b", &["1"])));
        assert_eq!(queue.pop(), Some(publishers("/a", &["1", "2"])));
        assert_eq!(queue.pop(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_that_never_received_anything_takes_no_place_of_those_who_answer() {
        let notifier = Notifier::new(CancellationToken::new());
        let shared = &notifier.shared;
        shared.note("http://127.0.0.1:1/", true);
        assert_eq!(shared.lock().answered.get("http://127.0.0.1:1/"), Some(&true));
        let all = u32::try_from(PLACES_FOR_NEW).unwrap();
        let _taken = shared.places_for_new.acquire_many(all).await.unwrap();
        // Both are tried at port 1, where nobody is; only the known one can be.
        for to in ["http://127.0.0.1:1/", "http://127.0.0.1:1/new"] {
            notifier.post(Notice { to: to.to_owned(), notification: publishers("/a", &[]) }, &Weak::new());
        }
        while shared.lock().answered.get("http://127.0.0.1:1/") == Some(&true) {
            // Nobody tells when a courier has noted something.
            tokio::time::sleep(NOTIFICATION_RETRY_DELAY).await;
        }
        assert!(!shared.lock().answered.contains_key("http://127.0.0.1:1/new"));
    }

    #[test]
    fn what_waits_for_a_node_is_bounded_by_number_and_by_size() {
        let mut queue = Queue::default();
        let lost = (0..NOTIFICATION_QUEUE_CAPACITY + 5)
            .filter(|topic| queue.push(publishers(&topic.to_string(), &[])))
            .count();
        assert_eq!((queue.notifications.len(), lost), (NOTIFICATION_QUEUE_CAPACITY, 5));

        let mut queue = Queue::default();
        let value = Arc::new(Value::Base64(vec![0; 5 << 20]));
        for key in 0..10 {
            queue.push(Notification::Parameter { key: key.to_string(), value: value.clone() });
        }
        assert_eq!(queue.notifications.len(), 3);
        while queue.pop().is_some() {}
        assert_eq!(queue.bytes, 0);
    }
}
