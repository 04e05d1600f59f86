//! Settings that apply while the gateway runs: users, who drives what, limits, robots that come and go. Asked for by SIGHUP, by the API,
//! or by the file that changes; what is as it was stays untouched, and a file that is wrong changes nothing.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use latimer_access::Access;
use latimer_core::frames::Placement;
use latimer_dialects::listen::Ports;
use latimer_world::Population;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::change::{Change, Path, changes};
use super::units::Units;
use crate::config::authority::policies;
use crate::config::frames::tree;
use crate::config::{Config, ConfigSource};

/// Between two looks at the file.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Reads the config again; refuses to if it was no file, such as the demo's.
#[derive(Clone, Default)]
pub struct Reload(Option<Arc<Inner>>);

struct Inner {
    source: ConfigSource,
    ports: Ports,
    access: Option<Arc<Access>>,
    units: Arc<Units>,
    /// Of the simulated world, if there is one.
    population: OnceLock<Population>,
    /// Those of the simulated world.
    world_frames: Vec<(Arc<str>, Placement)>,
    /// What holds now, table by table.
    running: Mutex<toml::Table>,
}

/// What became of tables that are not as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// Those that apply from now on.
    pub applied: Vec<String>,
    /// Those that apply after a restart.
    pub waiting: Vec<String>,
}

impl Reload {
    /// For a gateway that runs with these tables.
    pub(super) fn new(
        source: Option<ConfigSource>,
        running: toml::Table,
        ports: Ports,
        access: Option<Arc<Access>>,
        units: Arc<Units>,
        world_frames: Vec<(Arc<str>, Placement)>,
    ) -> Self {
        let (population, running) = (OnceLock::new(), Mutex::new(running));
        let inner = |source| Inner { source, ports, access, units, population, world_frames, running };
        Self(source.map(|source| Arc::new(inner(source))))
    }

    /// Lets simulated robots come and go, too.
    pub(super) fn with_population(&self, population: Population) {
        if let Some(inner) = &self.0 {
            // It is set once.
            let _ = inner.population.set(population);
        }
    }

    /// Reads the file and applies what can be.
    pub async fn now(&self) -> Result<Reloaded, String> {
        let inner = self.0.as_deref();
        let inner =
            inner.ok_or("this gateway runs without a config file, so there is nothing to read again")?;
        let Inner { source, ports, access, units, population, world_frames, running } = inner;
        let source = source.clone();
        let read = move || Config::from_file(&source.path, &source.overrides);
        let config = blocking(read).await?.map_err(|error| error.to_string())?;
        // Locked, so that two at once do not mix.
        let mut running = running.lock().await;
        let mut reloaded = Reloaded::default();
        let is_live = |table: &Path| match (&table[0], table.get(1)) {
            (key, None) if key == "simulate" => population.get().is_some(),
            (dialect, Some(list)) => {
                let found = config.dialects.iter().find(|it| it.name() == dialect);
                found.is_some_and(|it| units.is_live(it, list))
            }
            _ => false,
        };
        let changes = changes(&running, &config.tables);
        let (robots, others): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_live);
        let frames = tree(&config.frames, &config.robots, world_frames);
        let frames = frames.map_err(|error| format!("frame: {error}"))?;
        // First, as it is all that can fail.
        let change = Change::new(units, population.get(), &config, &running, &robots);
        change.apply(&mut running).await?;
        reloaded.applied.extend(robots.iter().map(|table| table.join(".")));
        if let Some(access) = access.clone().filter(|_| config.access.is_on()) {
            let users = blocking(move || access.reload()).await?;
            if users.map_err(|error| format!("access.users: {error}"))? {
                reloaded.applied.push("users".to_owned());
            }
        }
        for table in others {
            let (hub, key) = (units.hub(), &table[0]);
            match key.as_str() {
                "authority" => hub.set_policies(policies(&config.authority)),
                "frame" | "robot" => hub.set_frames(frames.clone()),
                "limits" => {
                    hub.memory().set_total(config.limits.memory);
                    ports.set_requests_per_s(config.limits.requests_per_s);
                    ports.doors.set_per_address(config.limits.connections_per_address);
                }
                _ => {
                    reloaded.waiting.push(table.join("."));
                    continue;
                }
            }
            match config.tables.get(key) {
                Some(value) => running.insert(key.clone(), value.clone()),
                None => running.remove(key),
            };
            reloaded.applied.push(table.join("."));
        }
        Ok(reloaded)
    }

    /// Does so at each SIGHUP and whenever the file changes, until `shutdown`; the log has what became of it.
    pub(super) async fn watch(self, shutdown: CancellationToken) {
        let mut hangups = Hangups::new();
        let mut seen = self.modified();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = hangups.next() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {
                    let now = self.modified();
                    // While it is not there, somebody may be writing it.
                    if now.is_none() || std::mem::replace(&mut seen, now) == now {
                        continue;
                    }
                }
            }
            match self.now().await {
                Ok(Reloaded { applied, waiting }) => {
                    if !waiting.is_empty() {
                        let waiting = waiting.join(", ");
                        tracing::warn!(waiting, "the config has changed; these tables apply after a restart");
                    }
                    tracing::info!(applied = applied.join(", "), "the config was read again");
                }
                Err(error) => tracing::error!(%error, "the config was not read again"),
            }
        }
    }

    fn modified(&self) -> Option<SystemTime> {
        let source = &self.0.as_ref()?.source;
        std::fs::metadata(&source.path).and_then(|it| it.modified()).ok()
    }
}

/// Does something that blocks.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
}

impl fmt::Debug for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reload")
            .field("source", &self.0.as_ref().map(|it| &it.source))
            .finish_non_exhaustive()
    }
}

/// SIGHUP, which asks a program to read its config again.
struct Hangups(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

impl Hangups {
    #[cfg(unix)]
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let hangups = signal(SignalKind::hangup());
        Self(hangups.inspect_err(|error| tracing::warn!(%error, "cannot hear SIGHUP")).ok())
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        match &mut self.0 {
            Some(signal) => {
                signal.recv().await;
            }
            None => std::future::pending().await,
        }
    }

    #[cfg(not(unix))]
    fn new() -> Self {
        Self()
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        std::future::pending().await
    }
}
