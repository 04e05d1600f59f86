//! Answers: `{"result":…,"status":"Success"}` and `{"error":"…","status":"Failed"}`.

use serde_json::{Map, Value, json};
use thiserror::Error;

/// Header of every answer: the category of the command, `Current`, `Alpha` or `Beta`.
pub const COMMAND_VERSION_HEADER: &str = "Misty-Command-Version";
/// `Access-Control-Allow-Methods` of the answer to OPTIONS.
pub const ALLOW_METHODS: &str = "DELETE,GET,OPTIONS,POST,PUT";
/// `Access-Control-Allow-Headers` of the answer to OPTIONS: those of a Misty, and those of a credential.
pub const ALLOW_HEADERS: &str = "Content-Type,Accept,Access-Control-Allow-Origin,Authorization,Secret";

/// How a command went, with its HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyStatus {
    /// Done, or accepted.
    Ok = 200,
    /// A parameter is missing or wrong.
    BadArgument = 400,
    /// There is no such command, file or face.
    NotFound = 404,
    /// The command went wrong.
    Exception = 500,
    /// The service behind the command does not run.
    ServiceUnavailable = 503,
}

impl ReplyStatus {
    /// The HTTP status code.
    pub const fn code(self) -> u16 {
        self as u16
    }
}

/// An answer to a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// HTTP status.
    pub status: ReplyStatus,
    /// JSON body.
    pub body: Value,
}

impl Reply {
    /// The command went well.
    pub fn success(result: impl Into<Value>) -> Self {
        Self { status: ReplyStatus::Ok, body: json!({"result": result.into(), "status": "Success"}) }
    }

    /// The command did not go well; the text is for a person.
    pub fn failure(status: ReplyStatus, error: impl Into<String>) -> Self {
        Self { status, body: json!({"error": error.into(), "status": "Failed"}) }
    }
}

/// An answer that is no success.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// The robot refused, and said why.
    #[error("the robot refused: {reason}")]
    Refused {
        /// The robot's own text.
        reason: String,
    },
    /// The answer is not what the documentation promises.
    #[error("the answer is no Misty answer: {what}")]
    Unreadable {
        /// What was wrong with it.
        what: String,
    },
}

/// Reads a robot's answer: the `result`, or why there is none.
pub fn result_from_answer(json: &str) -> Result<Value, AnswerError> {
    let mut answer: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| AnswerError::Unreadable { what: error.to_string() })?;
    match answer.get("status").and_then(Value::as_str) {
        Some("Success") => Ok(answer.remove("result").unwrap_or_default()),
        Some(_) => Err(AnswerError::Refused {
            reason: answer.get("error").and_then(Value::as_str).unwrap_or("no reason given").to_owned(),
        }),
        None => Err(AnswerError::Unreadable { what: "it has no \"status\"".to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_robots_shape() {
        let good = Reply::success(true);
        assert_eq!(
            (good.status.code(), good.body.to_string().as_str()),
            (200, r#"{"result":true,"status":"Success"}"#)
        );
        let bad = Reply::failure(ReplyStatus::NotFound, "no");
        assert_eq!(
            (bad.status.code(), bad.body.to_string().as_str()),
            (404, r#"{"error":"no","status":"Failed"}"#)
        );
    }

    #[test]
    fn answers_are_read() {
        assert_eq!(result_from_answer(r#"{"result":[1],"status":"Success"}"#), Ok(json!([1])));
        let refused = result_from_answer(r#"{"error":"Cannot drive","status":"Failed"}"#).unwrap_err();
        assert_eq!(refused.to_string(), "the robot refused: Cannot drive");
        assert!(matches!(result_from_answer("<html>"), Err(AnswerError::Unreadable { .. })));
        assert!(matches!(result_from_answer("{}"), Err(AnswerError::Unreadable { .. })));
    }
}
