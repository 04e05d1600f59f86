//! Settings that apply while the gateway runs: users, certificates, who drives what, limits, robots that come and go. Asked for by SIGHUP, by the API,
//! or by the file that changes; what is as it was stays untouched, and a file that is wrong changes nothing.

use std::fmt;
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwap;
use latimer_access::Access;
use latimer_core::RobotId;
use latimer_core::frames::Placement;
use latimer_core::hub::Policies;
use latimer_dialects::contract::UnitList;
use latimer_dialects::listen::Ports;
use latimer_panics::blocking;
use latimer_world::Population;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::change::{Change, Path, changes, come_and_go};
use super::config_file::{Looks, contents, parsed, settled};
use super::hangups::Hangups;
use super::units::Units;
use crate::config::ConfigSource;
use crate::config::authority::policies;
use crate::config::frames::tree;
use crate::limits::CONFIG_FILE_LOOK_INTERVAL;

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
    standing: ArcSwap<Standing>,
}

/// What holds now.
struct Applied {
    /// Table by table.
    tables: toml::Table,
    /// The text that was applied last: of robots that have to come back, the entries are read from it.
    text: Arc<str>,
}

/// How a config shall be read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReloadOptions {
    /// It is only told what would come of it.
    pub dry_run: bool,
    /// Bounds of robots that move may become wider.
    pub force: bool,
}

/// What became of tables that are not as they were, or would become of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// Those that apply from now on.
    pub applied: Vec<String>,
    /// Those that apply after a restart.
    pub waiting: Vec<String>,
    /// Robots that came, each with its list: `misty.connect misty-1`.
    pub came: Vec<String>,
    /// Robots that went.
    pub went: Vec<String>,
}

/// Why a config was not applied; nothing has changed unless it says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReloadError {
    /// It cannot be read, or is wrong.
    #[error("{0}")]
    Wrong(String),
    /// It would loosen the bounds of robots that move.
    #[error(
        "it would loosen bounds of robots that move ({0}); it applies once they stand, or now by `latimer reload --force`"
    )]
    Moves(String),
}

