//! The engine behind a port.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;

use super::engine::Engine;
use super::notifier::Notifier;
use super::quota::Peer;
use crate::xmlrpc::{Fault, Handler, Value, unsupported};

/// Answers calls by the engine and queues the notifications that follow.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) engine: Arc<Mutex<Engine>>,
    pub(super) notifier: Notifier,
}

impl Handler for Service {
    fn call<'a>(
        &'a self,
        method: &'a str,
        params: Vec<Value>,
        peer: SocketAddr,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            let peer_of = Peer::of(peer.ip(), engine.is_own(&params));
            let Some((reply, notices)) = engine.call(method, params, peer_of) else {
                tracing::debug!(method, %peer, "a call of a method that is none");
                return Err(unsupported(method));
            };
            // Under the lock, so that nodes are notified in the order of the changes.
            for notice in notices {
                self.notifier.post(notice, &Arc::downgrade(&self.engine));
            }
            drop(engine);
            Ok(reply.into())
        })
    }
}
