//! The robot's REST side.

use std::time::Duration;

use axum::http::header::{ACCEPT, ETAG, HeaderValue, IF_NONE_MATCH};
use axum::http::{self, Request, Response, StatusCode};
use bytes::Bytes;
use latimer_core::limits::COMMAND_TIMEOUT;
use latimer_listen::limits::{HTTP_CONNECT_TIMEOUT, HTTP_IDLE_TIME};
use latimer_listen::{Address, Http, HttpError, Trust};
use serde_json::Value as Json;

use super::call::{Call, CallError, Method, is_path_below, reason_of};
use crate::axbot::limits::{ANSWER_MAX_BYTES, PICTURE_MAX_BYTES};

/// A picture, as fetched.
#[derive(Debug)]
pub(super) enum Fetched {
    /// Its bytes, and what to ask by whether it changed.
    New(Bytes, Option<String>),
    /// It is what it was.
    Same,
}

/// The secret has characters that no header has.
#[derive(Debug, thiserror::Error)]
#[error("the secret cannot be a header")]
pub(super) struct InvalidSecret;

/// The robot's REST side.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    http: Http,
    base: Address,
    secret: Option<HeaderValue>,
}

impl Rest {
    /// At the robot's address.
    pub(super) fn new(base: Address, secret: Option<&str>, trust: &Trust) -> Result<Self, InvalidSecret> {
        let secret = secret.map(HeaderValue::from_str).transpose().map_err(|_| InvalidSecret)?;
        let secret = secret.map(|mut secret| {
            secret.set_sensitive(true);
            secret
        });
        Ok(Self { http: Http::new(trust, HTTP_CONNECT_TIMEOUT, HTTP_IDLE_TIME), base, secret })
    }

    /// The robot's address.
    pub(super) fn base(&self) -> &Address {
        &self.base
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
        let url = self.base.http(&format!("/{path}"));
        let method = match call.method {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
            Method::Patch => http::Method::PATCH,
            Method::Delete => http::Method::DELETE,
        };
        let request = match &call.body {
            Some(body) => Http::json(method, &url, body.to_string()),
            None => Http::request(method, &url),
        };
        let mut request = request?;
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        let answer = self.send(request, call.patience, ANSWER_MAX_BYTES).await?;
        // A success is one whatever is said with it; robots answer with nothing, with text, with JSON.
        Ok(serde_json::from_slice(&succeeded(answer)?).unwrap_or(Json::Null))
    }

    /// A picture below the robot's base; `known` is its version when it was fetched before.
    pub(super) async fn fetch(&self, path: &str, known: Option<&str>) -> Result<Fetched, CallError> {
        if !is_path_below(path) {
            return Err(CallError::Unreadable(format!("names {path:?}, which is no address below its own")));
        }
        let mut request = Http::request(http::Method::GET, &self.base.http(&format!("/{path}")))?;
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("image/png, */*"));
        if let Some(known) = known.and_then(|known| HeaderValue::from_str(known).ok()) {
            request.headers_mut().insert(IF_NONE_MATCH, known);
        }
        let answer = self.send(request, 3 * COMMAND_TIMEOUT, PICTURE_MAX_BYTES).await?;
        if answer.status() == StatusCode::NOT_MODIFIED && known.is_some() {
            return Ok(Fetched::Same);
        }
        let tag = answer.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        Ok(Fetched::New(succeeded(answer)?, tag))
    }

    async fn send(
        &self,
        mut request: Request<Bytes>,
        within: Duration,
        most: usize,
    ) -> Result<Response<Bytes>, CallError> {
        self.base.authorize(&mut request);
        if let Some(secret) = &self.secret {
            request.headers_mut().insert("secret", secret.clone());
        }
        Ok(self.http.send(request, within, most).await?)
    }
}

/// The body of an answer, or the reason in it.
fn succeeded(answer: Response<Bytes>) -> Result<Bytes, CallError> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer.into_body());
    }
    let reason = reason_of(status.as_u16(), &String::from_utf8_lossy(answer.body()));
    Err(CallError::Refused { status: status.as_u16(), reason })
}

impl From<HttpError> for CallError {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::TimedOut(_) => Self::TimedOut,
            HttpError::TooLong(most) => Self::Unreadable(format!("is longer than {most} bytes")),
            error => Self::Unreachable(error.to_string()),
        }
    }
}
