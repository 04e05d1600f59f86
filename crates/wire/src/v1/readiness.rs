//! Whether the gateway does its work.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Check {
    /// `listeners`, `world` or `robots`.
    pub name: String,
    /// Whether it is well.
    pub ok: bool,
    /// What was found.
    pub detail: String,
}

/// Whether the gateway does its work.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Readiness {
    /// Whether all checks are well.
    pub ready: bool,
    /// Each of them.
    pub checks: Vec<Check>,
}
