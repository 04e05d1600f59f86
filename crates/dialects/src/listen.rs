//! An HTTP port that no client can hold: time for the head of a request and for reading what is written,
//! a bound on connections and on those of one address, one task each, TLS where the config has it, an end within the
//! grace period.
//!
//! A connection must send its request line and headers within `REQUEST_HEADERS_TIMEOUT`, the first as well as
//! each one after it, so that half-open and idle sockets go away by themselves.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use latimer_core::Clock;
use latimer_core::access::Gate;
use latimer_core::service::BuildError;
use latimer_listen::{Accepted, Listener, ListenerPolicy};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use crate::connection::{Connection, ConnectionSlot};
use crate::entrance::{Entrance, EntranceRules, enter};
use crate::limits::{
    HURRIED_REQUEST_HEADERS_TIMEOUT, PORT_GRACE_TIME, REQUEST_HEADERS_MAX_BYTES, REQUEST_HEADERS_TIMEOUT,
    RESERVED_CONNECTIONS,
};
use crate::pace::{Requests, StopsOf, mark, pace};
use crate::socket::serve_one;

/// What all HTTP ports of a gateway share.
#[derive(Clone, Debug)]
pub struct Ports {
    /// What they share with all other listeners.
    pub policy: ListenerPolicy,
    requests: Arc<Requests>,
    /// Who is let in, if the gateway has users.
    gate: Option<Arc<dyn Gate>>,
}

impl Ports {
    /// `requests_per_s` of one address and as many that stop robots, faster ones are answered no faster; 0 is no limit.
    pub fn new(policy: ListenerPolicy, clock: Clock, requests_per_s: u32) -> Self {
        let requests = Arc::new(Requests::new(clock, requests_per_s));
        Self { policy, requests, gate: None }
    }

    /// Lets in those that the gate does, and nobody else.
    #[must_use]
    pub fn with_gate(self, gate: Option<Arc<dyn Gate>>) -> Self {
        Self { gate, ..self }
    }

    /// Who is let in, if the gateway has users.
    pub const fn gate(&self) -> Option<&Arc<dyn Gate>> {
        self.gate.as_ref()
    }

    /// Another bound of the requests of an address from now on.
    pub fn set_requests_per_s(&self, requests_per_s: u32) {
        self.requests.set_rate(requests_per_s);
    }

    /// How many requests waited, since their address sends too many.
    pub fn slowed(&self) -> u64 {
        self.requests.slowed()
    }
}

/// Without limits of their own, for tests.
impl Default for Ports {
    fn default() -> Self {
        Self::new(ListenerPolicy::default(), Clock::system(), 0)
    }
}

/// In the extensions of a request that came over TLS, which ended here or at a proxy in front.
#[derive(Clone, Copy, Debug)]
pub struct OverTls;

/// Whether a request must not wait until others have gone.
pub type IsUrgent = fn(&Request) -> bool;

/// A port, bound and not yet serving.
#[derive(Debug)]
pub struct HttpPort {
    listener: Listener,
    places: Arc<Semaphore>,
    max_connections: usize,
    requests: Arc<Requests>,
    /// Which requests stop robots beside those of dialects.
    stops: Option<StopsOf>,
    /// Places beside the others, and which requests are answered there.
    reserved: Option<(Arc<Semaphore>, IsUrgent)>,
    entrance: Option<Entrance>,
    /// A proxy in front of it speaks TLS.
    behind_tls: bool,
}

/// How a connection is served.
struct Serving {
    place: ConnectionSlot,
    router: Router,
    headers_within: Duration,
    /// Whether more than one request is answered.
    keep_alive: bool,
    behind_tls: bool,
    policy: ListenerPolicy,
}

impl HttpPort {
    /// Takes a port; `key` names it in the config, for the message when it is taken.
    pub async fn bind(
        listen: SocketAddr,
        key: &str,
        max_connections: usize,
        ports: &Ports,
    ) -> Result<Self, BuildError> {
        let error = |source| BuildError::Bind { address: listen, key: key.to_owned(), source };
        let listener = TcpListener::bind(listen).await.map_err(error)?;
        let listener = ports.policy.listener(listener, key, max_connections);
        let places = Arc::new(Semaphore::new(max_connections.min(Semaphore::MAX_PERMITS)));
        let gate = ports.gate.clone();
        let entrance = gate.map(|gate| Entrance { gate, rules: EntranceRules::default() });
        let requests = ports.requests.clone();
        Ok(Self {
            listener,
            places,
            max_connections,
            requests,
            stops: None,
            reserved: None,
            entrance,
            behind_tls: false,
        })
    }

    /// Lets clients in by other rules than those of a robot's own port.
    #[must_use]
    pub fn with_entrance(mut self, rules: EntranceRules) -> Self {
        self.entrance = self.entrance.map(|entrance| Entrance { rules, ..entrance });
        self
    }

    /// Answers urgent requests though all connections are taken, and others with 503 then, so that a stop has a way in.
    #[must_use]
    pub fn with_reserve(mut self, is_urgent: IsUrgent) -> Self {
        self.reserved = Some((Arc::new(Semaphore::new(RESERVED_CONNECTIONS)), is_urgent));
        self
    }

