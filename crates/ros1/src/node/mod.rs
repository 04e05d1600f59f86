//! A node: it registers at a master, publishes, subscribes, and answers who asks about it.
//!
//! ```text
//!             master ◀── registration (one task) ──┐
//!                │ publisherUpdate                 │
//!                ▼                                 │
//!  others ──▶ slave ──▶ following ──▶ link (a task for each publisher) ──▶ Subscription
//!                                                  │
//!  others ──▶ accept ──▶ follower (a task for each subscriber) ◀── publication ◀── Publisher
//!                  └────▶ answer (a task for each caller) ◀── service ◀── ServiceServer
//! ```
//!
//! One task owns one connection. Tasks meet in what they share, whose locks are held for a moment. A peer that is slow,
//! silent or hostile costs its own task something, and nobody else; only who opens connections by the hundred can make
//! others wait a second or two, or come again.
//!
//! A name can be taken: the master shuts down the older of two nodes of one name. If both are registering topics at that
//! moment, they may take it from each other, as any nodes of ROS.

mod accept;
mod backoff;
mod bus;
mod following;
#[doc(hidden)]
pub mod fuzzing;
mod incoming;
mod params;
mod publication;
mod refusals;
mod registration;
mod rosout;
mod running;
mod services;
mod settings;
mod shared;
mod slave;
mod socket;
mod startup;
mod traffic;
mod values;

use std::collections::btree_map::Entry;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

use self::accept::MAX_FOLLOWERS;
pub use self::following::Subscription;
use self::following::{Following, Wanted};
pub use self::incoming::Incoming;
use self::publication::Publication;
pub use self::publication::Publisher;
pub use self::rosout::Level;
use self::running::End;
pub use self::running::Running;
use self::services::{Service, offer_loggers};
pub use self::services::{ServiceError, ServiceServer};
pub use self::settings::{Ended, MasterLink, NodeError, Settings};
use self::shared::{Parts, Shared};
pub use self::startup::Startup;
use crate::message::{Layout, ServiceType, check_name};
use crate::name::{BadName, resolve, resolve_own};
use crate::xmlrpc::{MAX_CONNECTIONS, port_guard};

/// A handle to a node; clones are the same node.
#[derive(Clone, Debug)]
pub struct Node {
    shared: Arc<Shared>,
}

