//! `[access]`: who may use the gateway.

use std::path::PathBuf;
use std::sync::Arc;

use latimer_access::{Access, AccessError};
use latimer_core::sessions::Sessions;
use latimer_dialects::DIALECTS;
use serde::Deserialize;

/// Who may use the gateway; everybody who reaches it if no users are named.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccessSettings {
    /// The users' file, which is read again when it changes.
    pub users: Option<PathBuf>,
}

/// What a grant can name beside dialects: the gateway's own API, which the page and the command line use.
pub const API: &str = "api";

impl AccessSettings {
    /// Whether clients need a user, a token, or an address that the file names.
    pub fn is_on(&self) -> bool {
        self.users.is_some()
    }

    /// Reads the users.
    pub fn load(&self, sessions: &Sessions) -> Result<Option<Arc<Access>>, AccessError> {
        let Some(path) = &self.users else { return Ok(None) };
        let dialects = DIALECTS.iter().map(|entry| entry.name).chain([API]).collect();
        Access::load(path, dialects, sessions).map(|access| Some(Arc::new(access)))
    }
}
