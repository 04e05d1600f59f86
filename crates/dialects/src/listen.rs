//! An HTTP port that no client can hold: time for the head of a request and for reading what is written,
//! a bound on connections, one task each, an end within the grace period.
//!
//! A connection must send its request line and headers within `HEADERS_WITHIN`, the first as well as
//! each one after it, so that half-open and idle sockets go away by themselves.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use latimer_core::service::BuildError;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::connection::Connection;
use crate::socket::serve_one;

/// How long a client may take to send a request's headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(15);
/// Room for a request's line and headers, bytes.
const HEADER_BYTES: usize = 32 << 10;
/// Wait after the system could not give a connection, e.g. because no file handle is free.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// How long a request that is being answered may keep a port that stops.
const GRACE: Duration = Duration::from_secs(1);
/// Connections that one port serves at once, unless the config says otherwise.
pub const MAX_CONNECTIONS: usize = 4096;

/// A port, bound and not yet serving.
#[derive(Debug)]
pub struct HttpPort {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl HttpPort {
    /// Takes a port; `key` names it in the config, for the message when it is taken.
    pub async fn bind(listen: SocketAddr, key: &str, max_connections: usize) -> Result<Self, BuildError> {
        let error = |source| BuildError::Bind { address: listen, key: key.to_owned(), source };
        let listener = TcpListener::bind(listen).await.map_err(error)?;
        let places = Arc::new(Semaphore::new(max_connections.min(Semaphore::MAX_PERMITS)));
        Ok(Self { listener, places })
    }

    /// Where it really listens; a port 0 is settled by now.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `shutdown`, then lets requests that are being answered finish. Who may call is for the router to say,
    /// as the common port's does; a robot's own port is a `ServedPort`, which does.
    ///
    /// Handlers find the client in `ConnectInfo<SocketAddr>`. Upgraded connections belong to whoever
    /// upgraded them, but keep their place here until they end.
    pub async fn serve(self, router: Router, shutdown: CancellationToken) {
        let connections = TaskTracker::new();
        loop {
            let place = tokio::select! {
                () = shutdown.cancelled() => break,
                // The semaphore is never closed.
                Ok(place) = self.places.clone().acquire_owned() => place,
            };
            let (stream, peer) = tokio::select! {
                () = shutdown.cancelled() => break,
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        tracing::warn!(%error, "cannot take a connection");
                        tokio::time::sleep(ACCEPT_AGAIN).await;
                        continue;
                    }
                },
            };
            let served = serve(stream, peer, router.clone(), shutdown.clone(), place);
            connections.spawn(serve_one(served));
        }
        drop(self.listener);
        connections.close();
        connections.wait().await;
    }
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
    place: OwnedSemaphorePermit,
) {
    // Telemetry is small messages that must not wait for each other.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%peer, %error, "the connection was gone at once");
        return;
    }
    let service = router.map_request(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_header_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Connection::new(stream, place)), TowerToHyperService::new(service))
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            // A client in the middle of its request must not keep us.
            tokio::time::timeout(GRACE, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}
