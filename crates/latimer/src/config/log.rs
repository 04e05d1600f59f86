//! `[log]`: the gateway's log.

use clap::ValueEnum;
use serde::Deserialize;

/// What is logged, by default.
pub const DEFAULT_LEVEL: &str = "info";

/// The log.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// `error`, `warn`, `info`, `debug`, `trace`, or a filter such as `info,latimer_dialects=debug`.
    pub level: String,
    /// How a line looks.
    pub format: Format,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: a JSON object a line.
    Json,
}

impl Default for Log {
    fn default() -> Self {
        Self { level: DEFAULT_LEVEL.to_owned(), format: Format::Text }
    }
}
