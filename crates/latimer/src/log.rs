//! The log: lines for people or JSON for programs, on stderr.

use std::io::IsTerminal;

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

use crate::config::log::{DEFAULT_LEVEL, Format, Log};

/// Options of the log.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct LogArgs {
    /// How log lines look [default: text]
    #[arg(long = "log", global = true, value_enum, value_name = "FORMAT", help_heading = "Log")]
    pub log_format: Option<Format>,
    /// What is logged: error, warn, info, debug or trace, the last two of Latimer alone and not of libraries; or a filter such
    /// as `info,latimer_dialects=debug` [env: RUST_LOG] [default: info]
    #[arg(long = "log-level", global = true, value_name = "LEVEL", help_heading = "Log")]
    pub log_level: Option<String>,
}

/// Levels as people write them.
const LEVELS: &str = "error, warn, info, debug, trace or off";

/// A log that cannot start.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The level or filter cannot be read.
    #[error("{level:?} is no filter: {source}")]
    Filter {
        /// As given.
        level: String,
        /// Why.
        source: ParseError,
    },
    /// A level that there is not; the filter's reader would take it for a part of the program.
    #[error(
        "{word:?} is no level, which is {LEVELS}; for one part of the program write such as \"info,latimer_core=debug\""
    )]
    Level {
        /// As given.
        word: String,
    },
    /// A log runs already.
    #[error(transparent)]
    Running(#[from] TryInitError),
}

/// Checks a level or filter.
pub fn check(level: &str) -> Result<(), LogError> {
    for word in level.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        // A part of the program is taken for what it is only with its level; spans and fields cannot be filtered by.
        let is_part = word.contains('=') && !word.contains(['[', '{']);
        if !is_part && word.parse::<LevelFilter>().is_err() {
            return Err(LogError::Level { word: word.to_owned() });
        }
    }
    let filter = level.parse::<Targets>();
    filter.map(drop).map_err(|source| LogError::Filter { level: level.to_owned(), source })
}

/// What all targets of Latimer's own begin with.
const OWN: &str = "latimer";

/// A level by itself is that of Latimer's own parts; of libraries no more is logged than `info`. A filter is taken by its words.
fn of_own_parts(level: &str) -> String {
    match level.trim().parse::<LevelFilter>() {
        Ok(level) if level > LevelFilter::INFO => format!("info,{OWN}={level}"),
        _ => level.to_owned(),
    }
}

/// Libraries that log every packet; their callers log what matters of it.
const QUIET: [&str; 1] = ["rumqttc"];

/// A filter that silences the [`QUIET`] libraries, unless it names them.
fn with_quiet_libraries(level: &str) -> String {
    let named = |library: &str| level.split([',', '=', '[', ':']).any(|word| word.trim() == library);
    let quiet = QUIET.iter().filter(|library| !named(library)).map(|library| format!(",{library}=off"));
    quiet.fold(level.to_owned(), |filter, library| filter + &library)
}

/// Starts the log; the command line wins over `RUST_LOG`, that over the config.
pub fn start(args: &LogArgs, config: Option<&Log>) -> Result<(), LogError> {
    let level =
        args.log_level.clone().or_else(|| std::env::var("RUST_LOG").ok().filter(|level| !level.is_empty()));
    let level = level.or_else(|| config.map(|config| config.level.clone()));
    let level = level.unwrap_or_else(|| DEFAULT_LEVEL.to_owned());
    check(&level)?;
    let words = with_quiet_libraries(&of_own_parts(&level));
    let filter = words.parse::<Targets>().map_err(|source| LogError::Filter { level, source })?;
    let format = args.log_format.or(config.map(|config| config.format)).unwrap_or_default();
    // A line that cannot be written is lost; to say so where nothing can be written would be a panic.
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let layer = match format {
        Format::Json => layer.json().flatten_event(true).boxed(),
        Format::Text => layer.with_ansi(std::io::stderr().is_terminal()).boxed(),
    };
    tracing_subscriber::registry().with(layer.with_filter(filter)).try_init()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_quiet_unless_they_are_named() {
        assert_eq!(with_quiet_libraries("info"), "info,rumqttc=off");
        let named = with_quiet_libraries("warn,rumqttc=info");
        assert_eq!(named, "warn,rumqttc=info");
        assert!(check(&named).is_ok());
    }

    #[test]
    fn a_level_alone_is_that_of_latimers_own_parts() {
        for (given, filter) in [
            ("debug", "info,latimer=debug"),
            ("TRACE", "info,latimer=trace"),
            ("3", "3"),
            ("warn", "warn"),
            ("debug,h2=info", "debug,h2=info"),
            ("hyper_util=debug", "hyper_util=debug"),
        ] {
            assert_eq!(of_own_parts(given), filter);
            assert!(check(&of_own_parts(given)).is_ok(), "{given}");
        }
    }

    #[test]
    fn a_level_that_there_is_not_is_refused() {
        for level in ["info", "WARN", "off", "info,latimer_core=debug", "debug,hyper=off"] {
            assert!(check(level).is_ok(), "{level}");
        }
        for level in
            ["verbose", "inf", "info,chatty", "latimer_core=loud", "latimer_core", "latimer[span]=trace"]
        {
            let error = check(level).unwrap_err().to_string();
            assert!(error.contains("level") || error.contains("filter"), "{level}: {error}");
        }
    }
}
