//! What every handler of the API sees.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use latimer_core::dialect::Endpoint;
use latimer_core::{Clock, Hub, Stage, Timestamp};
use latimer_mqtt::broker::Meter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Names;
use crate::journal::Journal;

/// Whether the gateway serves yet, and still.
#[derive(Clone, Debug, Default)]
pub struct Phase(Arc<AtomicU8>);

const STARTING: u8 = 0;
const SERVING: u8 = 1;
const STOPPING: u8 = 2;

impl Phase {
    /// Every listener is up.
    pub fn serving(&self) {
        self.0.store(SERVING, Ordering::Release);
    }

    /// The gateway goes down.
    pub fn stopping(&self) {
        self.0.store(STOPPING, Ordering::Release);
    }

    /// Whether every listener is up.
    pub fn is_serving(&self) -> bool {
        self.0.load(Ordering::Acquire) == SERVING
    }

    /// A word for it.
    pub fn word(&self) -> &'static str {
        match self.0.load(Ordering::Acquire) {
            STARTING => "starting",
            SERVING => "ok",
            _ => "stopping",
        }
    }
}

/// What every handler of the API sees; cheap to clone.
#[derive(Clone, Debug)]
pub struct ApiState {
    /// The exchange.
    pub hub: Hub,
    /// The gateway's clock.
    pub clock: Clock,
    /// The simulated world, if there is one.
    pub stage: Option<Stage>,
    /// The broker within, if there is one.
    pub broker: Option<Meter>,
    /// What happened lately.
    pub journal: Journal,
    /// Since when the gateway runs.
    pub started: Timestamp,
    /// Where everything can be reached.
    pub endpoints: Arc<[Endpoint]>,
    /// Whether the gateway serves.
    pub phase: Phase,
    /// Under which names the gateway may be called.
    pub names: Names,
    /// Ends all streams.
    pub shutdown: CancellationToken,
    /// Streams that are open.
    pub streams: TaskTracker,
}
