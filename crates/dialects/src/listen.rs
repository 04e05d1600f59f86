//! An HTTP port that no client can hold: time for the head of a request and for reading what is written,
//! a bound on connections, one task each, an end within the grace period.
//!
//! A connection must send its request line and headers within `HEADERS_WITHIN`, the first as well as
//! each one after it, so that half-open and idle sockets go away by themselves.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{Extensions, StatusCode};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use latimer_core::Author;
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

/// The client of a request, by its host: a client that posts may open a connection for each request, so its port says nothing.
pub fn author(dialect: &'static str, request: &Extensions) -> Author {
    let peer = request.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip().to_string());
    Author::new(dialect, peer.unwrap_or_default())
}

/// Connections beyond a port's bound that are taken for urgent requests.
const RESERVED: usize = 64;

/// How long such a connection may take to send a request's headers.
const URGENT_HEADERS_WITHIN: Duration = Duration::from_secs(2);

/// Whether a request must not wait until others have gone.
pub type IsUrgent = fn(&Request) -> bool;

/// A port, bound and not yet serving.
#[derive(Debug)]
pub struct HttpPort {
    listener: TcpListener,
    places: Arc<Semaphore>,
    max_connections: usize,
    /// Places beside the others, and which requests are answered there.
    reserved: Option<(Arc<Semaphore>, IsUrgent)>,
}

/// Where a connection is served.
enum Place {
    /// Among those that the port may have.
    Full(OwnedSemaphorePermit),
    /// Beside them: for one urgent request.
    Reserved(OwnedSemaphorePermit),
}

impl HttpPort {
    /// Takes a port; `key` names it in the config, for the message when it is taken.
    pub async fn bind(listen: SocketAddr, key: &str, max_connections: usize) -> Result<Self, BuildError> {
        let error = |source| BuildError::Bind { address: listen, key: key.to_owned(), source };
        let listener = TcpListener::bind(listen).await.map_err(error)?;
        let places = Arc::new(Semaphore::new(max_connections.min(Semaphore::MAX_PERMITS)));
        Ok(Self { listener, places, max_connections, reserved: None })
    }

    /// Answers urgent requests though all connections are taken, and others with 503 then, so that a stop has a way in.
    #[must_use]
    pub fn with_reserve(mut self, is_urgent: IsUrgent) -> Self {
        self.reserved = Some((Arc::new(Semaphore::new(RESERVED)), is_urgent));
        self
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
        let urgent =
            self.reserved.as_ref().map(|(_, is_urgent)| only(&router, *is_urgent, self.max_connections));
        loop {
            let place = tokio::select! {
                () = shutdown.cancelled() => break,
                place = self.place() => place,
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
            // One of the others may have gone while this one came.
            let full =
                self.places.clone().try_acquire_owned().ok().filter(|_| matches!(place, Place::Reserved(_)));
            let served = match (full.map_or(place, Place::Full), &urgent) {
                (Place::Reserved(place), Some(urgent)) => {
                    serve(stream, peer, urgent.clone(), shutdown.clone(), place, true)
                }
                (Place::Reserved(place) | Place::Full(place), _) => {
                    serve(stream, peer, router.clone(), shutdown.clone(), place, false)
                }
            };
            connections.spawn(serve_one(served));
        }
        drop(self.listener);
        connections.close();
        connections.wait().await;
    }
}

impl HttpPort {
    /// Waits for a place. The semaphores are never closed.
    async fn place(&self) -> Place {
        let reserved = async {
            match &self.reserved {
                Some((reserved, _)) => reserved.clone().acquire_owned().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            Ok(place) = self.places.clone().acquire_owned() => Place::Full(place),
            Ok(place) = reserved => Place::Reserved(place),
        }
    }
}

/// A router that answers urgent requests only.
fn only(router: &Router, is_urgent: IsUrgent, max_connections: usize) -> Router {
    router.clone().layer(middleware::from_fn(move |request: Request, next: Next| async move {
        if is_urgent(&request) {
            return next.run(request).await;
        }
        let text = format!("all {max_connections} connections of this port are taken; close some, or raise http.max_connections\n");
        (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
    }))
}

async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    shutdown: CancellationToken,
    place: OwnedSemaphorePermit,
    is_reserved: bool,
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
        .header_read_timeout(if is_reserved { URGENT_HEADERS_WITHIN } else { HEADERS_WITHIN })
        .keep_alive(!is_reserved)
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
