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

use std::pin::Pin;
use std::sync::{Arc, OnceLock, Weak};

use mqtt5::broker::events::{BrokerEventHandler, ClientConnectEvent};
use mqtt5::broker::router::MessageRouter;

/// A number that no connection of the library ever has, so that none ends the waiting for it.
const NOBODY: u64 = u64::MAX;

/// Keeps a weak hold of the router, which holds this.
pub(super) struct Guests {
    /// The user that the gateway's own links log in as.
    gateway: String,
    router: OnceLock<Weak<MessageRouter>>,
}

impl Guests {
    pub(super) fn new(gateway: String) -> Self {
        Self { gateway, router: OnceLock::new() }
    }

    /// To be told once, before anybody comes.
    pub(super) fn are_served_by(&self, router: &Arc<MessageRouter>) {
        let _ = self.router.set(Arc::downgrade(router));
    }
}

impl BrokerEventHandler for Guests {
    fn on_client_connect<'a>(
        &'a self,
        event: ClientConnectEvent,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        let own = event.user_id.as_deref() == Some(self.gateway.as_str());
        if let Some(router) = self.router.get().and_then(Weak::upgrade).filter(|_| !own) {
            router.queue_handle(&event.client_id).expect_bind(NOBODY);
        }
        Box::pin(std::future::ready(()))
    }
}
