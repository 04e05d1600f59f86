//! The config: one TOML file, each table read by whom it belongs to, every error with its place.
//!
//! ```text
//! text ──parse──▶ Document ──ports moved──▶ [http] [limits] [broker] [world] [[simulate]] [log] + a table per dialect
//!                                                        │ validate(rules), no I/O
//!                                                        ▼
//!                                                     Config
//! ```

pub mod access;
pub mod audit;
pub mod authority;
mod diagnostic;
mod document;
pub mod frames;
pub mod http;
pub mod limits;
pub mod log;
pub mod ports;
mod robots;
pub mod scenario;
pub mod tls;
pub mod world;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use latimer_core::service::{ConfigError, Rules};
use latimer_dialects::{AnyDialect, DIALECTS};
use latimer_mqtt::BrokerConfig;

use access::AccessSettings;
pub use audit::{Audit, Fsync};
pub use authority::Authority;
pub use diagnostic::{Diagnostic, SourceSpan};
pub use document::Document;
use frames::{RobotTable, SiteFrame};
use http::Http;
use limits::Limits;
use log::Log;
use tls::TlsSettings;
use world::{Simulate, WorldSettings};

/// What `latimer demo` runs.
pub const DEMO: &str = include_str!("../../../../config/demo.toml");

/// What the program itself reads; every other table is a dialect's.
const OWN_TABLES: [&str; 12] = [
    "access",
    "audit",
    "authority",
    "broker",
    "frame",
    "http",
    "limits",
    "log",
    "robot",
    "simulate",
    "tls",
    "world",
];

/// Biggest config file that is read.
const MAX_BYTES: u64 = 4 << 20;

/// Options of the command line, which win over the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The common HTTP port; all others move along.
    pub port_base: Option<u16>,
    /// The world's seed.
    pub seed: Option<u64>,
    /// How many times as fast as the clock the world goes.
    pub speed: Option<f64>,
    /// What happens in the world; a path from where the program was started.
    pub scenario: Option<PathBuf>,
    /// Where what robots are held to is kept.
    pub state: Option<PathBuf>,
    /// Every port is a free one, for a gateway that is built and never run.
    pub free_ports: bool,
    /// Rules that the config is checked against.
    pub rules: Rules,
}

/// A config that was read and checked.
#[derive(Debug)]
pub struct Config {
    /// The common HTTP port.
    pub http: Http,
    /// What no client can exceed.
    pub limits: Limits,
    /// Certificates.
    pub tls: TlsSettings,
    /// Who may use it.
    pub access: AccessSettings,
    /// The log.
    pub log: Log,
    /// Who may move which robot.
    pub authority: Vec<Authority>,
    /// Frames of the site.
    pub frames: Vec<SiteFrame>,
    /// Where robots' own frames are.
    pub robots: Vec<RobotTable>,
    /// Where commands are written down.
    pub audit: Audit,
    /// The MQTT broker, within or another.
    pub broker: BrokerConfig,
    /// The simulated world.
    pub world: WorldSettings,
    /// Whether there is one even if no robot is simulated: its table is written.
    pub has_world: bool,
    /// The simulated robots.
    pub simulate: Vec<Simulate>,
    /// Every dialect, from its table, or with its defaults.
    pub dialects: Vec<AnyDialect>,
    /// Keys of listeners that are open to other machines though nothing protects them.
    pub insecure: Vec<String>,
    /// Where what robots are held to is kept for a restart.
    pub state: Option<PathBuf>,
    /// Where relative paths start: the config file's folder.
    pub folder: PathBuf,
    /// Where it was read, if it is a file.
    pub source: Option<ConfigSource>,
    /// Its tables as they are written, to find those that change.
    pub tables: toml::Table,
}

/// A config file, and how it was read.
#[derive(Clone, Debug)]
pub struct ConfigSource {
    /// The file.
    pub path: PathBuf,
    /// What the command line had beside it.
    pub overrides: Overrides,
    /// What it held.
    pub text: Arc<str>,
}

