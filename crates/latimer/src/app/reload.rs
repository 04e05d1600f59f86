//! Settings that apply while the gateway runs: users, who drives what, limits. Asked for by SIGHUP, by the API, or by the file
//! that changes; what is as it was stays untouched, and a file that is wrong changes nothing.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use latimer_access::Access;
use latimer_core::Hub;
use latimer_dialects::listen::Ports;
use tokio_util::sync::CancellationToken;

use crate::config::authority::policies;
use crate::config::{Config, ConfigSource};

/// Between two looks at the file.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Reads the config again.
#[derive(Clone)]
pub struct Reload(Arc<Inner>);

struct Inner {
    /// `None` for a config that is no file, such as the demo's.
    source: Option<ConfigSource>,
    hub: Hub,
    ports: Ports,
    access: Option<Arc<Access>>,
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
    pub fn new(
        source: Option<ConfigSource>,
        running: toml::Table,
        (hub, ports): (Hub, Ports),
        access: Option<Arc<Access>>,
    ) -> Self {
        Self(Arc::new(Inner { source, hub, ports, access, running: Mutex::new(running) }))
    }

    /// Reads the file and applies what can be; blocks for as long as that takes.
    pub fn now(&self) -> Result<Reloaded, String> {
        let Inner { source, hub, ports, access, running } = &*self.0;
        let source = source
            .as_ref()
            .ok_or("this gateway runs without a config file, so there is nothing to read again")?;
        let config = Config::from_file(&source.path, &source.overrides).map_err(|error| error.to_string())?;
        // Locked, so that two at once do not mix.
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reloaded = Reloaded::default();
        if let Some(access) = access.as_ref().filter(|_| config.access.is_on())
            && access.reload().map_err(|error| format!("access.users: {error}"))?
        {
            reloaded.applied.push("users".to_owned());
        }
        let keys: BTreeSet<String> = running.keys().chain(config.tables.keys()).cloned().collect();
        for key in keys {
            if running.get(&key) == config.tables.get(&key) {
                continue;
            }
            match key.as_str() {
                "authority" => hub.set_policies(policies(&config.authority)),
                "limits" => {
                    hub.memory().set_total(config.limits.memory);
                    ports.set_requests_per_s(config.limits.requests_per_s);
                    let of_each = |tables: &toml::Table| tables.get("limits")?.get(PER_ADDRESS).cloned();
                    if of_each(&running) != of_each(&config.tables) {
                        reloaded.waiting.push(format!("limits.{PER_ADDRESS}"));
                    }
                }
                _ => {
                    reloaded.waiting.push(key);
                    continue;
                }
            }
            match config.tables.get(&key) {
                Some(table) => running.insert(key.clone(), table.clone()),
                None => running.remove(&key),
            };
            reloaded.applied.push(key);
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
                    if std::mem::replace(&mut seen, now) == now {
                        continue;
                    }
                }
            }
            let reload = self.clone();
            match tokio::task::spawn_blocking(move || reload.now()).await {
                Ok(Ok(Reloaded { applied, waiting })) => {
                    if !waiting.is_empty() {
                        let waiting = waiting.join(", ");
                        tracing::warn!(waiting, "the config has changed; these tables apply after a restart");
                    }
                    tracing::info!(applied = applied.join(", "), "the config was read again");
                }
                Ok(Err(error)) => {
                    tracing::error!(%error, "the config was not read again, and stays as it is")
                }
                Err(error) => tracing::error!(%error, "the config was not read again"),
            }
        }
    }

    fn modified(&self) -> Option<SystemTime> {
        let source = self.0.source.as_ref()?;
        std::fs::metadata(&source.path).and_then(|it| it.modified()).ok()
    }
}

/// The one limit that listeners are made with.
const PER_ADDRESS: &str = "connections_per_address";

impl fmt::Debug for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reload").field("source", &self.0.source).finish_non_exhaustive()
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
