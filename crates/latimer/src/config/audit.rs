//! `[audit]`: which commands were given, as a file.

use std::path::PathBuf;

use serde::Deserialize;

/// Where commands are written down, beside `GET /api/v1/commands`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Audit {
    /// A file to which each command is appended as a line of JSON.
    pub file: Option<PathBuf>,
    /// When what was appended is synced to the disk.
    pub fsync: Fsync,
}

/// When a file is synced, in the words of Redis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fsync {
    /// After each write.
    Always,
    /// A second after the first write that was not synced.
    #[default]
    Everysec,
    /// When the system does it, and at the end.
    No,
}
