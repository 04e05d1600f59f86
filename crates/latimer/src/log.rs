//! The log: lines for people or JSON for programs, on stderr.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::log::{DEFAULT_LEVEL, Format, Log};

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

/// Libraries that tell of every client and every packet; what matters of it is told by whoever uses them.
const QUIET: [&str; 3] = ["mqtt5", "mqtt5_protocol", "rumqttc"];

/// A filter in which [`QUIET`] ones say nothing, unless it names them.
fn with_quiet_libraries(level: &str) -> String {
    let named = |library: &str| level.split([',', '=', '[', ':']).any(|word| word.trim() == library);
    let quiet = QUIET.iter().filter(|library| !named(library)).map(|library| format!(",{library}=off"));
    quiet.fold(level.to_owned(), |filter, library| filter + &library)
}

/// Starts the log; the command line wins over `RUST_LOG`, that over the config.
pub fn start(args: &LogArgs, config: Option<&Log>) -> Result<(), String> {
    let level =
        args.log_level.clone().or_else(|| std::env::var("RUST_LOG").ok().filter(|level| !level.is_empty()));
    let level = level.or_else(|| config.map(|config| config.level.clone()));
    let level = level.unwrap_or_else(|| DEFAULT_LEVEL.to_owned());
    check(&level)?;
    let filter = EnvFilter::builder().parse_lossy(with_quiet_libraries(&level));
    let format = args.log_format.or(config.map(|config| config.format)).unwrap_or_default();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        Format::Json => builder.json().flatten_event(true).try_init(),
        Format::Text => builder.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init(),
    };
    started.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_quiet_unless_they_are_named() {
        assert_eq!(with_quiet_libraries("info"), "info,mqtt5=off,mqtt5_protocol=off,rumqttc=off");
        let named = with_quiet_libraries("warn,mqtt5=info");
        assert_eq!(named, "warn,mqtt5=info,mqtt5_protocol=off,rumqttc=off");
        assert_eq!(check(&named), Ok(()));
    }
}
