//! A dialect at work over HTTP: a task per port and per robot, and clients that get a reason when it stops.

use async_trait::async_trait;
use axum::Router;
use latimer_core::hub::{Origin, Source};
use latimer_core::service::{BuildError, Service};
use latimer_core::supervisor::{Backoff, Session, supervise};
use latimer_core::{Clock, RobotId};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Serve;
use crate::contract::{Context, Endpoint, Entry};
use crate::served_port::ServedPort;

/// A dialect at work over HTTP.
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

impl<S> Running<S> {
    /// Without ports and robots.
    pub(crate) fn new(clock: Clock, clients: TaskTracker, stop: CancellationToken) -> Self {
        Self { ports: Vec::new(), sessions: Vec::new(), clock, clients, stop }
    }

    /// Binds the port of each robot that has one of its own; where robots are reached.
    pub(crate) async fn bind(
        &mut self,
        served: &[Serve],
        context: &Context,
        router: impl Fn(RobotId) -> Router,
        endpoint: fn(&RobotId, &str) -> Endpoint,
        dialect: &str,
    ) -> Result<Vec<Endpoint>, BuildError> {
        let mut endpoints = Vec::new();
        for (i, Serve { robot, listen, allow_origins }) in served.iter().enumerate() {
            let table = format!("{dialect}.serve[{i}]");
            let router = router(robot.clone());
            let port = ServedPort::bind(&table, *listen, allow_origins, context, router).await?;
            endpoints.push(endpoint(robot, &port.address().to_string()));
            self.ports.push(port);
        }
        Ok(endpoints)
    }

    /// Registers a robot of a dialect that is connected to at an address.
    pub(crate) fn connect(
        &mut self,
        entry: &Entry,
        context: &Context,
        robot: &RobotId,
        address: String,
        session: S,
    ) -> Result<(), BuildError> {
        let source = context.hub.register(entry.robot(robot.clone(), Origin::Connected(address)))?;
        self.sessions.push((source, session));
        Ok(())
    }
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
