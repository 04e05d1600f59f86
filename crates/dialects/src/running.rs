//! A dialect at work over HTTP: a task per port and per robot, and clients that are told when it stops.

use async_trait::async_trait;
use latimer_core::Clock;
use latimer_core::hub::Source;
use latimer_core::service::Service;
use latimer_core::supervisor::{Backoff, Session, supervise};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::served_port::ServedPort;

/// See the module.
pub(crate) struct Running<S> {
    /// Ports that are bound.
    pub(crate) ports: Vec<ServedPort>,
    /// Robots to connect to.
    pub(crate) sessions: Vec<(Source, S)>,
    pub(crate) clock: Clock,
    /// The tasks of the clients, which outlive the requests that began them.
    pub(crate) clients: TaskTracker,
    /// What tells all of them to stop.
    pub(crate) stop: CancellationToken,
}

#[async_trait]
impl<S: Session + Send + 'static> Service for Running<S> {
    async fn run(self: Box<Self>, shutdown: CancellationToken) {
        let Self { ports, sessions, clock, clients, stop } = *self;
        let tasks = TaskTracker::new();
        for port in ports {
            tasks.spawn(port.serve(stop.clone()));
        }
        for (source, session) in sessions {
            tasks.spawn(supervise(source, session, Backoff::default(), clock, stop.clone()));
        }
        tasks.close();
        shutdown.cancelled().await;
        stop.cancel();
        tasks.wait().await;
        clients.close();
        clients.wait().await;
    }
}