impl Node {
    /// Binds a node's ports.
    pub async fn bind(settings: Settings) -> Result<(Self, Running), NodeError> {
        let host = settings.advertised()?;
        let Settings { name, master, bind, host: _, policy, remap, now } = settings;
        let name = resolve_own(&name, "/")?;
        let at = |source| NodeError::Bind { address: bind, source };
        let listen = || async move {
            let listener = TcpListener::bind((bind, 0)).await?;
            let port = listener.local_addr()?.port();
            Ok((listener, port))
        };
        let (calls, calls_port) = listen().await.map_err(at)?;
        let (connections, port) = listen().await.map_err(at)?;
        let (sender, shut_down) = mpsc::channel(1);
        let parts = Parts {
            name,
            host,
            calls_port,
            port,
            master,
            policy: policy.clone(),
            remap,
            now,
            shut_down: sender,
        };
        let shared = Arc::new(Shared::new(parts));
        if let Some(rosout) = rosout::publication(shared.id()) {
            shared.topics().offered.insert(rosout.topic.clone(), rosout);
        }
        offer_loggers(&shared)?;
        let end = End(shared.ended.clone());
        let calls = policy.listener(calls, format!("{}, calls", shared.name), MAX_CONNECTIONS);
        let connections =
            policy.listener(connections, format!("{}, subscribers", shared.name), MAX_FOLLOWERS);
        let guard = port_guard(bind, &shared.host, &policy.names());
        Ok((Self { shared: shared.clone() }, Running { shared, calls, guard, connections, shut_down, end }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Where it answers calls, as the master tells others.
    pub fn uri(&self) -> &str {
        &self.shared.uri
    }

    /// How it stands with its master.
    pub fn link(&self) -> watch::Receiver<MasterLink> {
        self.shared.link.subscribe()
    }

    /// Offers a topic; `queue` messages wait for a slow subscriber, `latch` gives the last one to each that comes. Offered again with the same
    /// layout, it is the same topic with the first queue.
    ///
    /// The queue is rounded up to a power of two, and has 16,384 places at most.
    pub fn advertise(
        &self,
        topic: &str,
        layout: Arc<Layout>,
        queue: usize,
        latch: bool,
    ) -> Result<Publisher, NodeError> {
        let topic = self.own(topic)?;
        let id = self.shared.id();
        let mut topics = self.shared.topics();
        let publication = match topics.offered.entry(topic) {
            // As in roscpp, one connection serves all publishers of a topic.
            Entry::Occupied(same) if *same.get().layout == *layout && same.get().latch == latch => {
                same.get().clone()
            }
            Entry::Occupied(taken) => return Err(NodeError::Taken { topic: taken.key().clone() }),
            Entry::Vacant(place) => {
                let publication = Publication::new(id, place.key().clone(), layout, queue, latch);
                place.insert(Arc::new(publication)).clone()
            }
        };
        let publisher = Publisher::new(publication, self.shared.clone());
        drop(topics);
        self.shared.changed.notify_one();
        Ok(publisher)
    }

    /// Follows a topic of a type, or of any if none is named, whatever build of it the publishers have.
    ///
    /// `queue` messages wait for their reader, and no more than 64 MiB. The last message of each publisher that
    /// latches comes first.
    pub fn subscribe(
        &self,
        topic: &str,
        type_name: Option<&str>,
        queue: usize,
    ) -> Result<Subscription, NodeError> {
        type_name.map_or(Ok(()), check_name)?;
        self.follow(topic, type_name.map_or(Wanted::Any, |name| Wanted::Type(name.to_owned())), queue)
    }

    /// Follows a topic as [`subscribe`](Self::subscribe) does, and takes publishers of other packages, too, whose messages
    /// [stand for](Layout::stands_for) those of a layout. They come in their own.
    pub fn subscribe_like(
        &self,
        topic: &str,
        layout: Arc<Layout>,
        queue: usize,
    ) -> Result<Subscription, NodeError> {
        self.follow(topic, Wanted::Like(layout), queue)
    }

    fn follow(&self, topic: &str, wanted: Wanted, queue: usize) -> Result<Subscription, NodeError> {
        let topic = self.own(topic)?;
        let mut topics = self.shared.topics();
        let following = topics.followed.entry(topic);
        let following =
            following.or_insert_with_key(|topic| Arc::new(Following::new(self.shared.id(), topic.clone())));
        let subscription = Subscription::new(self.shared.clone(), following.clone(), wanted, queue);
        drop(topics);
        self.shared.changed.notify_one();
        Ok(subscription)
    }

    /// Offers a service: each request is answered by what `answer` returns, or with its reason for failing.
    pub fn offer<Q, R, F, A>(
        &self,
        service: &str,
        service_type: Arc<ServiceType>,
        answer: F,
    ) -> Result<ServiceServer, NodeError>
    where
        Q: DeserializeOwned + Send,
        R: Serialize + Send,
        F: Fn(Q) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, String>> + Send + 'static,
    {
        let name = self.own(service)?;
        let service = Arc::new(Service::new(self.shared.id(), name.clone(), service_type, answer));
        match self.shared.topics().services.entry(name) {
            Entry::Occupied(taken) => return Err(NodeError::Taken { topic: taken.key().clone() }),
            Entry::Vacant(place) => _ = place.insert(service.clone()),
        }
        self.shared.changed.notify_one();
        Ok(ServiceServer::new(service, self.shared.clone()))
    }

    /// Calls a service once, and waits for its answer no longer than `within`.
    pub async fn call<Q: Serialize + ?Sized, R: DeserializeOwned>(
        &self,
        service: &str,
        service_type: &ServiceType,
        request: &Q,
        within: Duration,
    ) -> Result<R, ServiceError> {
        let name = self.own(service)?;
        services::call(&self.shared, name, service_type, request, within).await
    }

    /// The other nodes that the master names as publishers of a topic.
    pub async fn other_publishers(&self, topic: &str, within: Duration) -> Result<Vec<String>, NodeError> {
        let topic = resolve(topic, self.name())?;
        let method = "getSystemState";
        let answer =
            values::ask(&self.shared.master, method, vec![values::text(self.name())], within).await?;
        if !answer.is_done() {
            return Err(NodeError::Refused { method, reason: answer.status });
        }
        Ok(values::publishers(&answer.value, &topic)
            .filter(|node| *node != self.name())
            .map(str::to_owned)
            .collect())
    }

    /// A name as this node knows it.
    pub fn resolve(&self, name: &str) -> Result<String, NodeError> {
        Ok(self.renamed(resolve(name, self.name())?))
    }

    /// The name of a topic or a service.
    fn own(&self, name: &str) -> Result<String, BadName> {
        Ok(self.renamed(resolve_own(name, self.name())?))
    }

    fn renamed(&self, name: String) -> String {
        self.shared.remap.get(&name).cloned().unwrap_or(name)
    }

    /// Says something on `/rosout`.
    pub fn log(&self, level: Level, text: &str) {
        rosout::say(&self.shared, level, text);
    }
}
