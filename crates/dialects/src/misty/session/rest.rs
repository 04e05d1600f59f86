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
    pub(super) async fn call(&self, call: &Call) -> Result<serde_json::Value, String> {
        let url = format!("{}{}", self.base, call.endpoint);
        let request = match call.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url).json(&call.body),
            Method::Delete => self.client.delete(url).json(&call.body),
            Method::Put => self.client.put(url).json(&call.body),
        };
        let mut response = request.send().await.map_err(|error| told(&error))?;
        let mut text = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| told(&error))? {
            if text.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(format!("the robot's answer is longer than {MAX_ANSWER_BYTES} bytes"));
            }
            text.extend_from_slice(&chunk);
        }
        result_from_answer(&String::from_utf8_lossy(&text)).map_err(|error| match error {
            AnswerError::Refused { reason } => reason,
            unreadable => unreadable.to_string(),
        })
    }
}

#[async_trait]
impl Carrier for Rest {
    type Job = Command;

    async fn carry_out(&self, command: Command, validity: &Validity) -> Outcome {
        let calls = match calls_from_command(&command) {
            Ok(calls) => calls,
            Err(reason) => return Outcome::Refused(reason),
        };
        for call in &calls {
            if let Err(refusal) = validity.check() {
                return refusal;
            }
            match self.call(call).await {
                Ok(_) => {}
                Err(reason) if reason == TIMED_OUT => return Outcome::TimedOut,
                Err(reason) => return Outcome::Refused(reason),
            }
        }
        Outcome::Accepted
    }
}

const TIMED_OUT: &str = "the robot did not answer in time";

fn told(error: &reqwest::Error) -> String {
    if error.is_timeout() { TIMED_OUT.to_owned() } else { format!("the robot cannot be reached: {error}") }
}
