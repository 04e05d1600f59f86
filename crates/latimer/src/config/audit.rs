//! `[audit]`: which commands were given, as a file.

use std::path::PathBuf;

use serde::Deserialize;

/// Where commands are written down, beside `GET /api/v1/commands`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Audit {
    /// A file to which each command is appended as a line of JSON.
    pub file: Option<PathBuf>,
}
