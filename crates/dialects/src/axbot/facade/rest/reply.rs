//! Answers as HTTP has them, with the headers that web apps need.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::axbot::rest::problem::Problem;

/// How long a file whose name is its hash may be kept: 30 days.
const KEEP: &str = "public, max-age=2592000";

/// When to try again what there was no memory for, seconds.
const RETRY_AFTER_S: &str = "5";

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const HEADERS: &str = "Accept, Authorization, Content-Type, If-None-Match, If-Range, Range, Secret";

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    status: StatusCode,
    media: Option<&'static str>,
    etag: Option<String>,
    /// Whether what was fetched once need not be asked for again.
    lasting: bool,
    /// Which part of the file it is, if not the whole.
    part: Option<String>,
    /// Whether parts of it can be asked for.
    parts: bool,
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
        Self {
            status: StatusCode::NO_CONTENT,
            media: None,
            etag: None,
            lasting: false,
            part: None,
            parts: false,
            body: Bytes::new(),
        }
    }

    /// A file that may be another one the next time.
    pub(super) fn file(media: &'static str, body: Bytes) -> Self {
        Self::bytes(StatusCode::OK, media, body)
    }

    /// A file that never changes: 304 if the asker has it.
    pub(super) fn lasting(media: &'static str, body: Bytes, hash: &str, headers: &HeaderMap) -> Self {
        let etag = format!("\"{hash}\"");
        let reply = if is_known(headers, header::IF_NONE_MATCH, &etag) {
            Self { status: StatusCode::NOT_MODIFIED, ..Self::deleted() }
        } else {
            Self::file(media, body)
        };
        Self { etag: Some(etag), lasting: true, ..reply }
    }

    /// A large file, whole or the part that is asked for; 304 if the asker has it.
    pub(super) fn download(body: Bytes, headers: &HeaderMap) -> Self {
        let hash: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
        let whole =
            Self { lasting: false, ..Self::lasting("application/octet-stream", body, &hash, headers) };
        let whole = Self { parts: true, ..whole };
        let etag = whole.etag.as_deref().unwrap_or_default();
        // A part of another file is of no use to who has the rest of this one.
        let same = !headers.contains_key(header::IF_RANGE) || is_known(headers, header::IF_RANGE, etag);
        if whole.status != StatusCode::OK || !same {
            return whole;
        }
        let total = whole.body.len();
        match headers.get(header::RANGE).and_then(|range| part(range.to_str().ok()?, total)) {
            None => whole,
            Some(None) => Self {
                status: StatusCode::RANGE_NOT_SATISFIABLE,
                part: Some(format!("bytes */{total}")),
                body: Bytes::new(),
                ..whole
            },
            Some(Some(range)) => Self {
                status: StatusCode::PARTIAL_CONTENT,
                part: Some(format!("bytes {}-{}/{total}", range.start, range.end - 1)),
                body: whole.body.slice(range),
                ..whole
            },
        }
    }

    fn bytes(status: StatusCode, media: &'static str, body: Bytes) -> Self {
        Self { status, media: Some(media), etag: None, lasting: false, part: None, parts: false, body }
    }

    /// What goes over the wire; `head` leaves the body out.
    pub(super) fn into_response(self, head: bool) -> Response {
        let Self { status, media, etag, lasting, part, parts, body } = self;
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
        if let Some(part) = part.and_then(|part| HeaderValue::from_str(&part).ok()) {
            headers.insert(header::CONTENT_RANGE, part);
        }
        if parts {
            headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        }
        if lasting {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(KEEP));
        }
        for_browsers(headers);
        response
    }
}

/// Whether a header that lists what the asker has lists a file.
fn is_known(headers: &HeaderMap, name: header::HeaderName, etag: &str) -> bool {
    let known = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let mut known = known.flat_map(|value| value.split(',')).map(|tag| tag.trim().trim_start_matches("W/"));
    known.any(|tag| tag == etag || tag == "*")
}

/// The part that a range of bytes means of so many: `None` if it is not understood, or several, which gets the whole; none
/// within if it begins beyond the end.
#[expect(clippy::option_option, reason = "not understood, not satisfiable and fine are three things")]
fn part(range: &str, total: usize) -> Option<Option<std::ops::Range<usize>>> {
    let (first, last) = range.trim().strip_prefix("bytes=")?.split_once('-')?;
    let (first, last) = (first.trim(), last.trim());
    if first.is_empty() {
        let count: usize = last.parse().ok()?;
        return Some((count > 0 && total > 0).then(|| total.saturating_sub(count)..total));
    }
    let first: usize = first.parse().ok()?;
    let end = if last.is_empty() { total } else { last.parse::<usize>().ok()?.checked_add(1)?.min(total) };
    if first < total && first >= end {
        return None;
    }
    Some((first < total).then_some(first..end))
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
        Problem::Full(_) => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER_S));
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
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "Accept-Ranges, Content-Range, ETag"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The answer to what has nothing to tell.
pub(super) fn done() -> Value {
    json!({"message": "ok"})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parts_of_a_file() {
        for (range, wanted) in [
            ("bytes=0-3", Some(Some(0..4))),
            ("bytes=4-", Some(Some(4..10))),
            ("bytes=4-99", Some(Some(4..10))),
            ("bytes=-3", Some(Some(7..10))),
            ("bytes=-99", Some(Some(0..10))),
            ("bytes=10-", Some(None)),
            ("bytes=-0", Some(None)),
            ("bytes=5-2", None),
            ("bytes=0-1,4-5", None),
            ("lines=0-1", None),
            ("bytes=x-1", None),
            ("bytes=0-18446744073709551615", None),
        ] {
            assert_eq!(part(range, 10), wanted, "{range}");
        }
        assert_eq!(part("bytes=0-0", 0), Some(None));
    }
}
