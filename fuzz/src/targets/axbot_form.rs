//! Maps that browsers upload as a form: no panic, and what is read of one is what its JSON would be.
//!
//! Takes the content type, and below it the body.

use axum::http::{HeaderMap, HeaderValue, header};
use bytes::Bytes;
use latimer_dialects::axbot::rest::map_request::MapRequest;
use latimer_dialects::axbot::rest::multipart;

use crate::pieces::wait_for;

pub(super) fn run(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let (Some(content_type), Some(body)) = (bytes.get(..end), bytes.get(end + 1..)) else { return };
    let Ok(content_type) = HeaderValue::from_bytes(content_type) else { return };
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, content_type)]);
    let Some(boundary) = multipart::boundary(&headers) else { return };
    match wait_for(multipart::read(Bytes::copy_from_slice(body), boundary)) {
        Ok(fields) => {
            let length: usize =
                fields.names().filter_map(|name| fields.value(name)?.as_str()).map(str::len).sum();
            // Base64 is longer than its file.
            assert!(length <= 2 * body.len(), "{length} of {} bytes", body.len());
            drop(MapRequest::read(&fields));
        }
        Err(problem) => assert_eq!(problem.status(), 400, "{problem}"),
    }
}