/// Why there is no config.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}; check the path")]
    File {
        /// Which file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is far bigger than a config can be.
    #[error("{path} has {bytes} bytes; a config has at most {MAX_BYTES}")]
    TooBig {
        /// Which file.
        path: PathBuf,
        /// How big it is.
        bytes: u64,
    },
    /// The file is wrong.
    #[error(transparent)]
    Wrong(#[from] Diagnostic),
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, ReadError> {
    let file = |source| ReadError::File { path: path.to_owned(), source };
    let bytes = std::fs::metadata(path).map_err(file)?.len();
    if bytes > MAX_BYTES {
        return Err(ReadError::TooBig { path: path.to_owned(), bytes });
    }
    std::fs::read_to_string(path).map_err(file)
}

impl Config {
    /// Reads and checks a file.
    pub fn from_file(path: &Path, overrides: &Overrides) -> Result<Self, ReadError> {
        Self::from_text_of(path, &read(path)?, overrides)
    }

    /// Checks what was read of a file.
    pub(crate) fn from_text_of(path: &Path, text: &str, overrides: &Overrides) -> Result<Self, ReadError> {
        let mut config = Self::parse(&path.display().to_string(), text, overrides)?;
        let (text, overrides) = (text.into(), overrides.clone());
        config.source = Some(ConfigSource { path: path.to_owned(), overrides, text });
        config.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        config.tls = config.tls.within(&config.folder);
        config.access.users = config.access.users.map(|file| config.folder.join(file));
        config.audit.file = config.audit.file.map(|file| config.folder.join(file));
        if config.source.as_ref().is_some_and(|it| it.overrides.scenario.is_none()) {
            config.world.scenario = config.world.scenario.map(|scenario| config.folder.join(scenario));
        }
        Ok(config)
    }

    /// What is allowed, and probably not meant.
    pub fn doubts(&self) -> Vec<String> {
        let of_dialects = self.tables.values().filter_map(|table| table.get("connect"));
        let lists = of_dialects.chain(self.tables.get("simulate")).filter_map(toml::Value::as_array);
        let names = lists.flatten().filter_map(|entry| entry.get("robot")?.as_str());
        authority::doubts(&self.authority, &names.map(str::to_owned).collect(), self.access.users.is_some())
    }

    /// The demo's config.
    pub fn demo(overrides: &Overrides) -> Result<Self, ReadError> {
        Ok(Self::parse("config/demo.toml", DEMO, overrides)?)
    }

    /// Reads and checks a text.
    pub fn parse(name: &str, text: &str, overrides: &Overrides) -> Result<Self, Diagnostic> {
        let mut document = Document::parse(name, text)?;
        let ports = ports::refuse_twins(document.root_mut());
        let ports = ports.and_then(|()| match overrides.port_base {
            Some(base) => ports::rebase(document.root_mut(), base),
            None => Ok(()),
        });
        ports.map_err(|error| document.diagnostic_in(error.span, error.message))?;
        let root = document.root_mut().clone();
        if overrides.free_ports {
            ports::set_free(document.root_mut());
        }

        let http: Http = document.read("http")?.unwrap_or_default();
        let limits: Limits = document.read("limits")?.unwrap_or_default();
        let tls: TlsSettings = document.read("tls")?.unwrap_or_default();
        let access: AccessSettings = document.read("access")?.unwrap_or_default();
        let log: Log = document.read("log")?.unwrap_or_default();
        let authority: Vec<Authority> = document.read("authority")?.unwrap_or_default();
        let frames: Vec<SiteFrame> = document.read("frame")?.unwrap_or_default();
        let robots: Vec<RobotTable> = document.read("robot")?.unwrap_or_default();
        let audit: Audit = document.read("audit")?.unwrap_or_default();
        let broker: BrokerConfig = document.read("broker")?.unwrap_or_default();
        let world: Option<WorldSettings> = document.read("world")?;
        let has_world = world.is_some();
        let mut world = world.unwrap_or_default();
        world.seed = overrides.seed.unwrap_or(world.seed);
        world.speed = overrides.speed.unwrap_or(world.speed);
        world.scenario = overrides.scenario.clone().or(world.scenario);
        let simulate: Vec<Simulate> = document.read("simulate")?.unwrap_or_default();
        let mut dialects = Vec::new();
        for entry in DIALECTS {
            dialects.push(match document.take(entry.name) {
                Some(table) => (entry.from_toml)(table).map_err(|error| document.diagnostic(&error))?,
                None => (entry.default)(),
            });
        }
        document.finish(OWN_TABLES.into_iter().chain(DIALECTS.iter().map(|entry| entry.name)))?;

        let folder = PathBuf::new();
        let mut config = Self {
            http,
            limits,
            tls,
            access,
            log,
            authority,
            frames,
            robots,
            audit,
            broker,
            world,
            has_world,
            simulate,
            dialects,
            insecure: Vec::new(),
            state: overrides.state.clone(),
            folder,
            source: None,
            // It was parsed before.
            tables: toml::from_str(text).unwrap_or_default(),
        };
        let rules = Rules {
            tls: config.tls.is_on(),
            client_certificates: config.tls.needs_client_certificates(),
            users: config.access.is_on(),
            ..overrides.rules.clone()
        };
        let made = robots::made(&root);
        let checked = config.validate(&rules);
        let checked =
            checked.and_then(|()| config.dialects.iter().try_for_each(|dialect| dialect.check_robots(&made)));
        checked.map_err(|error| {
            document.diagnostic_at(&error.key, format!("{}; {}", error.problem, error.advice))
        })?;
        if let Some(key) = rules.insecure.unused() {
            let message = format!(
                "--insecure={key}: nothing is open at {key}; leave it out, or name a listener of this file"
            );
            return Err(document.diagnostic_at(key, message));
        }
        config.insecure = rules.insecure.open();
        let names = robots::names_of_machine(&config.http.names);
        let robots = robots::check(&root, &config.dialects);
        let robots = robots.and_then(|()| robots::check_loops(&root, &names));
        robots.map_err(|error| document.diagnostic_in(error.span, error.message))?;
        Ok(config)
    }

    /// Checks what can be checked without I/O.
    fn validate(&self, rules: &Rules) -> Result<(), ConfigError> {
        self.http.validate(rules)?;
        self.limits.validate()?;
        self.tls.validate()?;
        crate::log::check(&self.log.level)
            .map_err(|error| ConfigError::new("log.level", error.to_string(), "write such as \"info\""))?;
        authority::validate(&self.authority)?;
        frames::validate(&self.frames, &self.robots)?;
        self.broker.validate(rules)?;
        if rules.users && !self.broker.users.is_empty() {
            return Err(ConfigError::new(
                "broker.users",
                "users of the broker stand beside those of [access]",
                "write them into the users' file, which the broker asks, too",
            ));
        }
        self.world.validate()?;
        let mut robots = std::collections::BTreeSet::new();
        for (i, simulate) in self.simulate.iter().enumerate() {
            simulate.validate(&format!("simulate[{i}]"))?;
            if !robots.insert(&simulate.robot) {
                return Err(ConfigError::new(
                    format!("simulate[{i}].robot"),
                    format!("two robots are called {}", simulate.robot),
                    "give each a name of its own",
                ));
            }
        }
        self.dialects.iter().try_for_each(|dialect| dialect.validate(rules))
    }
}
