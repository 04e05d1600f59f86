//! Answers to wrong requests: what is wrong, where, and what to do.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use latimer_core::hub::CommandId;

use latimer_wire::v1::{PROBLEM_MEDIA_TYPE, Problem};

/// A request that is not met.
#[derive(Clone, Debug)]
pub struct Rejection(Box<Problem>);

impl Rejection {
    /// A status, and what is wrong.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self(Box::new(Problem {
            kind: "about:blank".to_owned(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            place: None,
            advice: None,
            outcome: None,
            code: None,
            command_id: None,
        }))
    }

    /// A request that makes no sense.
    pub fn bad(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// Where the wrong thing is.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.0.place = Some(place.into());
        self
    }

    /// What to do.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    /// What became of the command.
    #[must_use]
    pub fn outcome(mut self, outcome: &str) -> Self {
        self.0.outcome = Some(outcome.to_owned());
        self
    }

    /// What kind of reason the refusal has.
    #[must_use]
    pub fn code(mut self, code: &str) -> Self {
        self.0.code = Some(code.to_owned());
        self
    }

    /// Which command.
    #[must_use]
    pub fn of_command(mut self, id: CommandId) -> Self {
        self.0.command_id = Some(id.to_string());
        self
    }

    /// The text.
    pub fn problem(&self) -> &Problem {
        &self.0
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(header::CONTENT_TYPE, PROBLEM_MEDIA_TYPE)], axum::Json(self.0)).into_response()
    }
}
