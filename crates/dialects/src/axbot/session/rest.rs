//! The robot's REST side.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::header::{ACCEPT, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use reqwest::{Response, StatusCode};
use serde_json::Value as Json;

use super::call::{Call, CallError, Method, PATIENCE, is_path_below, reason_of};

/// How long connecting may take.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);

/// Largest answer read, bytes; a map with all its marks is one.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// Largest picture fetched, bytes.
const MAX_PICTURE_BYTES: usize = 64 << 20;

/// A picture, as fetched.
#[derive(Debug)]
pub(super) enum Fetched {
    /// Its bytes, and what to ask by whether it changed.
    New(Bytes, Option<String>),
    /// It is what it was.
    Same,
}

/// Why there is no client for the robot's REST side.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    /// The secret has characters that no header has.
    #[error("the secret cannot be a header")]
    InvalidSecret,
    /// The client library fails.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
}

/// The robot's REST side.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    client: reqwest::Client,
    base: String,
}

impl Rest {
    /// `base` is `host:port`, and a path if the robot is not served at the root.
    pub(super) fn new(base: &str, secret: Option<&str>) -> Result<Self, BuildError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(secret) = secret {
            let mut secret = HeaderValue::from_str(secret).map_err(|_| BuildError::InvalidSecret)?;
            secret.set_sensitive(true);
            headers.insert("secret", secret);
        }
        let client = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(CONNECT_PATIENCE)
            // Else the secret might be sent to wherever an answer points.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        Ok(Self { client, base: format!("http://{base}/") })
    }

    /// One request; the answer's JSON, `null` if it has none.
    pub(super) async fn call(&self, call: &Call) -> Result<Json, CallError> {
        let answer = self.call_path(call, &call.path).await;
        match (&answer, call.or_path) {
            (Err(CallError::Refused { status: 404, .. }), Some(older)) => {
                match self.call_path(call, older).await {
                    // The words of a robot that knows neither are about the name that is meant.
                    Err(CallError::Refused { status: 404, .. }) => answer,
                    other => other,
                }
            }
            _ => answer,
        }
    }

    async fn call_path(&self, call: &Call, path: &str) -> Result<Json, CallError> {
        let url = format!("{}{path}", self.base);
        let mut request = match call.method {
            Method::Get => self.client.get(url),
            Method::Post => self.client.post(url),
            Method::Patch => self.client.patch(url),
            Method::Delete => self.client.delete(url),
        };
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        let response = request.timeout(call.patience).send().await.map_err(reported)?;
        let status = response.status();
        let body = read(response, MAX_ANSWER_BYTES).await?;
        if !status.is_success() {
            let reason = reason_of(status.as_u16(), &String::from_utf8_lossy(&body));
            return Err(CallError::Refused { status: status.as_u16(), reason });
        }
        // A success is one whatever is said with it; robots answer with nothing, with text, with JSON.
        Ok(serde_json::from_slice(&body).unwrap_or(Json::Null))
    }

    /// A picture below the robot's base; `known` is its version when it was fetched before.
    pub(super) async fn fetch(&self, path: &str, known: Option<&str>) -> Result<Fetched, CallError> {
        if !is_path_below(path) {
            return Err(CallError::Unreadable(format!("names {path:?}, which is no address below its own")));
        }
        let url = format!("{}{path}", self.base);
        let mut request = self.client.get(url).header(ACCEPT, "image/png, */*").timeout(3 * PATIENCE);
        if let Some(known) = known {
            request = request.header(IF_NONE_MATCH, known);
        }
        let response = request.send().await.map_err(reported)?;
        let status = response.status();
        if status == StatusCode::NOT_MODIFIED && known.is_some() {
            return Ok(Fetched::Same);
        }
        let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        let limit = if status.is_success() { MAX_PICTURE_BYTES } else { MAX_ANSWER_BYTES };
        let body = read(response, limit).await?;
        if !status.is_success() {
            let reason = reason_of(status.as_u16(), &String::from_utf8_lossy(&body));
            return Err(CallError::Refused { status: status.as_u16(), reason });
        }
        Ok(Fetched::New(body, tag))
    }
}

async fn read(mut response: Response, limit: usize) -> Result<Bytes, CallError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(reported)? {
        if body.len() + chunk.len() > limit {
            return Err(CallError::Unreadable(format!("is longer than {limit} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

fn reported(error: reqwest::Error) -> CallError {
    if error.is_timeout() && !error.is_connect() {
        return CallError::TimedOut;
    }
    // The cause says more than "error sending request for url".
    let mut cause: &dyn std::error::Error = &error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    CallError::Unreachable(cause.to_string())
}
