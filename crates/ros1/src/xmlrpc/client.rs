//! Calls to one address.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use tokio::time::timeout;

use super::body::SMALL;
use super::offload::offload;
use super::{Value, document, shortened};

/// How long a node's answer may be, bytes.
const ANSWER_BYTES: usize = 64 << 10;
/// How long a master's may be, whose state and parameters can be many.
const MASTER_BYTES: usize = 32 << 20;
/// How long a connection is kept for the next call.
const IDLE: Duration = Duration::from_secs(1);

/// Why a call brought no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// Nobody answered.
    #[error("{uri} cannot be reached: {reason}")]
    Unreachable {
        /// Who was asked.
        uri: String,
        /// What went wrong.
        reason: String,
    },
    /// The answer is none.
    #[error("{uri} answered {method} with something else than XML-RPC: {reason}")]
    Malformed {
        /// Who was asked.
        uri: String,
        /// For what.
        method: String,
        /// What is wrong.
        reason: String,
    },
    /// The other side refused.
    #[error("{uri} refused {method}: {reason}")]
    Refused {
        /// Who was asked.
        uri: String,
        /// For what.
        method: String,
        /// What it said.
        reason: String,
    },
}

/// Calls methods at one address.
#[derive(Clone, Debug)]
pub struct Client {
    uri: String,
    longest: usize,
    /// An error counts at each call.
    http: Result<reqwest::Client, Arc<reqwest::Error>>,
}

impl Client {
    /// For the address of a node, such as `http://127.0.0.1:34567/`; an answer may have 64 KiB.
    pub fn new(uri: impl Into<String>) -> Self {
        Self::with_longest(uri.into(), ANSWER_BYTES)
    }

    /// For the address of a master, such as `http://127.0.0.1:11311/`; an answer may have 32 MiB.
    pub fn for_master(uri: impl Into<String>) -> Self {
        Self::with_longest(uri.into(), MASTER_BYTES)
    }

    fn with_longest(uri: String, longest: usize) -> Self {
        let http = reqwest::Client::builder()
            // Nodes are reached directly; a proxy of the environment is for the web.
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .http1_only()
            .http1_title_case_headers()
            .pool_max_idle_per_host(1)
            .pool_idle_timeout(IDLE)
            .tcp_nodelay(true)
            .build()
            .map_err(Arc::new);
        Self { uri, longest, http }
    }

    /// Who is asked.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Calls a method and waits for its answer, for as long as that.
    pub async fn call(&self, method: &str, params: Vec<Value>, within: Duration) -> Result<Value, CallError> {
        let asked = timeout(within, self.ask(method, params)).await;
        asked.unwrap_or_else(|_| Err(self.unreachable(format!("no answer to {method} within {within:?}"))))
    }

    async fn ask(&self, method: &str, params: Vec<Value>) -> Result<Value, CallError> {
        let http = self.http.as_ref().map_err(|error| self.unreachable(reason(error)))?;
        let call = document::write_call(method, params)
            .ok_or_else(|| self.malformed(method, "a parameter that XML cannot carry"))?;
        let request = http.post(&self.uri).header(CONTENT_TYPE, "text/xml").body(call);
        let mut response = request.send().await.map_err(|error| self.unreachable(reason(&error)))?;
        if !response.status().is_success() {
            return Err(self.malformed(method, format!("HTTP status {}", response.status())));
        }
        let mut answer = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.unreachable(reason(&error)))? {
            if answer.len() + chunk.len() > self.longest {
                return Err(self.malformed(method, format!("longer than {} KiB", self.longest >> 10)));
            }
            answer.extend_from_slice(&chunk);
        }
        let read = offload(answer.len() > SMALL, move || document::read_answer(&answer)).await;
        match read.map_err(|error| self.malformed(method, error))? {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(fault)) => Err(CallError::Refused {
                uri: self.uri.clone(),
                method: method.to_owned(),
                reason: shortened(fault.string()),
            }),
            Err(error) => Err(self.malformed(method, error)),
        }
    }

    fn unreachable(&self, reason: String) -> CallError {
        CallError::Unreachable { uri: self.uri.clone(), reason }
    }

    fn malformed(&self, method: &str, reason: impl ToString) -> CallError {
        CallError::Malformed { uri: self.uri.clone(), method: method.to_owned(), reason: reason.to_string() }
    }
}

/// What really went wrong, which is at the end of the chain.
fn reason(error: &reqwest::Error) -> String {
    let mut last: &dyn std::error::Error = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}
