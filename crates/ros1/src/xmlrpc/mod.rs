//! XML-RPC over HTTP: a server for one handler, and a client.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
pub use dxr::{Fault, Value};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// What answers calls.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// Answers a call, or refuses it.
    async fn call(&self, method: &str, params: Vec<Value>, peer: SocketAddr) -> Result<Value, Fault>;
}

/// Serves a handler until told to stop.
pub async fn serve(listener: TcpListener, handler: Arc<dyn Handler>, shutdown: CancellationToken) {
    let _ = (listener, handler);
    shutdown.cancelled().await;
}

/// Why a call brought no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Nobody answered.
    #[error("{uri} cannot be reached: {reason}")]
    Unreachable {
        /// Who was asked.
        uri: String,
        /// What went wrong.
        reason: String,
    },
    /// The answer is none.
    #[error("{uri} answered {method} with something else than XML-RPC: {reason}")]
    Malformed {
        /// Who was asked.
        uri: String,
        /// For what.
        method: String,
        /// What is wrong.
        reason: String,
    },
    /// The other side refused.
    #[error("{uri} refused {method}: {reason}")]
    Refused {
        /// Who was asked.
        uri: String,
        /// For what.
        method: String,
        /// What it said.
        reason: String,
    },
}

/// Calls methods at one address.
#[derive(Clone, Debug)]
pub struct Client {
    uri: String,
}

impl Client {
    /// For an address such as `http://127.0.0.1:11311/`.
    pub fn new(uri: impl Into<String>) -> Self {
        Self { uri: uri.into() }
    }

    /// Who is asked.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Calls a method and waits for its answer, for as long as that.
    pub async fn call(&self, method: &str, params: Vec<Value>, within: Duration) -> Result<Value, CallError> {
        let _ = (method, params, within);
        todo!()
    }
}