    /// Counts more requests among those that stop robots than those of dialects.
    #[must_use]
    pub fn with_stops(self, stops: StopsOf) -> Self {
        Self { stops: Some(stops), ..self }
    }

    /// Takes each request for one over TLS, since a proxy in front speaks it.
    #[must_use]
    pub fn behind_tls(self, behind_tls: bool) -> Self {
        Self { behind_tls, ..self }
    }

    /// Where it really listens; a port 0 is settled by now.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.address()
    }

    /// Serves until `shutdown`, then lets requests that are being answered finish. Who may call is for the router to say,
    /// as the common port's does; a robot's own port is a `ServedPort`, which does.
    ///
    /// Requests have the client's address in `ConnectInfo<SocketAddr>`, and the extension [`OverTls`] if the client speaks TLS. A connection that
    /// is upgraded to a WebSocket is served by its handler, and counts for the port's limit until it ends.
    pub async fn serve(self, router: Router, shutdown: CancellationToken) {
        let connections = TaskTracker::new();
        let router = match self.entrance.clone() {
            Some(entrance) => router.layer(middleware::from_fn_with_state(entrance, enter)),
            None => router,
        };
        let mark = middleware::from_fn_with_state(self.stops, mark);
        let urgent =
            self.reserved.as_ref().map(|(_, is_urgent)| only(&router, *is_urgent).layer(mark.clone()));
        let requests = self.requests.clone();
        let router = router.layer(middleware::from_fn_with_state(requests, pace)).layer(mark);
        loop {
            let place = tokio::select! {
                () = shutdown.cancelled() => break,
                place = self.place() => place,
            };
            let Accepted { stream, peer, seat } = tokio::select! {
                () = shutdown.cancelled() => break,
                accepted = self.listener.accept() => accepted,
            };
            // One of the others may have gone while this one came.
            let place = place.or_else(|| self.places.clone().try_acquire_owned().ok());
            let serving = match (place, seat) {
                (Some(place), Some(seat)) => Serving {
                    place: (place, Some(seat)),
                    router: router.clone(),
                    headers_within: self.headers_within(),
                    keep_alive: true,
                    behind_tls: self.behind_tls,
                    policy: self.listener.policy().clone(),
                },
                (_, seat) => {
                    let Some((urgent, place)) = urgent.clone().zip(self.reserved_place()) else { continue };
                    Serving {
                        place: (place, seat),
                        router: urgent,
                        headers_within: HURRIED_REQUEST_HEADERS_TIMEOUT,
                        keep_alive: false,
                        behind_tls: self.behind_tls,
                        policy: self.listener.policy().clone(),
                    }
                }
            };
            connections.spawn(serve_one(serve(stream, peer, serving, shutdown.clone())));
        }
        drop(self.listener);
        connections.close();
        connections.wait().await;
    }

    /// Waits for a place; `None` for one beside the others. The semaphores are never closed.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        let reserved = async {
            match &self.reserved {
                // It is taken when somebody has come.
                Some((reserved, _)) => drop(reserved.acquire().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            Ok(place) = self.places.clone().acquire_owned() => Some(place),
            () = reserved => None,
        }
    }

    fn reserved_place(&self) -> Option<OwnedSemaphorePermit> {
        let (reserved, _) = self.reserved.as_ref()?;
        reserved.clone().try_acquire_owned().ok()
    }

    fn headers_within(&self) -> Duration {
        if self.places.available_permits() < self.max_connections / 2 {
            HURRIED_REQUEST_HEADERS_TIMEOUT
        } else {
            REQUEST_HEADERS_TIMEOUT
        }
    }
}

/// A router that answers urgent requests only.
fn only(router: &Router, is_urgent: IsUrgent) -> Router {
    router.clone().layer(middleware::from_fn(move |request: Request, next: Next| async move {
        if is_urgent(&request) {
            return next.run(request).await;
        }
        (StatusCode::SERVICE_UNAVAILABLE, ALL_TAKEN).into_response()
    }))
}

/// What others read when all connections are taken.
const ALL_TAKEN: &str = "all connections of this port, or all that your address may have, are taken; \
    close some, or raise http.max_connections or limits.connections_per_address\n";

async fn serve(stream: TcpStream, peer: SocketAddr, serving: Serving, shutdown: CancellationToken) {
    let Serving { place, router, headers_within, keep_alive, behind_tls, policy } = serving;
    // Telemetry is small messages that must not wait for each other.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%peer, %error, "the connection was gone at once");
        return;
    }
    let secured = tokio::select! {
        secured = policy.secure(stream, peer) => secured,
        () = shutdown.cancelled() => return,
    };
    let stream = match secured {
        Ok(stream) => stream,
        Err(error) => {
            tracing::debug!(%peer, %error, "the connection did not begin");
            return;
        }
    };
    let (is_tls, overdue) = (stream.is_tls() || behind_tls, stream.overdue());
    let service = router.map_request(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        if is_tls {
            request.extensions_mut().insert(OverTls);
        }
        request
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(headers_within)
        .keep_alive(keep_alive)
        .max_header_size(REQUEST_HEADERS_MAX_BYTES)
        .serve_connection(TokioIo::new(Connection::new(stream, place)), TowerToHyperService::new(service))
        .with_upgrades();
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = overdue => return,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            // A client in the middle of its request must not keep us.
            tokio::time::timeout(PORT_GRACE_TIME, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}
