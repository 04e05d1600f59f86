//! Commands as calls to the robot.

use axum::http;
use futures_util::future::BoxFuture;
use latimer_core::dispatcher::Executor;
use latimer_core::hub::Validity;
use latimer_core::model::{Command, Outcome};
use latimer_listen::limits::HTTP_IDLE_TIME;
use latimer_listen::{Address, Http, HttpError, Trust};

use crate::misty::limits::{ANSWER_MAX_BYTES, CALL_TIMEOUT};
use crate::misty::rest::call::{Call, calls_from_command};
use crate::misty::rest::envelope::{AnswerError, result_from_answer};
use crate::misty::rest::row::Method;

/// The robot's REST side.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    http: Http,
    address: Address,
}

impl Rest {
    /// At the robot's address.
    pub(super) fn new(address: Address, trust: &Trust) -> Self {
        Self { http: Http::new(trust, CALL_TIMEOUT, HTTP_IDLE_TIME), address }
    }

    /// One call; the `result` of the answer as text, exactly as it came.
    pub(super) async fn call(&self, call: &Call) -> Result<serde_json::Value, CallError> {
        let url = self.address.http(&format!("/api/{}", call.endpoint));
        let body = || call.body.to_string();
        let request = match call.method {
            Method::Get => Http::request(http::Method::GET, &url),
            Method::Post => Http::json(http::Method::POST, &url, body()),
            Method::Delete => Http::json(http::Method::DELETE, &url, body()),
            Method::Put => Http::json(http::Method::PUT, &url, body()),
        };
        let mut request = request?;
        self.address.authorize(&mut request);
        let answer = self.http.send(request, CALL_TIMEOUT, ANSWER_MAX_BYTES).await?;
        let result = result_from_answer(&String::from_utf8_lossy(answer.body()))?;
        let status = answer.status();
        if status.is_client_error() || status.is_server_error() {
            let what = format!("it says that it went well, with the status {status}");
            return Err(AnswerError::Unreadable { what }.into());
        }
        Ok(result)
    }
}

impl Executor for Rest {
    type Job = Command;

    fn carry_out<'a>(&'a self, command: Command, validity: &'a Validity) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let calls = match calls_from_command(&command) {
                Ok(calls) => calls,
                Err(refusal) => return refusal.into(),
            };
            for call in &calls {
                if let Err(refusal) = validity.check() {
                    return refusal;
                }
                if let Err(error) = self.call(call).await {
                    return error.into();
                }
            }
            Outcome::Accepted
        })
    }
}

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallError {
    /// The robot said no; the reason is in its own words.
    #[error("{0}")]
    Refused(String),
    #[error("the robot did not answer in time")]
    TimedOut,
    #[error("the robot cannot be reached: {0}")]
    Unreachable(HttpError),
    #[error(transparent)]
    Unreadable(AnswerError),
}

impl From<HttpError> for CallError {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::TimedOut(_) => Self::TimedOut,
            error => Self::Unreachable(error),
        }
    }
}

impl From<AnswerError> for CallError {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Refused { reason } => Self::Refused(reason),
            unreadable => Self::Unreadable(unreadable),
        }
    }
}

impl From<CallError> for Outcome {
    fn from(error: CallError) -> Self {
        match error {
            // A Misty says why in words only.
            CallError::Refused(reason) => Self::not_now(reason),
            CallError::TimedOut => Self::TimedOut,
            other => Self::unreachable(other.to_string()),
        }
    }
}
