//! A command that was given, and what became of it.

use latimer_core::hub::CommandRecord as Record;
use latimer_core::{Author as ModelAuthor, Outcome as ModelOutcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::outcome::refusal_codes;
use super::time::rfc3339_from_timestamp;

/// Who gives commands.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct Author {
    /// Through which dialect, or `api`, `page`, `cli`, `gateway`.
    pub dialect: String,
    /// What it is called there: an address, a name; empty if the dialect does not tell its clients apart.
    pub name: String,
}

/// A command that was given; times are the gateway's.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema, Serialize, Deserialize)]
pub struct CommandRecord {
    /// Grows by one with each record.
    pub number: u64,
    /// What the log, the answer to its client and `latimer trace` call it; the first one if there are several.
    pub command_id: String,
    /// The last one if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_command_id: Option<String>,
    /// When it was given.
    pub at: String,
    /// When it was answered; the last of them if there are several.
    pub answered: String,
    /// How many are the same: those of one client with the same outcome, each within a second of the one before.
    pub count: u32,
    /// Who gave it.
    pub author: Author,
    /// To whom.
    pub robot: String,
    /// Which command.
    pub command: String,
    /// What was changed of it, because it asked for more than the config allows.
    pub note: Option<String>,
    /// What became of it: `accepted`, `done`, `sensed`, `refused`, `timed_out`; `abandoned` if its client had left by then.
    pub outcome: String,
    /// Of what kind a refusal is.
    #[schema(schema_with = refusal_codes)]
    pub code: Option<String>,
    /// Why it was refused, for a person to read.
    pub reason: Option<String>,
}

impl From<&ModelAuthor> for Author {
    fn from(ModelAuthor { dialect, name, .. }: &ModelAuthor) -> Self {
        Self { dialect: (*dialect).to_owned(), name: name.to_string() }
    }
}

impl From<&Record> for CommandRecord {
    fn from(record: &Record) -> Self {
        let Record { number, id, last_id, at, answered, count, author, robot, command, note, outcome } =
            record;
        let refusal = match outcome {
            Some(ModelOutcome::Refused(refusal)) => Some(refusal),
            _ => None,
        };
        Self {
            number: *number,
            command_id: id.to_string(),
            last_command_id: (last_id != id).then(|| last_id.to_string()),
            at: rfc3339_from_timestamp(*at),
            answered: rfc3339_from_timestamp(*answered),
            count: *count,
            author: author.into(),
            robot: robot.to_string(),
            command: (*command).to_owned(),
            note: note.clone(),
            outcome: outcome.as_ref().map_or("abandoned", ModelOutcome::as_str).to_owned(),
            code: refusal.map(|it| it.code.as_str().to_owned()),
            reason: refusal.map(|it| it.reason.clone()),
        }
    }
}
