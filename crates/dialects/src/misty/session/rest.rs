//! Commands as calls to the robot.

use std::time::Duration;

use async_trait::async_trait;
use latimer_core::dispatcher::Carrier;
use latimer_core::hub::Validity;
use latimer_core::model::{Command, Outcome};

use crate::misty::rest::call::{Call, calls_from_command};
use crate::misty::rest::catalogue::Method;
use crate::misty::rest::envelope::{AnswerError, result_from_answer};

/// How long the robot may take to answer a call.
const PATIENCE: Duration = Duration::from_secs(8);
/// Largest answer read, bytes.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The robot's REST side.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    client: reqwest::Client,
    base: String,
}

impl Rest {
    /// `address` is `host` or `host:port`.
    pub(super) fn new(address: &str) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder().timeout(PATIENCE).no_proxy().build()?;
        Ok(Self { client, base: format!("http://{address}/api/") })
    }

    /// One call; the `result` of the answer as text, exactly as it came.
    pub(super) async fn call(&self, call: &Call) -> Result<serde_json::Value, CallError> {
        let url = format!("{}{}", self.base, call.endpoint);
        let request = match call.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url).json(&call.body),
            Method::Delete => self.client.delete(url).json(&call.body),
            Method::Put => self.client.put(url).json(&call.body),
        };
        let mut response = request.send().await?;
        let mut text = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if text.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(CallError::TooLong);
            }
            text.extend_from_slice(&chunk);
        }
        Ok(result_from_answer(&String::from_utf8_lossy(&text))?)
    }
}

#[async_trait]
impl Carrier for Rest {
    type Job = Command;

    async fn carry_out(&self, command: Command, validity: &Validity) -> Outcome {
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
    Unreachable(reqwest::Error),
    #[error("the robot's answer is longer than {MAX_ANSWER_BYTES} bytes")]
    TooLong,
    #[error(transparent)]
    Unreadable(AnswerError),
}

impl From<reqwest::Error> for CallError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() { Self::TimedOut } else { Self::Unreachable(error) }
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
