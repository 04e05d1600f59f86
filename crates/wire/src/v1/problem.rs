//! Errors: problem details by RFC 9457, with what to do.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The media type of problem details.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A request that cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Problem {
    /// Always `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong.
    pub detail: String,
    /// Where: the parameter, key or address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub advice: Option<String>,
    /// What became of the command, if the robot is the one who did not comply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What kind of reason a refusal has, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = super::outcome::refusal_codes)]
    pub code: Option<String>,
    /// What the log, `/commands` and `latimer trace` call the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<String>,
}
