//! The log: lines for people or JSON for programs, on stderr.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::log::{DEFAULT_LEVEL, Format, Log};

/// A broker's library notes every client's coming, going and fault; whoever wants that says `mqtt5=info`.
const QUIET: &str = "mqtt5=error";

/// What the command line says about the log.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct LogArgs {
    /// How log lines look [default: text]
    #[arg(long = "log", global = true, value_enum, value_name = "FORMAT", help_heading = "Log")]
    pub log_format: Option<Format>,
    /// What is logged: error, warn, info, debug, trace, or a filter such as
    /// `info,latimer_dialects=debug` [env: RUST_LOG] [default: info]
    #[arg(long = "log-level", global = true, value_name = "LEVEL", help_heading = "Log")]
    pub log_level: Option<String>,
}

/// Whether a level or filter can be read.
pub fn check(level: &str) -> Result<(), String> {
    EnvFilter::builder().parse(level).map(drop).map_err(|error| format!("{level:?} is no filter: {error}"))
}

/// Starts the log; the command line wins over `RUST_LOG`, that over the config.
pub fn start(args: &LogArgs, config: Option<&Log>) -> Result<(), String> {
    let level =
        args.log_level.clone().or_else(|| std::env::var("RUST_LOG").ok().filter(|level| !level.is_empty()));
    let level = level.or_else(|| config.map(|config| config.level.clone()));
    let level = level.unwrap_or_else(|| DEFAULT_LEVEL.to_owned());
    check(&level)?;
    let filter = EnvFilter::builder().parse_lossy(format!("{QUIET},{level}"));
    let format = args.log_format.or(config.map(|config| config.format)).unwrap_or_default();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        Format::Json => builder.json().flatten_event(true).try_init(),
        Format::Text => builder.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init(),
    };
    started.map_err(|error| error.to_string())
}
