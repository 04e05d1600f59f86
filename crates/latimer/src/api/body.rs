//! A request's body: JSON, small, and there in time.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use latimer_listen::limits::REQUEST_BODY_TIMEOUT;
use serde::de::DeserializeOwned;

use super::Rejection;
use crate::limits::REQUEST_BODY_MAX_BYTES;
use latimer_wire::words::explained;

/// Reads a body.
pub(super) async fn json<T: DeserializeOwned>(request: Request) -> Result<T, Rejection> {
    let (parts, body) = request.into_parts();
    expect_json(&parts.headers)?;
    let bytes = bytes(body).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = error.to_string();
        // The position is separate from the message; an error without one says line 0.
        let what = message.split(" at line ").next().unwrap_or(&message);
        let rejection = Rejection::bad(explained(what));
        match error.line() {
            0 => rejection.at("body"),
            line => rejection.at(format!("body, line {line}, column {}", error.column())),
        }
    })
}

/// A page of a stranger can make a browser send plain text here, but JSON only after asking.
fn expect_json(headers: &HeaderMap) -> Result<(), Rejection> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = given.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let detail = format!("the body's type is {given:?}, but JSON is needed");
    Err(Rejection::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
        .at("content-type")
        .advice("send it as application/json; with curl, write --json instead of -d"))
}

async fn bytes(body: Body) -> Result<bytes::Bytes, Rejection> {
    match tokio::time::timeout(REQUEST_BODY_TIMEOUT, axum::body::to_bytes(body, REQUEST_BODY_MAX_BYTES)).await
    {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let detail = format!("the body cannot be read: {error}");
            let advice = format!("send at most {REQUEST_BODY_MAX_BYTES} bytes");
            Err(Rejection::new(StatusCode::PAYLOAD_TOO_LARGE, detail).at("body").advice(advice))
        }
        Err(_) => {
            let detail = format!("the body did not come within {} s", REQUEST_BODY_TIMEOUT.as_secs());
            Err(Rejection::new(StatusCode::REQUEST_TIMEOUT, detail).at("body").advice("send it at once"))
        }
    }
}
