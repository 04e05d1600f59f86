//! A port that answers calls, and that no caller can hold for long.

use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use latimer_http_guard::Guard;
use latimer_listen::{Accepted, AddressPermit, Listener, ListenerPolicy};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Handler;
use super::answer::Answerer;
use crate::limits::{
    XMLRPC_GRACE_TIME, XMLRPC_HEADERS_MAX_BYTES, XMLRPC_HEADERS_TIMEOUT, XMLRPC_HURRIED_HEADERS_TIMEOUT,
    XMLRPC_WRITE_TIMEOUT,
};

/// Connections that are served at once; further ones wait.
pub(crate) const MAX_CONNECTIONS: usize = 1024;
/// Bytes of long calls and answers that are held at once.
const ROOM: usize = 128 << 20;

/// Serves a handler until shutdown, or until dropped; `guard` knows by which names it may be called.
///
/// Each connection has a task of its own, which sends one answer after another; calls of different connections run
/// beside each other.
pub async fn serve(
    listener: impl Into<Listener>,
    handler: Arc<dyn Handler>,
    guard: Guard,
    shutdown: CancellationToken,
) {
    let listener = listener.into();
    // Connections are tasks, which would outlive what is dropped here.
    let shutdown = shutdown.child_token();
    let _end = shutdown.clone().drop_guard();
    let connections = TaskTracker::new();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let room = Arc::new(Semaphore::new(ROOM));
    loop {
        let place = tokio::select! {
            () = shutdown.cancelled() => break,
            // The semaphore is never closed.
            Ok(place) = places.clone().acquire_owned() => place,
        };
        let Accepted { stream, peer, seat } = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let Some(seat) = seat else { continue };
        let within = headers_within(places.available_permits());
        let service = Answerer { handler: handler.clone(), guard: guard.clone(), room: room.clone(), peer };
        let policy = listener.policy().clone();
        connections.spawn(converse((stream, service), (shutdown.clone(), policy), (place, seat), within));
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// How long a caller may take for a request's head, by the places that are free.
fn headers_within(free: usize) -> Duration {
    if free < MAX_CONNECTIONS / 2 { XMLRPC_HURRIED_HEADERS_TIMEOUT } else { XMLRPC_HEADERS_TIMEOUT }
}

async fn converse(
    (stream, answerer): (TcpStream, Answerer),
    (shutdown, policy): (CancellationToken, ListenerPolicy),
    _place: (OwnedSemaphorePermit, AddressPermit),
    within: Duration,
) {
    let peer = answerer.peer;
    // Answers are small and waited for.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%peer, %error, "the connection was gone at once");
        return;
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(XMLRPC_WRITE_TIMEOUT));
    let service = service_fn(move |request| answerer.clone().answer(request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(within)
        .max_header_size(XMLRPC_HEADERS_MAX_BYTES)
        .title_case_headers(true)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = policy.dismissed(peer.ip()) => return,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            tokio::time::timeout(XMLRPC_GRACE_TIME, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "an XML-RPC connection ended early");
    }
}
