//! A line to copy.

use latimer_dialects::lines::Line as ModelLine;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A line to copy that prints what a robot publishes.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Line {
    /// In which dialect; `latimer` is the gateway's own API.
    pub dialect: String,
    /// What runs it: `curl`, `wscat`, `python`, `javascript`, `latimer` or another tool of the dialect.
    pub tool: String,
    /// What to paste; a script has several lines.
    pub line: String,
}

impl Line {
    /// A line of a dialect.
    pub fn new(dialect: &str, line: ModelLine) -> Self {
        let ModelLine { tool, line } = line;
        Self { dialect: dialect.to_owned(), tool: tool.to_owned(), line }
    }
}
