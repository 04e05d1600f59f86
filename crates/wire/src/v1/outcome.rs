//! What became of a command.

use latimer_core::Outcome as ModelOutcome;
use latimer_core::model::{Reading as ModelReading, Refusal, RefusalCode, ToValue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use latimer_dialects::json::json_from_value;

/// One thing that was measured on request.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct Reading {
    /// What kind of thing it is.
    pub kind: String,
    /// Which part, for several of a kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The record's fields.
    #[schema(value_type = Object)]
    pub data: serde_json::Value,
}

impl From<&ModelReading> for Reading {
    fn from(reading: &ModelReading) -> Self {
        Self {
            kind: reading.signal.kind().to_string(),
            part: reading.part.as_ref().map(ToString::to_string),
            data: json_from_value(&reading.signal.to_value()),
        }
    }
}

/// The words of [`RefusalCode`].
pub(super) fn refusal_codes() -> Object {
    let words = RefusalCode::ALL.iter().map(|code| code.as_str());
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).build()
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The robot took it and is at it.
    Accepted {
        /// What the gateway changed of it, because it asked for more than the config allows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// It is done.
    Done {
        /// The same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// It was measured.
    Sensed {
        /// What was measured.
        readings: Vec<Reading>,
    },
    /// It will not be done.
    Refused {
        /// What kind of reason it is.
        #[schema(schema_with = refusal_codes)]
        code: String,
        /// Why, for a person.
        reason: String,
    },
    /// The robot did not answer in time.
    TimedOut,
}

/// What became of a command to a robot.
#[derive(Clone, Debug, PartialEq, ToSchema, Serialize, Deserialize)]
pub struct CommandOutcome {
    /// What the log, `/commands` and `latimer trace` call the command.
    pub command_id: String,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Outcome {
    /// With what was changed of the command, if anything.
    pub fn noting(self, note: Option<String>) -> Self {
        match self {
            Self::Accepted { .. } => Self::Accepted { note },
            Self::Done { .. } => Self::Done { note },
            other => other,
        }
    }
}

impl From<ModelOutcome> for Outcome {
    fn from(outcome: ModelOutcome) -> Self {
        match outcome {
            ModelOutcome::Accepted => Self::Accepted { note: None },
            ModelOutcome::Done => Self::Done { note: None },
            ModelOutcome::Sensed(readings) => {
                Self::Sensed { readings: readings.iter().map(Into::into).collect() }
            }
            ModelOutcome::Refused(Refusal { code, reason }) => {
                Self::Refused { code: code.as_str().to_owned(), reason }
            }
            ModelOutcome::TimedOut => Self::TimedOut,
        }
    }
}
