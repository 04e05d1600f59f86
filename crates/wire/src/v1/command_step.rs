//! The way of a command, station by station.

use latimer_core::Outcome as ModelOutcome;
use latimer_core::hub::{CommandStep as Step, Station};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::command_record::Author;
use super::frame::End;
use super::outcome::refusal_codes;
use super::time::rfc3339_from_timestamp;

/// A command at a station of its way to the robot.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct CommandStep {
    /// What the log, `/commands` and the answer to its client call it.
    pub command_id: String,
    /// To whom.
    pub robot: String,
    /// Which command.
    pub command: String,
    /// Who gave it.
    pub author: Author,
    /// Where it is: `given`, `changed`, `queued`, `replaced` by a newer speed, `overtaken` by a stop, `sent`, and at last `answered`, `refused` or `timed_out`; `abandoned` if its client went. What is refused before it was queued never left the gateway.
    pub station: String,
    /// When it came there.
    pub at: String,
    /// Seconds since it was given.
    pub after_s: f64,
    /// The answer: `accepted`, `done`, `sensed`, `refused`, `timed_out`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Of what kind a refusal is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = refusal_codes)]
    pub code: Option<String>,
    /// Why it was refused, or what was changed of it, for a person to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One frame of the stream of commands.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum CommandFrame {
    /// A command came to a station.
    Step(Box<CommandStep>),
    /// Steps that came faster than the client reads.
    Missed {
        /// How many, of any robots.
        steps: u64,
    },
    /// The end.
    End(End),
}

impl From<&Step> for CommandStep {
    fn from(step: &Step) -> Self {
        let Step { id, robot, author, command, given, at, station } = step;
        let outcome = match station {
            Station::Answered(outcome) => Some(outcome),
            _ => None,
        };
        let refusal = match outcome {
            Some(ModelOutcome::Refused(refusal)) => Some(refusal),
            _ => None,
        };
        let reason = match station {
            Station::Changed(note) => Some(note.clone()),
            _ => refusal.map(|it| it.reason.clone()),
        };
        Self {
            command_id: id.to_string(),
            robot: robot.to_string(),
            command: (*command).to_owned(),
            author: author.into(),
            station: station.as_str().to_owned(),
            at: rfc3339_from_timestamp(*at),
            after_s: at.since(*given).as_secs_f64(),
            outcome: outcome.map(|it| it.as_str().to_owned()),
            code: refusal.map(|it| it.code.as_str().to_owned()),
            reason,
        }
    }
}

impl CommandFrame {
    /// The frame's text.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string(self);
        json.unwrap_or_else(|error| unreachable!("a frame has text keys: {error}"))
    }
}
