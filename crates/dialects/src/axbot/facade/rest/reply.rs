//! Answers as HTTP has them, with the headers that web apps need.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use crate::axbot::rest::problem::Problem;

/// How long a file whose name is its hash may be kept: 30 days.
const KEEP: &str = "public, max-age=2592000";

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const HEADERS: &str = "Accept, Authorization, Content-Type, If-None-Match, Secret";

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    status: StatusCode,
    media: Option<&'static str>,
    etag: Option<String>,
    /// Whether what was fetched once need not be asked for again.
    lasting: bool,
    body: Bytes,
}

impl Reply {
    /// Done, with an answer.
    pub(super) fn ok(body: &impl Serialize) -> Self {
        Self::json(StatusCode::OK, body)
    }

    /// Something was made.
    pub(super) fn created(body: &impl Serialize) -> Self {
        Self::json(StatusCode::CREATED, body)
    }

    /// Any status, with an answer.
    pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => Self::bytes(status, "application/json", body.into()),
            Err(error) => {
                let body = json!({"detail": format!("the answer cannot be written: {error}")});
                let body = body.to_string().into_bytes();
                Self::bytes(StatusCode::INTERNAL_SERVER_ERROR, "application/json", body.into())
            }
        }
    }

    /// JSON that is written already.
    pub(super) fn written(body: Bytes) -> Self {
        Self::bytes(StatusCode::OK, "application/json", body)
    }

    /// It is gone.
    pub(super) fn deleted() -> Self {
        Self { status: StatusCode::NO_CONTENT, media: None, etag: None, lasting: false, body: Bytes::new() }
    }

    /// A file that may be another one the next time.
    pub(super) fn file(media: &'static str, body: Bytes) -> Self {
        Self::bytes(StatusCode::OK, media, body)
    }

    /// A file that never changes: 304 if the asker has it.
    pub(super) fn lasting(media: &'static str, body: Bytes, hash: &str, headers: &HeaderMap) -> Self {
        let etag = format!("\"{hash}\"");
        let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let mut known =
            known.flat_map(|value| value.split(',')).map(|tag| tag.trim().trim_start_matches("W/"));
        let reply = if known.any(|tag| tag == etag || tag == "*") {
            Self { status: StatusCode::NOT_MODIFIED, ..Self::deleted() }
        } else {
            Self::file(media, body)
        };
        Self { etag: Some(etag), lasting: true, ..reply }
    }

    fn bytes(status: StatusCode, media: &'static str, body: Bytes) -> Self {
        Self { status, media: Some(media), etag: None, lasting: false, body }
    }

    /// What goes over the wire; `head` leaves the body out.
    pub(super) fn into_response(self, head: bool) -> Response {
        let Self { status, media, etag, lasting, body } = self;
        let length = body.len();
        let mut response = Response::new(if head { Body::empty() } else { Body::from(body) });
        *response.status_mut() = status;
        let headers = response.headers_mut();
        if let Some(media) = media {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
            headers.insert(header::CONTENT_LENGTH, length.into());
        }
        if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(&etag).ok()) {
            headers.insert(header::ETAG, etag);
        }
        if lasting {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(KEEP));
        }
        for_browsers(headers);
        response
    }
}

/// The answer to a browser that asks what it may ask.
pub(super) fn preflight() -> Response {
    Reply::deleted().into_response(false)
}

/// An answer that is no success.
pub(super) fn refusal(problem: &Problem, head: bool) -> Response {
    let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = Reply::json(status, &problem.body()).into_response(head);
    let headers = response.headers_mut();
    match problem {
        Problem::Method { allowed, .. } => {
            if let Ok(allowed) = HeaderValue::from_str(allowed) {
                headers.insert(header::ALLOW, allowed);
            }
        }
        Problem::Secret => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Secret"));
        }
        _ => {}
    }
    response
}

/// What pages may ask and read; which pages may is for the port to say.
fn for_browsers(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The answer to what has nothing to tell.
pub(super) fn done() -> Value {
    json!({"message": "ok"})
}
