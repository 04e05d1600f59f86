//! SkillData: what skills print.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Extra, words::words};

/// Section "SkillData": a debug message, an error, or (when verbose) a command that a skill called.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SkillData {
    /// Arguments of the command, in the order of the call; unset strings are the text `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// What happened, `Calling command 'Debug'` in a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When it happened. The other event types call this `created`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Whether `data` was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// Properties that the specification does not name.
    #[serde(flatten)]
    pub extra: Extra,
}

words! {
    /// `BroadcastMode` in a skill's meta file, which decides when SkillData is sent. Files spell it in any case.
    BroadcastMode {
        /// Never.
        Off = "Off",
        /// Errors and debug messages.
        Debug = "Debug",
        /// Also every command.
        Verbose = "Verbose",
    }
}
