//! What dialects run: links to robots, and facades over HTTP whose clients get a reason when they stop.

use futures_util::future::BoxFuture;
use latimer_core::Clock;
use latimer_core::RobotId;
use latimer_core::hub::{Origin, RobotInfo, Source};
use latimer_core::service::{BuildError, Service};
use latimer_core::supervisor::{Backoff, Session, supervise};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::contract::{BuildContext, Entry};
use crate::served_port::ServedPort;

/// A robot that is connected to, and its link, which is made again when it breaks.
pub(crate) struct Connected<S> {
    source: Source,
    session: S,
    clock: Clock,
    /// What the link leaves to be done when it ends.
    leaving: TaskTracker,
}

impl<S: Session + Send + 'static> Connected<S> {
    /// Takes a robot of a dialect into the hub that is connected to at an address.
    pub(crate) fn register(
        entry: &Entry,
        context: &BuildContext,
        robot: &RobotId,
        address: String,
        session: S,
    ) -> Result<Box<dyn Service>, BuildError> {
        let info = entry.robot(robot.clone(), Origin::Connected(address));
        Self::register_leaving(context, info, session, TaskTracker::new())
    }

    /// The same with tasks that are waited for at the end.
    pub(crate) fn register_leaving(
        context: &BuildContext,
        info: RobotInfo,
        session: S,
        leaving: TaskTracker,
    ) -> Result<Box<dyn Service>, BuildError> {
        let source = context.hub.register(info)?;
        Ok(Box::new(Self { source, session, clock: context.clock, leaving }))
    }
}

impl<S: Session + Send + 'static> Service for Connected<S> {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Self { source, session, clock, leaving } = *self;
            supervise(source, session, Backoff::default(), clock, shutdown).await;
            leaving.close();
            leaving.wait().await;
        })
    }
}

/// A facade over HTTP.
pub(crate) struct Running {
    /// The port that all robots share, if there is one beside the common port.
    pub(crate) port: Option<ServedPort>,
    /// The tasks of the clients, which outlive the requests that began them.
    pub(crate) clients: TaskTracker,
    /// What tells all of them to stop.
    pub(crate) stop: CancellationToken,
}

impl Service for Running {
    fn run(self: Box<Self>, shutdown: CancellationToken) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let Self { port, clients, stop } = *self;
            let port = port.map(|port| tokio::spawn(port.serve(stop.clone())));
            shutdown.cancelled().await;
            stop.cancel();
            if let Some(port) = port {
                // A panic in it was logged.
                let _ = port.await;
            }
            clients.close();
            clients.wait().await;
        })
    }
}
