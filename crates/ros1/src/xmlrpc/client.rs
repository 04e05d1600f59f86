//! Calls to one address.

use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method};
use latimer_listen::{Http, HttpError, Trust};

use super::body::SMALL;
use super::offload::offload;
use super::{Value, document, shortened};
use crate::limits::{MASTER_ANSWER_MAX_BYTES, NODE_ANSWER_MAX_BYTES, XMLRPC_IDLE_TIME};

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
    /// The answer may be right, and could not be read.
    #[error("the answer of {uri} to {method} was not read: {reason}")]
    Unread {
        /// Who was asked.
        uri: String,
        /// For what.
        method: String,
        /// Which fault of this program it met.
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
    http: Http,
}

impl Client {
    /// For the address of a node, such as `http://127.0.0.1:34567/`; an answer may have 64 KiB.
    pub fn new(uri: impl Into<String>) -> Self {
        Self::with_longest(uri.into(), NODE_ANSWER_MAX_BYTES)
    }

    /// For the address of a master, such as `http://127.0.0.1:11311/`; an answer may have 32 MiB.
    pub fn for_master(uri: impl Into<String>) -> Self {
        Self::with_longest(uri.into(), MASTER_ANSWER_MAX_BYTES)
    }

    fn with_longest(uri: String, longest: usize) -> Self {
        // The caller of each call says how long it may take, connecting included.
        Self { uri, longest, http: Http::new(&Trust::default(), Duration::MAX, XMLRPC_IDLE_TIME) }
    }

    /// Who is asked.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Calls a method and waits for its answer, for as long as that.
    pub async fn call(&self, method: &str, params: Vec<Value>, within: Duration) -> Result<Value, CallError> {
        let call = document::write_call(method, params)
            .ok_or_else(|| self.malformed(method, "a parameter that XML cannot carry"))?;
        let request = Http::request(Method::POST, &self.uri);
        let mut request = request.map_err(|error| self.unreachable(error.to_string()))?;
        *request.body_mut() = call.into();
        request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/xml"));
        let answer = self.http.send(request, within, self.longest).await.map_err(|error| match error {
            HttpError::TimedOut(within) => {
                self.unreachable(format!("no answer to {method} within {within:?}"))
            }
            HttpError::TooLong(most) => self.malformed(method, format!("longer than {} KiB", most >> 10)),
            error => self.unreachable(error.to_string()),
        })?;
        if !answer.status().is_success() {
            return Err(self.malformed(method, format!("HTTP status {}", answer.status())));
        }
        let answer = answer.into_body();
        let long = answer.len() > SMALL;
        let read = offload("reading an XML-RPC answer", long, move || document::read_answer(&answer)).await;
        let read = read.map_err(|panic| CallError::Unread {
            uri: self.uri.clone(),
            method: method.to_owned(),
            reason: panic.to_string(),
        })?;
        match read {
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
