//! A scenario to begin now: the text of a scenario file, or the same as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A scenario; either `toml`, or `events` with or without `repeat_s`.
#[derive(Clone, Debug, Default, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The text of a scenario file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toml: Option<String>,
    /// After so many seconds it begins again; once if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_s: Option<f64>,
    /// What happens, each with `at_s` and the keys that it has in a scenario file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<serde_json::Map<String, serde_json::Value>>>,
}
