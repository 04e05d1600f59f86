//! Serving each connection in a task of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::{Accepted, Listener, Stream};

impl Listener {
    /// Serves connections until `shutdown`, which drops what is served then; more than the listener takes wait. TLS has
    /// begun where the client speaks it, and `serve` learns who it is.
    pub async fn serve<F>(
        self,
        shutdown: CancellationToken,
        serve: impl Fn(Stream, SocketAddr) -> F + Clone + Send + Sync + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        self.serve_as(true, shutdown, serve).await;
    }

    /// The same for a port that speaks no TLS.
    pub async fn serve_plain<F>(
        self,
        shutdown: CancellationToken,
        serve: impl Fn(Stream, SocketAddr) -> F + Clone + Send + Sync + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        self.serve_as(false, shutdown, serve).await;
    }

    async fn serve_as<F>(
        self,
        secures: bool,
        shutdown: CancellationToken,
        serve: impl Fn(Stream, SocketAddr) -> F + Clone + Send + Sync + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let places = Arc::new(Semaphore::new(self.max_connections.min(Semaphore::MAX_PERMITS)));
        let connections = TaskTracker::new();
        loop {
            let accept = async { (places.clone().acquire_owned().await, self.accept().await) };
            let (place, Accepted { stream, peer, seat }) = tokio::select! {
                () = shutdown.cancelled() => break,
                accepted = accept => accepted,
            };
            let Some(seat) = seat else { continue };
            let (policy, serve) = (self.policy.clone(), serve.clone());
            let served = async move {
                let _held = (place, seat);
                let _ = stream.set_nodelay(true);
                let stream = match secures {
                    true => policy.secure(stream, peer).await,
                    false => Ok(Stream::Plain(stream)),
                };
                let stream = match stream {
                    Ok(stream) => stream,
                    Err(error) => {
                        tracing::debug!(%peer, %error, "the connection did not begin");
                        return;
                    }
                };
                let overdue = stream.overdue();
                tokio::select! {
                    () = serve(stream, peer) => {}
                    () = overdue => {}
                }
            };
            connections.spawn(shutdown.clone().run_until_cancelled_owned(served));
        }
        connections.close();
        connections.wait().await;
    }
}
