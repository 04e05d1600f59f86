//! Settings that apply while the gateway runs: users, who drives what, limits, robots that come and go. Asked for by SIGHUP, by the API,
//! or by the file that changes; what is as it was stays untouched, and a file that is wrong changes nothing.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use latimer_access::Access;
use latimer_core::frames::Placement;
use latimer_core::hub::Policies;
use latimer_dialects::listen::Ports;
use latimer_world::Population;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::change::{Change, Path, changes};
use super::units::Units;
use crate::config::authority::policies;
use crate::config::frames::tree;
use crate::config::{Config, ConfigSource, read};

/// Between two looks at the file. It applies once two looks in a row find the same: an editor, a copy over the network or a full disk
/// leave half a file for a while, which may well be a config, of fewer robots.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The same where somebody asks for it, who has written it by then.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// How often it is looked again.
const LOOKS: usize = 20;

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
    running: Mutex<Applied>,
}

/// What holds now.
struct Applied {
    /// Table by table.
    tables: toml::Table,
    /// The text that was applied last: of robots that have to come back, the entries are read from it.
    text: Arc<str>,
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
        let inner = |source: ConfigSource| {
            let running = Mutex::new(Applied { tables: running, text: source.text.clone() });
            Inner { source, ports, access, units, population: OnceLock::new(), world_frames, running }
        };
        Self(source.map(|source| Arc::new(inner(source))))
    }

    /// Lets simulated robots come and go, too.
    pub(super) fn with_population(&self, population: Population) {
        if let Some(inner) = &self.0 {
            // It is set once.
            let _ = inner.population.set(population);
        }
    }

    /// Reads the file and applies what can be: bounds first, robots last. What fails leaves everything as it was.
    pub async fn now(&self) -> Result<Reloaded, String> {
        let inner = self.0.as_deref();
        let inner =
            inner.ok_or("this gateway runs without a config file, so there is nothing to read again")?;
        let Inner { source, ports, access, units, population, world_frames, running } = inner;
        let text: Arc<str> = settled(source).await?.into();
        let config = parsed(source, text.clone()).await?;
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
        let changes = changes(&running.tables, &config.tables);
        let (robots, others): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_live);
        let frames = tree(&config.frames, &config.robots, world_frames);
        let frames = frames.map_err(|error| format!("frame: {error}"))?;
        let before = parsed(source, running.text.clone()).await?;
        // The users' file applies by itself whenever it changes, whatever becomes of this one.
        if let Some(access) = access.clone().filter(|_| config.access.is_on()) {
            let users = blocking(move || access.reload()).await?;
            if users.map_err(|error| format!("access.users: {error}"))? {
                reloaded.applied.push("users".to_owned());
            }
        }
        let hub = units.hub();
        let (bounds_before, bounds) = (hub.policies(), policies(&config.authority));
        // A robot that goes keeps its own until it is gone, one that comes has its own from the first moment.
        let mut both = bounds.clone();
        for (robot, policy) in &bounds_before.of {
            both.of.entry(robot.clone()).or_insert_with(|| policy.clone());
        }
        hub.set_policies(both);
        let change = Change::new(units, population.get(), [&before, &config], &running.tables, &robots);
        let changed = change.apply(&mut running.tables).await;
        hub.set_policies(if changed.is_ok() { bounds } else { Policies::clone(&bounds_before) });
        changed?;
        for doubt in config.doubts() {
            tracing::warn!("{doubt}");
        }
        running.text = text;
        reloaded.applied.extend(robots.iter().map(|table| table.join(".")));
        for table in others {
            let key = &table[0];
            match key.as_str() {
                // It holds by now.
                "authority" => {}
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
                Some(value) => running.tables.insert(key.clone(), value.clone()),
                None => running.tables.remove(key),
            };
            reloaded.applied.push(table.join("."));
        }
        Ok(reloaded)
    }

    /// Does so at each SIGHUP and whenever the file changes, until `shutdown`; the log has what became of it.
    pub(super) async fn watch(self, shutdown: CancellationToken) {
        let mut hangups = Hangups::new();
        let mut looks = Looks::new(self.contents().await);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = hangups.next() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {
                    if !looks.has_changed(self.contents().await) {
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

    /// What the file holds, if it can be read.
    async fn contents(&self) -> Option<String> {
        let path = self.0.as_ref()?.source.path.clone();
        blocking(move || read(&path).ok()).await.ok().flatten()
    }
}

/// What a file held that is looked at now and then.
struct Looks {
    /// What was acted on.
    known: Option<String>,
    /// At the look before.
    before: Option<String>,
}

impl Looks {
    fn new(found: Option<String>) -> Self {
        Self { known: found.clone(), before: found }
    }

    /// Whether the file holds something else than what was acted on, and did so at the look before; it is acted on then.
    fn has_changed(&mut self, found: Option<String>) -> bool {
        let is_settled = self.before == found;
        self.before.clone_from(&found);
        // While it is not there, or empty, somebody is writing it.
        if !is_settled || found.as_ref().is_none_or(|it| it.trim().is_empty()) || found == self.known {
            return false;
        }
        self.known = found;
        true
    }
}

/// Checks the text of a file.
async fn parsed(source: &ConfigSource, text: Arc<str>) -> Result<Config, String> {
    let (path, overrides) = (source.path.clone(), source.overrides.clone());
    let check = move || Config::from_text_of(&path, &text, &overrides);
    blocking(check).await?.map_err(|error| error.to_string())
}

/// The text of a file that nobody writes just now.
async fn settled(source: &ConfigSource) -> Result<String, String> {
    let look = || {
        let path = source.path.clone();
        async { blocking(move || read(&path)).await?.map_err(|error| error.to_string()) }
    };
    let mut before = look().await?;
    for _ in 0..LOOKS {
        tokio::time::sleep(LOOK_AGAIN).await;
        let found = look().await?;
        if found == before && !found.trim().is_empty() {
            return Ok(found);
        }
        before = found;
    }
    let is = if before.trim().is_empty() { "empty" } else { "being written" };
    Err(format!("{} is {is}; nothing has changed", source.path.display()))
}

/// Does something that blocks.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
}

impl fmt::Debug for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of the source only where it is: its text may hold passwords.
        let path = self.0.as_ref().map(|it| &it.source.path);
        f.debug_struct("Reload").field("path", &path).finish_non_exhaustive()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_acted_on_once_two_looks_find_the_same() {
        let whole = || Some("[a]\n[b]\n".to_owned());
        let mut looks = Looks::new(whole());
        let mut sees = |text: Option<&str>| looks.has_changed(text.map(str::to_owned));
        assert!(!sees(Some("[a]\n[b]\n")), "it is as it was");
        // An editor truncates it, and writes it in two pieces.
        assert!(!sees(Some("")) && !sees(Some("")) && !sees(Some("[a]\n")) && !sees(Some("[a]\n[b]\n")));
        assert!(!sees(Some("[a]\n[b]\n")), "nothing has come of it");
        // Another file takes its place.
        assert!(!sees(None) && !sees(None) && !sees(Some("[c]\n")));
        assert!(sees(Some("[c]\n")) && !sees(Some("[c]\n")), "once");
        assert!(!sees(Some("[d]\n")) && !sees(Some("[c]\n")) && !sees(Some("[c]\n")));
    }
}
