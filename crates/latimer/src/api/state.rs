//! What every handler of the API sees.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use latimer_access::Access;
use latimer_core::hub::Shared;
use latimer_core::{Clock, Hub, Timestamp};
use latimer_dialects::listen::Ports;
use latimer_dialects::{AnyDialect, Endpoint, Translator};
use latimer_mqtt::broker::Meter;
use latimer_simulator_api::SimulatorHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Names;
use crate::app::Reload;
use crate::journal::Journal;
use latimer_wire::v1::NativeMessage;

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

/// The translators of all dialects as they are configured, by the dialects' names in the order of the registry.
#[derive(Clone)]
pub struct Translators(Arc<[(&'static str, Arc<dyn Translator>)]>);

impl Translators {
    /// Those of configured dialects.
    pub fn of(dialects: &[AnyDialect]) -> Self {
        Self(dialects.iter().map(|dialect| (dialect.name(), dialect.translator())).collect())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &dyn Translator)> {
        self.0.iter().map(|(name, translator)| (*name, &**translator))
    }

    /// An update in the words of every dialect that has some for it.
    pub(super) fn messages(&self, hub: &Hub, update: &Shared) -> Vec<NativeMessage> {
        let message = |(name, translator): (&'static str, &dyn Translator)| {
            let translated = translator.translate(hub, update)?;
            Some(NativeMessage::new(name, &translated.topic, &translated.payload))
        };
        self.iter().filter_map(message).collect()
    }

    /// That of a dialect.
    pub fn find(&self, dialect: &str) -> Option<&dyn Translator> {
        self.iter().find(|(name, _)| *name == dialect).map(|(_, translator)| translator)
    }
}

/// Where everything can be reached; cheap to clone.
#[derive(Clone, Debug)]
pub struct Endpoints {
    built: Arc<Mutex<Vec<Endpoint>>>,
    translators: Translators,
}

impl Endpoints {
    /// Those that were built, and those that configured dialects add while robots come and go.
    pub fn new(built: Vec<Endpoint>, translators: Translators) -> Self {
        Self { built: Arc::new(Mutex::new(built)), translators }
    }

    /// Adds one.
    pub fn add(&self, endpoint: Endpoint) {
        self.built().push(endpoint);
    }

    /// Takes one out that was added.
    pub fn remove(&self, endpoint: &Endpoint) {
        self.built().retain(|it| it != endpoint);
    }

    fn built(&self) -> MutexGuard<'_, Vec<Endpoint>> {
        self.built.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of them by now.
    pub fn all(&self, hub: &Hub) -> Vec<Endpoint> {
        let found = self.translators.iter().flat_map(|(_, translator)| translator.endpoints(hub));
        self.built().iter().cloned().chain(found).collect()
    }
}

impl fmt::Debug for Translators {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|(name, _)| name)).finish()
    }
}

/// What every handler of the API sees; cheap to clone.
#[derive(Clone, Debug)]
pub struct ApiState {
    /// The exchange.
    pub hub: Hub,
    /// The gateway's clock.
    pub clock: Clock,
    /// What clients of each dialect see.
    pub translators: Translators,
    /// The simulated world, if there is one.
    pub simulator: Option<SimulatorHandle>,
    /// The broker within, if there is one.
    pub broker: Option<Meter>,
    /// What happened lately.
    pub journal: Journal,
    /// Since when the gateway runs.
    pub started: Timestamp,
    /// Where everything can be reached.
    pub endpoints: Endpoints,
    /// Whether the gateway serves.
    pub phase: Phase,
    /// Under which names the gateway may be called.
    pub names: Names,
    /// What all listeners share.
    pub ports: Ports,
    /// The gateway's users, if it has some.
    pub access: Option<Arc<Access>>,
    /// Keys of listeners that other machines reach though nothing protects them.
    pub insecure: Arc<[String]>,
    /// Reads the config again.
    pub reload: Reload,
    /// Ends all streams.
    pub shutdown: CancellationToken,
    /// Streams that are open.
    pub streams: TaskTracker,
}