impl ReloadError {
    fn moves(loosened: &[(RobotId, &'static str)]) -> Self {
        let words: Vec<_> = loosened.iter().map(|(robot, key)| format!("{robot}: {key}")).collect();
        Self::Moves(words.join(", "))
    }
}

impl From<String> for ReloadError {
    fn from(error: String) -> Self {
        Self::Wrong(error)
    }
}

/// How the config stands that was read last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Why it does not apply.
    pub error: Option<String>,
    /// What is allowed in what applies, and probably not meant.
    pub doubts: Vec<String>,
}

impl Reload {
    /// For a gateway that runs with these tables.
    pub(super) fn new(
        source: Option<ConfigSource>,
        (running, doubts): (toml::Table, Vec<String>),
        ports: Ports,
        access: Option<Arc<Access>>,
        units: Arc<Units>,
        world_frames: Vec<(Arc<str>, Placement)>,
    ) -> Self {
        let inner = |source: ConfigSource| {
            let running = Mutex::new(Applied { tables: running, text: source.text.clone() });
            let standing = ArcSwap::from_pointee(Standing { error: None, doubts });
            let population = OnceLock::new();
            Inner { source, ports, access, units, population, world_frames, running, standing }
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

    /// How the config stands; that of the demo stands well.
    pub fn standing(&self) -> Arc<Standing> {
        self.0.as_ref().map(|inner| inner.standing.load_full()).unwrap_or_default()
    }

    /// Reads the file and applies what can be: bounds first, robots last. What fails leaves everything as it was.
    pub async fn now(&self, options: ReloadOptions) -> Result<Reloaded, ReloadError> {
        let reloaded = self.read_again(options).await;
        if let Some(inner) = self.0.as_deref().filter(|_| !options.dry_run)
            && let Err(error) = &reloaded
        {
            let standing =
                Standing { error: Some(error.to_string()), ..Standing::clone(&inner.standing.load()) };
            inner.standing.store(Arc::new(standing));
        }
        reloaded
    }

    async fn read_again(&self, options: ReloadOptions) -> Result<Reloaded, ReloadError> {
        let inner = self.0.as_deref();
        let inner = inner.ok_or_else(|| {
            "this gateway runs without a config file, so there is nothing to read again".to_owned()
        })?;
        let Inner { source, ports, access, units, population, world_frames, running, standing } = inner;
        let text: Arc<str> = settled(source).await?.into();
        let config = parsed(source, text.clone()).await?;
        // Locked, so that two at once do not mix.
        let mut running = running.lock().await;
        let mut reloaded = Reloaded::default();
        let before = parsed(source, running.text.clone()).await?;
        let is_live = |table: &Path| match (&table[0], table.get(1)) {
            (key, None) if key == "simulate" => population.get().is_some(),
            (dialect, Some(list)) => {
                let found = config.dialects.iter().find(|it| it.name() == dialect);
                let is_serve = list == UnitList::Serve.name();
                found.is_some_and(|it| units.is_live(it, list))
                    && (!is_serve || come_and_go(table, [&before, &config], &running.tables))
            }
            _ => false,
        };
        let changes = changes(&running.tables, &config.tables);
        let (robots, others): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_live);
        let frames = tree(&config.frames, &config.robots, world_frames);
        let frames = frames.map_err(|error| format!("frame: {error}"))?;
        let hub = units.hub();
        let (bounds_before, bounds) = (hub.policies(), policies(&config.authority));
        let loosened = hub.loosened_in_motion(&bounds);
        if !loosened.is_empty() && !options.force {
            return Err(ReloadError::moves(&loosened));
        }
        let change = Change::new(units, population.get(), [&before, &config], &running.tables, &robots);
        (reloaded.came, reloaded.went) = change.robots();
        reloaded.applied.extend(robots.iter().map(|table| table.join(".")));
        if options.dry_run {
            for table in others {
                let list =
                    if applies_at_once(&table) { &mut reloaded.applied } else { &mut reloaded.waiting };
                list.push(table.join("."));
            }
            return Ok(reloaded);
        }
        // The users' file applies by itself whenever it changes, whatever becomes of this one.
        if let Some(access) = access.as_ref().filter(|_| config.access.is_on())
            && access.reload().await.map_err(|error| format!("access.users: {error}"))?
        {
            reloaded.applied.insert(0, "users".to_owned());
        }
        // So do certificates.
        if let Some(tls) = ports.policy.tls().cloned() {
            let certificates = blocking("reading the files of [tls]", move || tls.reload()).await;
            let certificates = certificates.map_err(|panic| format!("tls: {panic}"))?;
            if certificates.map_err(|error| format!("tls: {error}"))? {
                reloaded.applied.insert(0, "certificates".to_owned());
            }
        }
        // A robot that goes keeps its own until it is gone, one that comes has its own from the first moment.
        let mut both = bounds.clone();
        for (robot, policy) in &bounds_before.of {
            if reloaded.went.iter().any(|it| it == robot.as_str()) {
                both.of.entry(robot.clone()).or_insert_with(|| policy.clone());
            }
        }
        // One may have set out since the look.
        match options.force {
            true => hub.set_policies(both),
            false => hub.set_policies_of_standing(both).map_err(|loosened| ReloadError::moves(&loosened))?,
        }
        let changed = change.apply(&mut running.tables).await;
        hub.set_policies(if changed.is_ok() { bounds } else { Policies::clone(&bounds_before) });
        changed?;
        let doubts = config.doubts();
        for doubt in &doubts {
            tracing::warn!("{doubt}");
        }
        standing.store(Arc::new(Standing { error: None, doubts }));
        running.text = text;
        for table in others {
            if !applies_at_once(&table) {
                reloaded.waiting.push(table.join("."));
                continue;
            }
            let key = &table[0];
            match key.as_str() {
                "frame" | "robot" => hub.set_frames(frames.clone()),
                "limits" => {
                    hub.memory().set_total(config.limits.memory);
                    ports.set_requests_per_s(config.limits.requests_per_s);
                    ports.policy.set_per_address(config.limits.connections_per_address);
                }
                // Authority holds by now.
                _ => {}
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
        let mut waits_for_robots = false;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = hangups.next() => hangups.merge().await,
                () = tokio::time::sleep(CONFIG_FILE_LOOK_INTERVAL) => {
                    let found = self.contents().await;
                    if let Some(is_missing) = looks.went_missing(found.as_deref()) {
                        self.note_missing(is_missing);
                    }
                    if !looks.has_changed(found) && !waits_for_robots {
                        continue;
                    }
                }
            }
            let reloaded = self.now(ReloadOptions::default()).await;
            let waited =
                std::mem::replace(&mut waits_for_robots, matches!(reloaded, Err(ReloadError::Moves(_))));
            match reloaded {
                Ok(Reloaded { applied, waiting, .. }) => {
                    if !waiting.is_empty() {
                        let waiting = waiting.join(", ");
                        tracing::warn!(waiting, "the config has changed; these tables apply after a restart");
                    }
                    tracing::info!(applied = applied.join(", "), "the config was read again");
                }
                Err(_) if waited && waits_for_robots => {}
                Err(error) => tracing::error!(%error, "the config was not read again"),
            }
        }
    }

    /// The file is empty or gone, or is there again.
    fn note_missing(&self, is_missing: bool) {
        let Some(inner) = &self.0 else { return };
        let error = is_missing.then(|| {
            let path = inner.source.path.display();
            tracing::warn!(%path, "the config is empty or cannot be read; what was read before holds");
            format!("{path} is empty or cannot be read")
        });
        inner.standing.store(Arc::new(Standing { error, ..Standing::clone(&inner.standing.load()) }));
    }

    async fn contents(&self) -> Option<String> {
        contents(&self.0.as_ref()?.source).await
    }
}

/// Whether a table that has no robots of its own applies while the gateway runs.
fn applies_at_once(table: &Path) -> bool {
    matches!(table[0].as_str(), "authority" | "frame" | "robot" | "limits")
}

impl fmt::Debug for Reload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of the source only where it is: its text may hold passwords.
        let path = self.0.as_ref().map(|it| &it.source.path);
        f.debug_struct("Reload").field("path", &path).finish_non_exhaustive()
    }
}
