//! A node's work: its calls, its connections, and its master.

use std::sync::Arc;

use latimer_http_guard::Guard;
use latimer_listen::Listener;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Ended;
use super::accept::accept;
use super::registration::Registration;
use super::shared::Shared;
use super::slave::Slave;
use crate::limits::{MASTER_CALL_GRACE_TIME, NODE_GRACE_TIME};
use crate::xmlrpc;

/// A node's work; nothing is registered or answered before it runs.
#[derive(Debug)]
pub struct Running {
    pub(super) shared: Arc<Shared>,
    pub(super) calls: Listener,
    /// By which names it may be called.
    pub(super) guard: Guard,
    pub(super) connections: Listener,
    pub(super) shut_down: mpsc::Receiver<String>,
    /// Ends the node even if it never ran.
    pub(super) end: End,
}

/// Ends a node when dropped, so that nobody waits for its messages.
#[derive(Debug)]
pub(super) struct End(pub(super) CancellationToken);

impl Drop for End {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Running {
    /// Runs until shutdown, then unregisters.
    pub async fn run(self, shutdown: CancellationToken) -> Ended {
        let Self { shared, calls, guard, connections, mut shut_down, end } = self;
        let slave = Arc::new(Slave::new(shared.clone()));
        shared.tasks.spawn(xmlrpc::serve(calls, slave, guard, shared.ended.clone()));
        shared.tasks.spawn(accept(shared.clone(), connections));
        let (mut registration, stop) = (Registration::new(shared.clone()), CancellationToken::new());
        let ended = {
            let keep = registration.keep(&stop);
            tokio::pin!(keep);
            let (ended, over) = tokio::select! {
                () = shutdown.cancelled() => (Ended::Stopped, false),
                Some(reason) = shut_down.recv() => (Ended::ShutDown(reason), false),
                Some(reason) = &mut keep => (Ended::ShutDown(reason), true),
            };
            stop.cancel();
            if !over {
                // A topic that is being registered would be registered for good if nobody waited for it.
                let _ = timeout(MASTER_CALL_GRACE_TIME, keep).await;
            }
            ended
        };
        registration.farewell().await;
        drop(end);
        shared.tasks.close();
        if timeout(NODE_GRACE_TIME, shared.tasks.wait()).await.is_err() {
            tracing::warn!(node = %shared.name, "tasks of the node did not end in time");
        }
        ended
    }
}
